// The library as the CUDA driver meets it: loaded into a program, over a libcupti of our own
// (testing/fake_cupti.cc). What only a GPU can show is in tools/gpu_check.

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "capture/record/cuda/activity/capture_file.h"
#include "capture/wire/collected_records.h"

// cmake/Paths.cmake.
extern const char kCudaProgram[];
extern const char kCudaSamples[];
extern const char kCudaWorker[];
extern const char kFakeCupti[];
extern const char kFakeCupti12[];
extern const char kFakeDriver[];
extern const char kInjectedLibrary[];

namespace xsp::record::cuda {
namespace {

namespace fs = std::filesystem;
using wire::CollectedRecords;
using Span = CollectedRecords::Span;

constexpr std::size_t kCalls = 20;  // testing/program.cc

constexpr const char* kNoFile = "/nonexistent/libcupti.so.13";

class InjectionTest : public testing::Test {
 protected:
  struct How {
    std::string mode = {};  ///< Of testing/fake_cupti.h.
    const char* cupti = kFakeCupti;
    std::string levels = {};
    bool driver = true;
    bool folder = true;
    const char* program = kCudaProgram;
    std::vector<std::pair<std::string, std::string>> environment = {};
  };

  /// Runs the program with the library in it; returns its exit status, or the negative signal.
  int Run(const std::string& what) { return Run(what, How{}); }
  int Run(const std::string& what, const How& how) {
    const pid_t child = fork();
    if (child == 0) {
      unsetenv("XSP_RECORD_FOLDER");
      if (how.folder) setenv("XSP_RECORD_FOLDER", folder_.path().c_str(), 1);
      setenv("XSP_CUPTI_LIBRARY", how.cupti, 1);
      setenv("FAKE_CUPTI", how.mode.c_str(), 1);
      if (how.folder) setenv("XSP_RECORD_CUDA_KEEP", capture_file_.c_str(), 1);
      if (!how.levels.empty()) setenv("XSP_RECORD_LEVELS", how.levels.c_str(), 1);
      for (const auto& [name, value] : how.environment) setenv(name.c_str(), value.c_str(), 1);
      execl(how.program, how.program, kInjectedLibrary,
            how.cupti == kNoFile ? kFakeCupti : how.cupti, what.c_str(),
            how.driver ? kFakeDriver : nullptr, static_cast<char*>(nullptr));
      _exit(127);
    }
    int status = 0;
    waitpid(child, &status, 0);
    pid_ = child;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

  /// The recording of the program itself.
  const CollectedRecords& Read() {
    for (const auto& entry : fs::directory_iterator(folder_.path())) {
      if (entry.path().filename().string().ends_with("." + std::to_string(pid_) + ".xspr"))
        read_ = wire::ReadRecording(entry.path().string());
    }
    if (read_ == nullptr) read_ = std::make_unique<CollectedRecords>();
    return *read_;
  }

  std::string Fact(const std::string& key) {
    for (const auto& attribute : read_->attributes)
      if (attribute.span == 0 && attribute.key == key) return attribute.value;
    return "";
  }

  std::vector<const Span*> Spans(xsp_level level, const std::string& type) {
    std::vector<const Span*> found;
    for (const Span& span : read_->spans)
      if (span.level == level && span.type == type) found.push_back(&span);
    std::sort(found.begin(), found.end(),
              [](const Span* a, const Span* b) { return a->start_ns < b->start_ns; });
    return found;
  }

  /// What the program said of its kernels, in order of time.
  std::vector<std::int64_t> ExpectedStarts() {
    std::vector<std::int64_t> starts;
    for (const auto& attribute : read_->attributes)
      if (attribute.key == "expected_start_ns") starts.push_back(std::stoll(attribute.value));
    return starts;
  }

  void ExpectEagerCalls(std::size_t calls, std::int64_t tolerance_ns) {
    const auto kernels = Spans(XSP_LEVEL_KERNEL, "kernel");
    const auto starts = ExpectedStarts();
    ASSERT_EQ(starts.size(), 2 * calls);
    ASSERT_EQ(kernels.size(), 2 * calls);
    for (const auto& attribute : read_->attributes) {
      if (attribute.key != "query_left_out") continue;
      EXPECT_EQ(attribute.value, "1") << "CUPTI was not asked";
    }
    std::map<std::uint64_t, const Span*> launches;
    for (const Span* call : Spans(XSP_LEVEL_LIBRARY, "cuda_runtime")) {
      EXPECT_NE(call->name, "cudaGetDevice") << "left out";
      ASSERT_NE(call->track, 0u);
      const wire::TrackInfo& track = read_->tracks[call->track - 1];
      EXPECT_EQ(track.kind, XSP_TRACK_THREAD);
      EXPECT_EQ(track.owner, static_cast<std::uint32_t>(pid_)) << "the thread that called";
      launches[call->correlation_id] = call;
    }
    const auto layers = [&](const char* type) { return Spans(XSP_LEVEL_LAYER, type); };
    const auto linear = layers("aten::linear"), relu = layers("aten::relu");
    ASSERT_EQ(linear.size(), calls);
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      const Span& kernel = *kernels[i];
      EXPECT_EQ(kernel.name, i % 2 == 0 ? "void gemm<128>(float const*, float*)" : "relu(float*)");
      EXPECT_NEAR(static_cast<double>(kernel.start_ns), static_cast<double>(starts[i]),
                  static_cast<double>(tolerance_ns));
      EXPECT_EQ(kernel.end_ns - kernel.start_ns, 10'000);
      const wire::TrackInfo& stream = read_->tracks[kernel.track - 1];
      EXPECT_EQ(stream.kind, XSP_TRACK_STREAM);
      EXPECT_EQ(stream.owner, 0u);
      EXPECT_EQ(stream.stream, 7);
      EXPECT_EQ(kernel.details,
                "grid=[8,1,1]\nblock=[128,1,1]\nregisters=40\nstatic_shared_bytes=1024\n"
                "dynamic_shared_bytes=0");
      const auto launch = launches.find(kernel.correlation_id);
      ASSERT_NE(launch, launches.end());
      EXPECT_EQ(launch->second->name, "cudaLaunchKernel");
      const Span& layer = *(i % 2 == 0 ? linear : relu)[i / 2];
      EXPECT_GE(launch->second->start_ns, layer.start_ns);
      EXPECT_LE(launch->second->end_ns, layer.end_ns) << "so that it nests in the layer";
    }
    const auto copies = Spans(XSP_LEVEL_KERNEL, "memcpy");
    ASSERT_EQ(copies.size(), calls);
    EXPECT_EQ(copies[0]->name, "Memcpy HtoD (Pinned -> Device)");
    EXPECT_EQ(copies[0]->bytes, 4096u);
    EXPECT_EQ(copies[0]->details, "direction=host_to_device");
  }

  wire::ScratchFolder folder_;
  const std::string capture_file_ = folder_ / "kept.cuptirec";
  pid_t pid_ = 0;
  std::unique_ptr<CollectedRecords> read_;
};

TEST_F(InjectionTest, RecordsKernelsCallsAndCopiesUpToTheEndOfTheProcess) {
  ASSERT_EQ(Run("exit"), 0);
  Read();
  EXPECT_FALSE(read_->losses.is_unclosed);
  EXPECT_EQ(Fact("cuda.cupti.shared"), "yes");
  ExpectEagerCalls(kCalls, 0);
  ASSERT_EQ(read_->counters.size(), 2u);
  EXPECT_EQ(read_->counters[1].name, "driver_allocated_bytes");
  EXPECT_EQ(read_->counters[1].value, 1 << 20);
  EXPECT_EQ(read_->tracks[read_->counters[1].track - 1].kind, XSP_TRACK_DEVICE);
}

TEST_F(InjectionTest, ReadsTheShorterRecordsOfCuda12) {
  ASSERT_EQ(Run("exit", {.cupti = kFakeCupti12}), 0);
  Read();
  EXPECT_EQ(Fact("cuda.cupti.version"), "26");
  EXPECT_EQ(Fact("cuda.cupti.shared"), "") << "it has no such function";
  ExpectEagerCalls(kCalls, 0);
}

TEST_F(InjectionTest, TiesAClockOfCuptisOwnToTheRecordings) {
  ASSERT_EQ(Run("exit", {.mode = "no_clock"}), 0);
  Read();
  ExpectEagerCalls(kCalls, 1'000'000);
}

TEST_F(InjectionTest, AKilledProcessHasWhatWasFlushed) {
  ASSERT_EQ(Run("kill"), -SIGKILL);
  Read();
  EXPECT_TRUE(read_->losses.is_unclosed);
  ExpectEagerCalls(kCalls, 0);
}

TEST_F(InjectionTest, AForkedChildRecordsNoDeviceWorkAndEndsAsItWould) {
  ASSERT_EQ(Run("fork"), 0);
  Read();
  ExpectEagerCalls(2 * kCalls, 0);
  for (const auto& entry : fs::directory_iterator(folder_.path())) {
    if (entry.path().string().find(".cuptirec") != std::string::npos ||
        entry.path().filename().string().ends_with("." + std::to_string(pid_) + ".xspr"))
      continue;
    const auto child = wire::ReadRecording(entry.path().string());
    ASSERT_TRUE(child->is_readable) << entry.path();
    EXPECT_EQ(child->spans.size(), 1u);
    EXPECT_EQ(child->spans[0].name, "in the child");
  }
}

TEST_F(InjectionTest, RemembersGraphNodesOverClones) {
  ASSERT_EQ(Run("graph"), 0);
  Read();
  std::map<std::uint64_t, std::uint32_t> span_of;
  for (const auto& capture : read_->captures) span_of[capture.graph_node] = capture.span;
  std::map<std::uint32_t, const Span*> spans;
  for (const Span& span : read_->spans) spans[span.id] = &span;
  const auto kernels = Spans(XSP_LEVEL_KERNEL, "kernel");
  ASSERT_EQ(kernels.size(), kCalls * 200);
  for (const Span* kernel : kernels) {
    ASSERT_GT(kernel->graph_node, 1000u);
    ASSERT_TRUE(span_of.contains(kernel->graph_node));
    EXPECT_EQ(spans.at(span_of.at(kernel->graph_node))->type,
              kernel->graph_node % 2 == 1 ? "aten::linear" : "aten::relu");
  }
}

TEST_F(InjectionTest, ReplayedNodesBelongToWhatCapturedThemNotToWhatInstantiatedThem) {
  ASSERT_EQ(Run("instantiate"), 0);
  Read();
  std::map<std::uint32_t, std::string> types;
  for (const Span& span : read_->spans) types[span.id] = span.type;
  std::map<std::uint64_t, std::string> layer_of;
  for (const auto& capture : read_->captures)
    layer_of.insert_or_assign(capture.graph_node, types[capture.span]);
  EXPECT_EQ(layer_of.size(), 400u) << "200 that were captured and their clones";
  for (const auto& [node, layer] : layer_of)
    EXPECT_EQ(layer, node % 2 == 1 ? "aten::linear" : "aten::relu") << node;
}

TEST_F(InjectionTest, QueriesThatFoundWorkUnfinishedAreNoWaits) {
  for (const char* cupti : {kFakeCupti, kFakeCupti12}) {
    ASSERT_EQ(Run("queries", {.cupti = cupti}), 0);
    Read();
    EXPECT_EQ(Spans(XSP_LEVEL_LIBRARY, "synchronisation").size(), 1u) << "of 10: " << cupti;
  }
}

TEST_F(InjectionTest, WhatAContextHoldsIsTakenBeforeItEnds) {
  ASSERT_EQ(Run("context_end"), 0);
  Read();
  ExpectEagerCalls(kCalls, 0);
}

TEST_F(InjectionTest, AnErrorThatEndsCuptiIsSaidAndCuptiIsLeftAlone) {
  ASSERT_EQ(Run("fatal"), 0) << "aborted where CUPTI is called again";
  Read();
  EXPECT_NE(Fact("problem.cuda_cupti_failed").find("CUPTI_ERROR_OUT_OF_MEMORY: it is the tests'"),
            std::string::npos)
      << Fact("problem.cuda_cupti_failed");
  EXPECT_EQ(Spans(XSP_LEVEL_LAYER, "aten::linear").size(), 2 * kCalls) << "the program runs on";
}

TEST_F(InjectionTest, BuffersThatCannotBeReadOrHadAreSaidToBe) {
  ASSERT_EQ(Run("exit", {.mode = "unreadable"}), 0);
  Read();
  EXPECT_NE(Fact("problem.cuda_unread_records").find("after record"), std::string::npos);
  ExpectEagerCalls(kCalls, 0);
  ASSERT_EQ(Run("exit", {.mode = "no_flush"}), 0);
  Read();
  EXPECT_NE(Fact("problem.cuda_flush_failed").find("CUPTI_ERROR_UNKNOWN"), std::string::npos);
}

TEST_F(InjectionTest, LosesNothingOfManyRecordsInABurst) {
  ASSERT_EQ(Run("many"), 0);
  Read();
  EXPECT_EQ(Fact("problem.cuda_dropped_records"), "");
  EXPECT_EQ(Spans(XSP_LEVEL_KERNEL, "kernel").size(), 40'000u);
}

TEST_F(InjectionTest, WhatAFullRecordingDoesNotHoldIsCounted) {
  ASSERT_EQ(Run("burst", {.environment = {{"XSP_RECORD_CAPACITY", "4M"}, {"PROGRAM_RATE", "2e6"}}}),
            0);
  Read();
  EXPECT_EQ(Fact("problem.cuda_dropped_records"), "");
  const std::size_t kept =
      Spans(XSP_LEVEL_KERNEL, "kernel").size() + Spans(XSP_LEVEL_LIBRARY, "cuda_runtime").size();
  EXPECT_GT(kept, 50'000u);
  EXPECT_GE(read_->losses.dropped, 200'000 - kept) << "200,000 records were made";
  EXPECT_LE(read_->losses.dropped, 200'010 - kept) << "and a few facts and counters";
}

TEST_F(InjectionTest, WorkCountsByWhenItRanNotByWhenItIsDecoded) {
  ASSERT_EQ(Run("hold"), 0);
  Read();
  ExpectEagerCalls(kCalls, 0);
}

TEST_F(InjectionTest, WhatTheLastFlushBringsIsRecorded) {
  ASSERT_EQ(Run("exit", {.mode = "late"}), 0);
  Read();
  EXPECT_EQ(Fact("problem.cuda_dropped_records"), "");
  const auto kernels = Spans(XSP_LEVEL_KERNEL, "kernel");
  ASSERT_EQ(kernels.size(), 2 * kCalls + 1);
  EXPECT_EQ(kernels.back()->name, "late_kernel");
}

TEST_F(InjectionTest, KernelsBringTheCallsThatLaunchedThem) {
  ASSERT_EQ(Run("exit", {.levels = "16"}), 0);
  Read();
  EXPECT_EQ(Spans(XSP_LEVEL_KERNEL, "kernel").size(), 2 * kCalls);
  EXPECT_GE(Spans(XSP_LEVEL_LIBRARY, "cuda_runtime").size(), 2 * kCalls);
}

TEST_F(InjectionTest, StepsAsideForAnotherProfilerAndSaysSo) {
  ASSERT_EQ(Run("exit", {.mode = "other_profiler"}), 0) << "the program runs on";
  Read();
  const std::string problem = Fact("problem.cuda_other_profiler");
  EXPECT_TRUE(problem.starts_with("another profiler holds CUPTI")) << problem;
  EXPECT_NE(problem.find(": CUPTI for the tests"), std::string::npos) << "its name: " << problem;
  EXPECT_TRUE(Spans(XSP_LEVEL_KERNEL, "kernel").empty());
}

TEST_F(InjectionTest, RefusesVersionsWhoseRecordsItDoesNotKnow) {
  for (const char* mode : {"old", "future"}) {
    ASSERT_EQ(Run("exit", {.mode = mode}), 0);
    Read();
    EXPECT_NE(Fact("problem.cuda_cupti_unfit").find("version"), std::string::npos) << mode;
    EXPECT_TRUE(Spans(XSP_LEVEL_KERNEL, "kernel").empty());
  }
}

TEST_F(InjectionTest, AMissingCuptiOrDriverIsNamed) {
  ASSERT_EQ(Run("exit", {.cupti = kNoFile}), 0);
  Read();
  EXPECT_NE(Fact("problem.cuda_no_cupti"), "");
  if (dlopen("libcuda.so.1", RTLD_LAZY) != nullptr) GTEST_SKIP() << "this machine has a driver";
  ASSERT_EQ(Run("exit", {.driver = false}), 0);
  Read();
  EXPECT_NE(Fact("problem.cuda_no_driver"), "");
}

TEST_F(InjectionTest, MissingPermissionNamesTheRemedy) {
  ASSERT_EQ(Run("exit", {.mode = "no_permission"}), 0);
  Read();
  const std::string problem = Fact("problem.cuda_activity_refused");
  EXPECT_NE(problem.find("kernels"), std::string::npos);
  EXPECT_NE(problem.find("NVreg_RestrictProfilingToAdminUsers=0"), std::string::npos);
  EXPECT_FALSE(Spans(XSP_LEVEL_LIBRARY, "cuda_runtime").empty()) << "the rest is recorded";
}

TEST_F(InjectionTest, DroppedRecordsAreCounted) {
  ASSERT_EQ(Run("exit", {.mode = "drops"}), 0);
  Read();
  EXPECT_NE(Fact("problem.cuda_dropped_records"), "");
  double most = 0;
  for (const auto& counter : read_->counters)
    if (counter.name == "cuda.dropped_records") most = std::max(most, counter.value);
  EXPECT_GE(most, 2.0 * kCalls);
}

TEST_F(InjectionTest, WithoutItsLevelsCuptiIsLeftAlone) {
  ASSERT_EQ(Run("exit", {.levels = "7"}), 0);
  Read();
  EXPECT_EQ(Fact("cuda.cupti.version"), "");
  EXPECT_TRUE(Spans(XSP_LEVEL_LIBRARY, "cuda_runtime").empty());
}

TEST_F(InjectionTest, WithoutAFolderNothingIsRecorded) {
  ASSERT_EQ(Run("exit", {.folder = false}), 0);
  EXPECT_TRUE(fs::is_empty(folder_.path()));
}

TEST_F(InjectionTest, WhatARangeLaunchedBelongsToItHoweverLateItRuns) {
  ASSERT_EQ(Run("asynchronous", {.environment = {{"XSP_RECORD_RANGE", "r"}}}), 0);
  Read();
  const auto kernels = Spans(XSP_LEVEL_KERNEL, "kernel");
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_EQ(kernels[0]->name, "in_the_range");
}

// A worker has the recorder in its executable: the library writes into that recording, not into one
// of its own.
TEST_F(InjectionTest, AProgramThatHasTheRecorderInItGetsOneRecording) {
  const std::string own = folder_ / "own.xspr";
  ASSERT_EQ(
      Run("exit",
          {.folder = false, .program = kCudaWorker, .environment = {{"PROGRAM_RECORDING", own}}}),
      0);
  read_ = wire::ReadRecording(own);
  ASSERT_TRUE(read_->is_readable);
  EXPECT_EQ(Fact("cuda.cupti.shared"), "yes");
  ExpectEagerCalls(kCalls, 0);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()), 1);
}

TEST_F(InjectionTest, TurnsWithoutCuptiLeaveNothing) {
  ASSERT_EQ(Run("switch"), 0);
  Read();
  EXPECT_EQ(Spans(XSP_LEVEL_LAYER, "aten::linear").size(), 3 * kCalls);
  EXPECT_EQ(Spans(XSP_LEVEL_KERNEL, "kernel").size(), 2 * 2 * kCalls);
}

TEST_F(InjectionTest, ASwitchThatCannotRecordSaysWhy) {
  ASSERT_EQ(Run("switch", {.mode = "no_permission"}), 10);
  Read();
  EXPECT_NE(Fact("switched").find("CUPTI_ERROR_INSUFFICIENT_PRIVILEGES. Only administrators"),
            std::string::npos)
      << Fact("switched");
}

// It used to report that the driver had not been initialised.
TEST_F(InjectionTest, ASwitchSaysWhatWasAskedForInPlaceOfKernels) {
  ASSERT_EQ(Run("switch", {.environment = {{"XSP_RECORD_CUDA_METRICS", "dram"}}}), 10);
  Read();
  EXPECT_NE(Fact("switched").find("unset XSP_RECORD_CUDA_METRICS"), std::string::npos)
      << Fact("switched");
  ASSERT_EQ(Run("switch", {.levels = "4"}), 10);
  Read();
  EXPECT_NE(Fact("switched").find("XSP_RECORD_LEVELS"), std::string::npos) << Fact("switched");
}

TEST_F(InjectionTest, ACapacityThatIsNoSizeIsSaid) {
  ASSERT_EQ(Run("eager", {.environment = {{"XSP_RECORD_CAPACITY", "4GB!"}}}), 0);
  Read();
  EXPECT_NE(Fact("problem.xsp_recording_capacity")
                .find("4 GiB, not what XSP_RECORD_CAPACITY asks "
                      "for, which is no size: 4GB!"),
            std::string::npos)
      << Fact("problem.xsp_recording_capacity");
}

// With the calls that name their subscriber: after these CUPTI refuses the others.
TEST_F(InjectionTest, BeforeCuda13_3TheSeatIsForOneAlone) {
  for (const char* mode : {"cuda_13_2", "driver_13_2"}) {
    ASSERT_EQ(Run("exit", {.mode = mode}), 0);
    Read();
    EXPECT_EQ(Fact("cuda.cupti.shared"), "no: it takes CUPTI and a driver of CUDA 13.3") << mode;
    ExpectEagerCalls(kCalls, 0);
  }
}

TEST_F(InjectionTest, ASharedSeatThatDoesNotWorkIsLeftForOneAlone) {
  ASSERT_EQ(Run("exit", {.mode = "beta_fails"}), 0);
  Read();
  EXPECT_EQ(Fact("cuda.cupti.shared"), "no: CUPTI_ERROR_NOT_SUPPORTED");
  ExpectEagerCalls(kCalls, 0);
}

TEST_F(InjectionTest, ADriverOlderThanCuptiIsSaid) {
  ASSERT_EQ(Run("exit", {.mode = "old_driver"}), 0);
  Read();
  const std::string problem = Fact("problem.cuda_subscribe_failed");
  EXPECT_NE(problem.find("CUPTI_ERROR_NOT_INITIALIZED"), std::string::npos);
  EXPECT_NE(problem.find("use the CUPTI of the driver's CUDA version"), std::string::npos);
}

TEST_F(InjectionTest, NoMemoryForProfilingIsSaid) {
  ASSERT_EQ(Run("exit", {.mode = "no_memory"}), 0);
  Read();
  EXPECT_NE(Fact("problem.cuda_activity_refused").find("There was no memory for profiling"),
            std::string::npos);
}

TEST_F(InjectionTest, KernelsOfALostGpuAreCountedAsUntimed) {
  ASSERT_EQ(Run("exit", {.mode = "gpu_lost"}), 0);
  Read();
  EXPECT_TRUE(Spans(XSP_LEVEL_KERNEL, "kernel").empty());
  EXPECT_NE(Fact("problem.cuda_untimed").find(": " + std::to_string(2 * kCalls)),
            std::string::npos);
  EXPECT_FALSE(Spans(XSP_LEVEL_LIBRARY, "cuda_runtime").empty());
}

TEST_F(InjectionTest, ASecondProcessKeepsBesideTheFirst) {
  ASSERT_EQ(Run("exit"), 0);
  const auto first = fs::file_size(capture_file_);
  ASSERT_EQ(Run("exit", {.levels = "16"}), 0);
  EXPECT_EQ(fs::file_size(capture_file_), first);
  EXPECT_GT(fs::file_size(capture_file_ + "." + std::to_string(pid_)), 0u);
}

// What the library kept decodes to the same spans, without CUPTI.
TEST_F(InjectionTest, KeptRecordsReplayToTheSameSpans) {
  ASSERT_EQ(Run("exit"), 0);
  Read();
  const std::string path = folder_ / "replayed.xspr";
  ASSERT_EQ(xsp_open(path.c_str(), nullptr), 0);
  DecoderCounts counts;
  EXPECT_EQ(ReplayCaptureFile(capture_file_, &counts), "");
  xsp_close();
  const auto replayed = wire::ReadRecording(path);
  const auto rows = [](const CollectedRecords& read) {
    std::vector<std::string> found;
    for (const Span& span : read.spans) {
      if (span.track == 0) continue;
      const wire::TrackInfo& track = read.tracks[span.track - 1];
      found.push_back(std::to_string(track.owner) + "/" + std::to_string(track.stream) + " " +
                      span.type + " " + span.name + " " + std::to_string(span.start_ns) + " " +
                      std::to_string(span.end_ns) + " " + std::to_string(span.correlation_id) +
                      " " + span.details);
    }
    std::sort(found.begin(), found.end());
    return found;
  };
  EXPECT_GT(counts.records, 4 * kCalls);
  EXPECT_EQ(counts.unknown + counts.cut, 0u);
  EXPECT_EQ(rows(*replayed), rows(*read_));
}

// Kept recordings in the repository: fake_cupti.cuptirec is of the made libcupti (`program ...
// sample`, layout of CUDA 13.2), h200_program.cuptirec of an H200 (tools/gpu_check, step
// record-kept: CUPTI of CUDA 13.0, driver 580.159.04, 2026-11-26).
TEST_F(InjectionTest, RecordingsInTheRepositoryReplay) {
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(kCudaSamples)) {
    if (entry.path().extension() != ".cuptirec") continue;
    SCOPED_TRACE(entry.path());
    ++files;
    EXPECT_LT(fs::file_size(entry.path()), 2'000'000u);
    const std::string path = folder_ / (entry.path().stem().string() + ".xspr");
    ASSERT_EQ(xsp_open(path.c_str(), nullptr), 0);
    DecoderCounts counts;
    EXPECT_EQ(ReplayCaptureFile(entry.path().string(), &counts), "");
    xsp_close();
    read_ = wire::ReadRecording(path);
    EXPECT_EQ(counts.cut, 0u);
    EXPECT_EQ(counts.unknown, 0u);
    const auto kernels = Spans(XSP_LEVEL_KERNEL, "kernel");
    EXPECT_FALSE(kernels.empty());
    std::set<std::uint64_t> calls;
    for (const Span* call : Spans(XSP_LEVEL_LIBRARY, "cuda_runtime"))
      calls.insert(call->correlation_id);
    for (const Span* kernel : kernels) {
      EXPECT_GT(kernel->end_ns, kernel->start_ns);
      EXPECT_TRUE(calls.contains(kernel->correlation_id)) << kernel->name;
    }
    if (entry.path().filename() == "h200_program.cuptirec") {
      EXPECT_EQ(kernels.size(), 1000u + 100 * 50);
      EXPECT_EQ(Spans(XSP_LEVEL_KERNEL, "memset").size(), 1u);
      EXPECT_EQ(std::count_if(kernels.begin(), kernels.end(),
                              [](const Span* kernel) { return kernel->graph_node != 0; }),
                5000);
      for (const Span* kernel : kernels) EXPECT_EQ(kernel->name, "Scale(float*, int)");
    }
    if (entry.path().filename() != "fake_cupti.cuptirec") continue;
    EXPECT_EQ(kernels.size(), 5u * 2 + 2 * 200);
    EXPECT_EQ(Spans(XSP_LEVEL_KERNEL, "memcpy").size(), 5u);
    EXPECT_EQ(kernels[0]->name, "void gemm<128>(float const*, float*)");
    EXPECT_EQ(kernels[1]->name, "relu(float*)");
    EXPECT_EQ(kernels[0]->end_ns - kernels[0]->start_ns, 10'000);
    EXPECT_EQ(std::count_if(kernels.begin(), kernels.end(),
                            [](const Span* kernel) { return kernel->graph_node > 1000; }),
              400);
  }
  EXPECT_GE(files, 2u);
}

// Cut and changed files cost what is behind the damage; nothing is read beyond the data.
TEST_F(InjectionTest, DamagedKeptRecordsAreSaidToBe) {
  ASSERT_EQ(Run("exit"), 0);
  std::ifstream file(capture_file_, std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  ASSERT_GT(whole.size(), 10'000u);
  const std::string path = folder_ / "damaged.cuptirec";
  ASSERT_EQ(xsp_open((folder_ / "damaged.xspr").c_str(), nullptr), 0);
  const auto replay = [&](const std::string& data) {
    std::ofstream(path, std::ios::binary) << data;
    return ReplayCaptureFile(path, nullptr);
  };
  EXPECT_EQ(replay(whole), "");
  for (std::size_t cut = 0; cut < whole.size(); cut += 101) {
    // A cut between two blocks leaves a shorter file that is whole.
    const std::string said = replay(whole.substr(0, cut));
    EXPECT_TRUE(said.empty() || said.find("kept CUPTI data") != std::string::npos) << said;
  }
  EXPECT_NE(replay(whole.substr(0, whole.size() - 9)), "");
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    std::string data = whole;
    for (int i = 0; i < 20; ++i) data[random() % data.size()] = static_cast<char>(random());
    replay(data);
  }
  xsp_close();
}

}  // namespace
}  // namespace xsp::record::cuda
