// What the system monitor costs a model call beside which it runs: one worker (rung `model`) makes
// blocks of calls that are monitored alternately. Prints the median call of both, and the trimmed
// mean of the ratios of neighbouring blocks' medians with its 95 % interval.
//
// Usage: run_monitor_bench MODEL [HZ [BLOCKS [CALLS_A_BLOCK]]]

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <span>
#include <utility>
#include <vector>

#include "capture/monitor/monitor.h"
#include "capture/monitor/sampler.h"
#include "core/statistics.h"
#include "ingest/trace_files/trace_loader.h"
#include "measure/protocols/plan.h"
#include "measure/workers/worker_session.h"
#include "os/interrupt.h"
#include "os/scratch_folder.h"
#include "trace/trace.h"

namespace xsp::sessions {
namespace {

struct BenchPlan {
  double rate_hz = 10;
  int blocks = 40;
  int calls = 10;
};

/// Latency of each call after warm-up, ms, in order of time.
std::vector<double> LatenciesMs(const trace::Trace& trace) {
  std::vector<std::pair<double, double>> calls;
  for (std::size_t i = 0; i < trace.metrics.size(); ++i) {
    if (trace.Text(trace.metrics.name[i]) != trace::metric::kIteration) continue;
    if (trace.metrics.value[i] < 0) continue;
    const auto span = static_cast<std::size_t>(trace.metrics.span[i]) - 1;
    calls.emplace_back(trace.metrics.value[i],
                       static_cast<double>(trace.spans.duration_ns[span]) * 1e-6);
  }
  std::sort(calls.begin(), calls.end());
  std::vector<double> latencies;
  for (const auto& [iteration, latency_ms] : calls) latencies.push_back(latency_ms);
  return latencies;
}

/// Neighbouring blocks make a pair, one with and one without: what slows the machine for longer
/// than a pair falls out of their ratio.
void Print(const std::vector<double>& latencies, const std::vector<bool>& monitored, int calls,
           double cost_share) {
  const auto size = static_cast<std::size_t>(calls);
  std::vector<double> with, without, ratios;
  for (std::size_t block = 0; block + 1 < monitored.size(); block += 2) {
    double medians[2] = {};
    for (std::size_t i = block; i < block + 2; ++i) {
      const std::span<const double> own = std::span(latencies).subspan(i * size, size);
      auto& all = monitored[i] ? with : without;
      all.insert(all.end(), own.begin(), own.end());
      medians[monitored[i] ? 1 : 0] = core::Median(own);
    }
    ratios.push_back(medians[1] / medians[0]);
  }
  const core::Interval interval = core::TrimmedMeanInterval(ratios);
  fmt::print("calls  without {}: median {:.3f} ms; with {}: median {:.3f} ms\n", without.size(),
             core::Median(without), with.size(), core::Median(with));
  fmt::print(
      "cost   {:+.3f} % of a call (95 %: {:+.3f} to {:+.3f} %, {} pairs of blocks); {:.3f} % of a "
      "core\n",
      100 * (core::TrimmedMean(ratios) - 1), 100 * (interval.low - 1), 100 * (interval.high - 1),
      ratios.size(), 100 * cost_share);
}

Status Bench(const std::string& model, const BenchPlan& plan) {
  requests::ExperimentRequest request;
  request.model = model;
  request.depth = "model";
  request.only = true;
  request.iterations = plan.blocks * plan.calls;
  os::Interrupts interrupts;
  core::NoProgress nobody;
  XSP_TRY(const std::vector<workers::Backend> backends,
          workers::ChooseBackends(request, nobody, interrupts.wake_fd()));
  XSP_TRY(os::ScratchFolder scratch, os::ScratchFolder::Create());
  XSP_TRY(const protocols::Plan planned, protocols::MakePlan(request, backends, 0, scratch.path()));
  const protocols::PlannedRun& run = planned.groups.front().front();
  const workers::WorkerSession::Seconds patience(600);
  XSP_TRY(workers::WorkerSession worker, workers::WorkerSession::Start(run.session, interrupts));
  XSP_TRY(const workers::WorkerSession::Ready ready, worker.AwaitReady(patience));
  fmt::print("{}: {} warm-up calls, {}\n", model, ready.warmup_calls,
             ready.settled ? "settled" : "not settled");
  std::vector<bool> monitored;
  double cost = 0;
  for (int block = 0; block < plan.blocks; ++block) {
    // Pairs in alternating order: neither always follows the other.
    const bool on = (block % 2 == 0) == (block / 2 % 2 == 0);
    std::unique_ptr<monitor::Monitor> beside;
    if (on) {
      XSP_TRY(beside, monitor::Monitor::Start(monitor::AllSamplers(), {.rate_hz = plan.rate_hz}));
    }
    XSP_RETURN_IF_ERROR(worker.Run(plan.calls, "", patience));
    monitored.push_back(on);
    if (on) cost += beside->Stop().CostShare() / ((plan.blocks + 1) / 2);
  }
  XSP_RETURN_IF_ERROR(worker.Stop(patience));
  XSP_TRY(const trace_files::RecognisedFile file, trace_files::Recognise(run.session.recording));
  XSP_TRY(const trace::Trace trace, trace_files::LoadTrace({file}));
  Print(LatenciesMs(trace), monitored, plan.calls, cost);
  return Ok{};
}

}  // namespace
}  // namespace xsp::sessions

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: run_monitor_bench MODEL [HZ [BLOCKS [CALLS_A_BLOCK]]]\n");
    return 2;
  }
  xsp::sessions::BenchPlan plan;
  if (argc > 2) plan.rate_hz = std::atof(argv[2]);
  if (argc > 3) plan.blocks = std::atoi(argv[3]);
  if (argc > 4) plan.calls = std::atoi(argv[4]);
  const auto status = xsp::sessions::Bench(argv[1], plan);
  if (!status.ok()) fmt::print(stderr, "{}\n", status.error().what);
  return status.ok() ? 0 : 1;
}
