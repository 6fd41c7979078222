// How many kernels a second libxsp-cuda.so records without a loss, and what a recording of many
// holds: the program of the tests makes them up at a stated rate. Usage: xsp_cuda_events KERNELS
// RATE... (kernels a second; 0: as fast as they can be made up). Each kernel has the call that
// launched it, so there are twice as many records.
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "capture/wire/collected_records.h"
#include "capture/wire/reader.h"

// cmake/Paths.cmake.
extern const char kCudaProgram[];
extern const char kFakeCupti[];
extern const char kFakeDriver[];
extern const char kInjectedLibrary[];

namespace {

namespace fs = std::filesystem;

struct Counter final : xsp::wire::RecordSink {
  std::uint64_t kernels = 0, calls = 0;
  double dropped_by_cupti = 0;
  void OnSpan(const xsp::wire::SpanRecord& span) override {
    kernels += span.level == XSP_LEVEL_KERNEL;
    calls += span.level == XSP_LEVEL_LIBRARY;
  }
  void OnCounter(const xsp::wire::CounterRecord& counter) override {
    if (counter.name == "cuda.dropped_records") dropped_by_cupti = counter.value;
  }
  void OnMetric(const xsp::wire::MetricRecord&) override {}
  void OnAttribute(const xsp::wire::AttributeRecord&) override {}
  void OnMark(const xsp::wire::MarkRecord&) override {}
};

int Measure(const char* kernels, const char* rate) {
  const xsp::wire::ScratchFolder folder;
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    setenv("XSP_RECORD_FOLDER", folder.path().c_str(), 1);
    setenv("XSP_CUPTI_LIBRARY", kFakeCupti, 1);
    setenv("PROGRAM_CALLS", kernels, 1);
    setenv("PROGRAM_RATE", rate, 1);
    printf("kernels=%s rate=%s seconds=", kernels, rate);
    fflush(stdout);
    execl(kCudaProgram, kCudaProgram, kInjectedLibrary, kFakeCupti, "burst", kFakeDriver,
          static_cast<char*>(nullptr));
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return 1;
  for (const auto& entry : fs::directory_iterator(folder.path())) {
    xsp::wire::ReadError error;
    const auto reader = xsp::wire::Reader::Open(entry.path().string(), &error);
    if (reader == nullptr) return fprintf(stderr, "%s\n", error.what.c_str()), 1;
    Counter counter;
    reader->Read(counter);
    printf(
        "  recorded: %llu kernels, %llu calls, %.0f MiB; dropped: %.0f by CUPTI, %llu by the "
        "recording\n",
        static_cast<unsigned long long>(counter.kernels),
        static_cast<unsigned long long>(counter.calls),
        static_cast<double>(fs::file_size(entry.path())) / (1 << 20), counter.dropped_by_cupti,
        static_cast<unsigned long long>(reader->losses().dropped));
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return fprintf(stderr, "usage: xsp_cuda_events KERNELS RATE...\n"), 2;
  for (int i = 2; i < argc; ++i)
    if (const int status = Measure(argv[1], argv[i])) return status;
  return 0;
}
