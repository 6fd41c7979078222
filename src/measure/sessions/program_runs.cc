#include "measure/sessions/program_runs.h"

#include <chrono>
#include <csignal>
#include <memory>
#include <utility>

#include "capture/attach/level_switch.h"
#include "capture/events/cuda_metric_sets.h"
#include "capture/monitor/sampler.h"
#include "os/foreground_program.h"
#include "os/paths.h"

namespace xsp::sessions {

namespace fs = std::filesystem;

namespace {

constexpr const char* kSwitchFile = "switch";

double SecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

bool AsksToStop(int signal) { return signal == SIGINT || signal == SIGTERM; }

std::optional<std::string> Read(const char* name) { return os::Environment(name); }

}  // namespace

Result<Execution> ProgramRuns::Bare() const {
  os::ForegroundProgram program;
  const auto start = std::chrono::steady_clock::now();
  XSP_RETURN_IF_ERROR(program.Start(
      request_.program, {.environment = {}, .before_exec = {}, .output = request_.program_output}));
  const auto forwarder = Forwarding(program);
  Execution made;
  made.exit = program.Wait([&](int signal) {
    made.told_to_stop |= AsksToStop(signal);
    return TakesRequest(signal);
  });
  made.seconds = SecondsSince(start);
  return made;
}

Status ProgramRuns::CanMeasure() const {
  XSP_RETURN_IF_ERROR(events::CheckCudaMetrics(request_.cuda_metrics));
  auto wanted = Wanted({});
  wanted.cuda_metrics = request_.cuda_metrics;
  const auto injection = attach::PlanInjection(wanted, Read);
  return injection.ok() ? Status(Ok{}) : Status(injection.error());
}

Result<Execution> ProgramRuns::Measured(const fs::path& folder) const {
  auto wanted = Wanted(folder);
  wanted.cuda_metrics = request_.cuda_metrics;
  wanted.python_rate_hz = 0;
  wanted.switch_page.clear();
  XSP_TRY(const attach::Injection injection, attach::PlanInjection(wanted, Read));
  os::ForegroundProgram program;
  const auto start = std::chrono::steady_clock::now();
  XSP_RETURN_IF_ERROR(program.Start(request_.program, {.environment = injection.environment,
                                                       .before_exec = {},
                                                       .output = request_.program_output}));
  const auto forwarder = Forwarding(program);
  Execution made;
  made.exit = program.Wait([&](int signal) { return TakesRequest(signal); });
  made.seconds = SecondsSince(start);
  return made;
}

Result<Execution> ProgramRuns::Recorded(const fs::path& folder,
                                        std::vector<std::string>* left_out) const {
  // Signals are the program's from here on; threads that are made below must not take them.
  os::ForegroundProgram program;
  std::unique_ptr<attach::LevelSwitch> control;
  if (IsSwitched()) {
    const bool on = request_.delay_s == 0 && !request_.starts_off;
    XSP_TRY(control, attach::LevelSwitch::Create(folder / kSwitchFile, on));
  }
  XSP_TRY(const attach::Injection injection, attach::PlanInjection(Wanted(folder), Read));
  *left_out = injection.left_out;
  std::unique_ptr<monitor::Monitor> beside;
  if (request_.monitor_rate_hz > 0) {
    XSP_TRY(beside,
            monitor::Monitor::Start(monitor::AllSamplers(), {.rate_hz = request_.monitor_rate_hz}));
  }
  const auto start = std::chrono::steady_clock::now();
  std::unique_ptr<sampling::StackSampler> sampler;
  const auto sample = [&](int pid) -> Status {
    if (request_.stack_rate_hz <= 0) return Ok{};
    XSP_TRY(sampler, sampling::StackSampler::Start(pid, {.rate_hz = request_.stack_rate_hz}));
    return Ok{};
  };
  XSP_RETURN_IF_ERROR(program.Start(request_.program, {.environment = injection.environment,
                                                       .before_exec = sample,
                                                       .output = request_.program_output}));
  const auto forwarder = Forwarding(program);
  if (request_.delay_s > 0 || request_.duration_s > 0)
    control->Schedule(request_.delay_s, request_.duration_s);
  Execution made;
  made.exit = program.Wait([&](int signal) {
    if (signal != request_.toggle_signal) {
      made.told_to_stop |= AsksToStop(signal);
      return TakesRequest(signal);
    }
    control->Toggle();
    return true;
  });
  made.seconds = SecondsSince(start);
  if (beside != nullptr) made.series = beside->Stop();
  if (sampler != nullptr) made.stacks = sampler->Stop();
  return made;
}

std::unique_ptr<os::InterruptForwarder> ProgramRuns::Forwarding(
    const os::ForegroundProgram& program) const {
  if (request_.program_output.empty() || request_.interrupts == nullptr) return nullptr;
  return std::make_unique<os::InterruptForwarder>(*request_.interrupts, program.pid());
}

bool ProgramRuns::TakesRequest(int signal) const {
  if (request_.program_output.empty() || request_.interrupts == nullptr || !AsksToStop(signal))
    return false;
  request_.interrupts->Request(signal);
  return true;
}

bool ProgramRuns::IsSwitched() const {
  return request_.delay_s > 0 || request_.duration_s > 0 || request_.toggle_signal != 0;
}

attach::InjectionRequest ProgramRuns::Wanted(const fs::path& folder) const {
  return {.libraries = attach::LibraryFolder(),
          .recordings = folder,
          .switch_page = IsSwitched() ? folder / kSwitchFile : fs::path(),
          .depth = request_.depth,
          .range = request_.range,
          .python_rate_hz = request_.python_rate_hz};
}

}  // namespace xsp::sessions
