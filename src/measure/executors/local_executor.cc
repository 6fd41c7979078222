#include "measure/executors/local_executor.h"

#include <fmt/format.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "capture/attach/injection.h"
#include "capture/events/pmu_events.h"
#include "capture/monitor/sampler.h"
#include "measure/executors/captured_stack.h"
#include "measure/roof_loops/gpu_roofs.h"
#include "measure/roof_loops/measured_roofs.h"

namespace xsp::executors {

using nlohmann::json;

namespace {

/// What the rung `counters` counts on this machine, as a job has it.
Result<json> CountersJson() {
  XSP_TRY(const events::PmuEvents chosen, events::EventsHere());
  json list = json::array();
  for (const counters::Event& event : chosen.events) {
    list.push_back({{"name", event.name},
                    {"unit", event.unit},
                    {"type", event.type},
                    {"config", event.config},
                    {"factor", event.factor},
                    {"group", event.group}});
  }
  return list;
}

/// Kernels of a CUDA device are recorded by a library that the driver loads into the worker; a
/// variable that the user has set stays as it is.
std::vector<std::pair<std::string, std::string>> EnvironmentOf(const protocols::PlannedRun& run) {
  const std::string device = run.session.job.value("device", "");
  if (run.rung != "kernel" || !device.starts_with("cuda")) return {};
  const auto injection = attach::CudaInjection(attach::LibraryFolder());
  if (!injection || std::getenv(injection->first.c_str()) != nullptr) return {};
  return {*injection};
}

}  // namespace

LocalExecutor::LocalExecutor(double monitor_rate_hz)
    : monitor_rate_hz_(monitor_rate_hz),
      allowance_(protocols::ReadCpuAllowance()),
      stack_(CaptureStackJson()) {}

Status LocalExecutor::Resolve(protocols::PlannedRun& run) const {
  if (run.rung == "counters") {
    XSP_TRY(run.session.job["counters"], CountersJson());
  }
  run.session.environment = EnvironmentOf(run);
  return Ok{};
}

MeasuredGroup LocalExecutor::Measure(protocols::Protocol& protocol,
                                     const std::vector<protocols::PlannedRun>& group,
                                     std::int64_t first_run_id, os::Interrupts& interrupts,
                                     protocols::ProgressEstimator& estimator) {
  std::unique_ptr<monitor::Monitor> beside;
  if (monitor_rate_hz_ > 0) {
    auto started = monitor::Monitor::Start(monitor::AllSamplers(), {.rate_hz = monitor_rate_hz_});
    if (started.ok()) {
      beside = std::move(started).value();
    } else {
      // What cannot be sampled here costs its series only.
      estimator.Note(fmt::format("no system monitor: {}", started.error().what));
    }
  }
  MeasuredGroup measured;
  measured.runs = protocol.Measure(group, first_run_id, interrupts, estimator);
  if (beside != nullptr) measured.series = beside->Stop();
  return measured;
}

Result<roofs::RoofReport> LocalExecutor::Roofs(int cores, core::Progress& progress) const {
  roof_loops::MeasureOptions options;
  options.cores = cores;
  options.progress = [&progress](std::string_view step, double fraction) {
    progress.Step(fmt::format("measuring this machine's roofs (once): {}", step), fraction, -1);
  };
  return roof_loops::MeasuredRoofs(options);
}

Result<roofs::RoofReport> LocalExecutor::GpuRoofs(const std::string& name,
                                                  core::Progress& progress) const {
  roof_loops::GpuMeasureOptions options;
  options.progress = [&progress](std::string_view step, double fraction) {
    progress.Step(fmt::format("measuring the GPU's roofs (once): {}", step), fraction, -1);
  };
  return roof_loops::MeasuredRoofsOfGpu(name, options);
}

}  // namespace xsp::executors
