// What a program's push and pop of a range costs with the injected library, beside two calls of
// xsp.h and beside NVTX without any tool, alternating in one run: ns and ratios.
// Usage: nvtx_bench   (libxsp-nvtx.so is the one of the build)

#include <nvtx3/nvToolsExt.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "capture/wire/xsp.h"

// cmake/Paths.cmake.
extern const char kInjectedLibrary[];

namespace {

constexpr int kBatch = 512;
constexpr int kBatches = 200;
constexpr int kRounds = 7;

template <typename Pair>
double MedianNs(Pair pair) {
  std::vector<double> samples_ns;
  for (int batch = 0; batch < kBatches; ++batch) {
    const std::uint64_t before_ns = xsp_now_ns();
    for (int i = 0; i < kBatch; ++i) pair();
    samples_ns.push_back(static_cast<double>(xsp_now_ns() - before_ns) / kBatch);
  }
  std::nth_element(samples_ns.begin(), samples_ns.begin() + kBatches / 2, samples_ns.end());
  return samples_ns[kBatches / 2];
}

double BareNs() {
  return MedianNs([] {
    nvtxRangePushA("literal");
    nvtxRangePop();
  });
}

double InjectedNs() {
  setenv("NVTX_INJECTION64_PATH", kInjectedLibrary, 1);
  return BareNs();
}

double MessageNs(const char* domain_name) {
  setenv("NVTX_INJECTION64_PATH", kInjectedLibrary, 1);
  const nvtxDomainHandle_t domain = nvtxDomainCreateA(domain_name);
  nvtxEventAttributes_t event = {};
  event.version = NVTX_VERSION;
  event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  event.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
  event.message.registered = nvtxDomainRegisterStringA(domain, "registered");
  return MedianNs([&] {
    nvtxDomainRangePushEx(domain, &event);
    nvtxDomainRangePop(domain);
  });
}

double DomainNs() { return MessageNs("my.domain"); }

double SpanNs() {
  const std::string path = std::string(getenv("XSP_RECORD_FOLDER")) + "/span.xspr";
  if (xsp_open(path.c_str(), nullptr) != 0) return -1;
  const xsp_string type = xsp_intern("range", 5), name = xsp_intern("literal", 7);
  return MedianNs([&] { xsp_end(xsp_begin(XSP_LEVEL_APPLICATION, type, name)); });
}

/// In a child: NVTX looks for a tool once in a process.
double Measure(double (*measure)()) {
  int ends[2];
  if (pipe(ends) != 0) exit(5);
  const pid_t child = fork();
  if (child == 0) {
    const double ns = measure();
    _exit(write(ends[1], &ns, sizeof ns) == sizeof ns ? 0 : 1);
  }
  close(ends[1]);
  double ns = -1;
  if (read(ends[0], &ns, sizeof ns) != sizeof ns) ns = -1;
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return ns;
}

}  // namespace

int main() {
  std::string folder = (std::filesystem::temp_directory_path() / "xsp-nvtx-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return 5;
  setenv("XSP_RECORD_FOLDER", folder.c_str(), 1);
  const struct {
    const char* name;
    double (*measure)();
  } cases[] = {{"push and pop, no tool", BareNs},
               {"two calls of xsp.h", SpanNs},
               {"push and pop, literal", InjectedNs},
               {"push and pop, registered, in a domain", DomainNs}};
  std::vector<std::vector<double>> rounds(std::size(cases));
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t i = 0; i < std::size(cases); ++i) {
      rounds[i].push_back(Measure(cases[i].measure));
      std::error_code ignored;
      for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        std::filesystem::remove(entry.path(), ignored);
      }
    }
  }
  for (auto& samples_ns : rounds) std::sort(samples_ns.begin(), samples_ns.end());
  const double span_ns = rounds[1][kRounds / 2];
  for (std::size_t i = 0; i < std::size(cases); ++i) {
    std::printf("%-40s %7.2f ns (%.2f to %.2f)  %.2f x a span\n", cases[i].name,
                rounds[i][kRounds / 2], rounds[i].front(), rounds[i].back(),
                rounds[i][kRounds / 2] / span_ns);
  }
  std::filesystem::remove_all(folder);
}
