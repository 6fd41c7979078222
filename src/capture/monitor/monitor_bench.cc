// What a sample of this machine costs in CPU time, sampler by sampler and all together, and the
// share of a core that the monitor's thread takes, waking included, against one that reads nothing.
//
// Usage: monitor_bench [HZ [SECONDS]]

#include <fmt/format.h>
#include <time.h>

#include <chrono>
#include <cstdlib>
#include <thread>
#include <vector>

#include "capture/monitor/monitor.h"
#include "capture/monitor/sampler.h"

namespace xsp::monitor {
namespace {

double ThreadCpuSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// CPU seconds of one Sample().
double SampleSeconds(monitor::Sampler& sampler) {
  constexpr int kTimes = 1000;
  std::vector<double> values(sampler.channels().size());
  sampler.Sample(0, values);
  const double before_s = ThreadCpuSeconds();
  for (int i = 0; i < kTimes; ++i) sampler.Sample(i, values);
  return (ThreadCpuSeconds() - before_s) / kTimes;
}

double CostShare(std::span<const SamplerSpec* const> specs, double rate_hz, double seconds) {
  auto started = monitor::Monitor::Start(specs, {.rate_hz = rate_hz});
  if (!started.ok()) {
    fmt::print(stderr, "{}\n", started.error().what);
    std::exit(1);
  }
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  return started.value()->Stop().CostShare();
}

void Bench(double rate_hz, double seconds) {
  const auto specs = monitor::AllSamplers();
  double all_s = 0;
  fmt::print("{:<12}{:>10}{:>16}\n", "sampler", "channels", "us a sample");
  for (const SamplerSpec* spec : specs) {
    const auto sampler = spec->open(collect::MachineFiles());
    const double sample_s = SampleSeconds(*sampler);
    all_s += sample_s;
    fmt::print("{:<12}{:>10}{:>16.2f}\n", spec->name, sampler->channels().size(), sample_s * 1e6);
  }
  fmt::print("{:<12}{:>10}{:>16.2f}\n", "all", "", all_s * 1e6);
  const double cost = CostShare(specs, rate_hz, seconds);
  const double idle = CostShare({}, rate_hz, seconds);
  fmt::print(
      "thread at {:g} Hz: {:.3f} % of a core; one that reads nothing: {:.3f} %; ratio {:.1f}\n",
      rate_hz, 100 * cost, 100 * idle, cost / idle);
}

}  // namespace
}  // namespace xsp::monitor

int main(int argc, char** argv) {
  xsp::monitor::Bench(argc > 1 ? std::atof(argv[1]) : 10, argc > 2 ? std::atof(argv[2]) : 10);
  return 0;
}
