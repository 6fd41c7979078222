#include "measure/protocols/scenario_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/statistics.h"
#include "derive/match/calls.h"
#include "derive/match/metrics.h"
#include "measure/protocols/early_stopping.h"
#include "store/nullable.h"

namespace xsp::protocols {

using store::NumberOrNull;
using store::TextOrNull;

namespace {

std::string Milliseconds(double ns) { return fmt::format("{:.4g} ms", ns / 1e6); }

std::int64_t CountAbove(const std::vector<double>& latencies_ns, std::int64_t bound_ns) {
  return std::count_if(latencies_ns.begin(), latencies_ns.end(),
                       [&](double ns) { return ns > static_cast<double>(bound_ns); });
}

/// NULL of nothing.
std::optional<double> Percentile(const std::vector<double>& samples, double percent) {
  return NumberOrNull(core::Percentile(samples, percent));
}

/// Items a second over the whole wall time. Of a server's queries the first only starts the clock,
/// as LoadGen counts them.
double Throughput(const ScenarioTry& tried, std::int64_t batch) {
  const auto queries = static_cast<double>(tried.service_ns.size() - (tried.offered_rate ? 1 : 0));
  return queries * static_cast<double>(batch) * 1e9 / tried.DurationNs();
}

/// Why a closed loop has no estimate.
std::string WhatIsMissing(const ScenarioTry& tried, const requests::ScenarioRequest& request) {
  const auto queries = static_cast<std::int64_t>(tried.service_ns.size());
  const std::int64_t fewest = FewestQueries(1, request.percentile);
  if (queries >= fewest) return {};
  return fmt::format("too few queries for an estimate of the {:g}th percentile: {} of at least {}",
                     request.percentile, queries, fewest);
}

}  // namespace

std::vector<double> ScenarioTry::LatenciesNs() const {
  std::vector<double> latencies = service_ns;
  for (std::size_t i = 0; i < queue_ns.size(); ++i) latencies[i] += queue_ns[i];
  return latencies;
}

double ScenarioTry::Utilisation() const {
  return offered_rate ? *offered_rate * (core::Mean(service_ns) + gap_ns.value_or(0)) / 1e9 : 0;
}

Result<ScenarioTry> TakeTry(const trace::Trace& trace, std::int64_t first_iteration,
                            std::int64_t queries, std::optional<double> offered_rate,
                            const std::vector<std::int64_t>& resumed) {
  const match::SpanValues values(trace);
  const match::RunCalls found = match::FindCalls(values);
  ScenarioTry tried;
  std::vector<double> gaps_ns;
  tried.offered_rate = offered_rate;
  tried.first_iteration = first_iteration;
  for (const match::Call& call : found.calls) {
    if (call.iteration < first_iteration || call.iteration >= first_iteration + queries) continue;
    if (offered_rate && !call.queue_ns)
      return Error{ErrorKind::kInternal, "the recording of a served call has no queue time", ""};
    const double queue_ns = call.queue_ns.value_or(0);
    if (tried.service_ns.empty()) tried.start_ns = static_cast<double>(call.start_ns) - queue_ns;
    // It came before the call before it had ended.
    const double since_ns = static_cast<double>(call.start_ns) - tried.end_ns;
    const bool waited = !offered_rate || queue_ns > since_ns;
    const bool is_first = tried.service_ns.empty();
    if (!is_first && std::binary_search(resumed.begin(), resumed.end(), call.iteration)) {
      tried.paused_ns += since_ns;
    } else if (!is_first && waited) {
      gaps_ns.push_back(since_ns);
    }
    tried.end_ns = static_cast<double>(call.start_ns + call.latency_ns);
    tried.service_ns.push_back(static_cast<double>(call.latency_ns));
    if (offered_rate) tried.queue_ns.push_back(queue_ns);
  }
  if (static_cast<std::int64_t>(tried.service_ns.size()) != queries) {
    return Error{ErrorKind::kInternal,
                 fmt::format("the recording does not contain every query: {} of {}",
                             tried.service_ns.size(), queries),
                 ""};
  }
  if (!gaps_ns.empty()) tried.gap_ns = core::Median(gaps_ns);
  return tried;
}

Verdict Judge(const ScenarioTry& tried, const requests::ScenarioRequest& request) {
  const std::vector<double> latencies_ns = tried.LatenciesNs();
  const auto queries = static_cast<std::int64_t>(latencies_ns.size());
  const std::int64_t above = CountAbove(latencies_ns, request.latency_bound_ns);
  const std::int64_t allowed = AllowedAbove(queries, request.percentile);
  if (above > allowed) {
    const std::int64_t calls = CountAbove(tried.service_ns, request.latency_bound_ns);
    const bool alone = calls > allowed;
    return {false,
            fmt::format("{} of {} {} took longer than {}; {} may", alone ? calls : above, queries,
                        alone ? "calls alone" : "queries",
                        Milliseconds(static_cast<double>(request.latency_bound_ns)),
                        std::max<std::int64_t>(0, allowed)),
            alone};
  }
  if (tried.Utilisation() >= 1)
    return {false, "above capacity: the queue grew until the requests ended", false};
  return {true, "", false};
}

void AddTry(const TryPlace& place, const ScenarioTry& tried,
            const requests::ScenarioRequest& request, std::vector<store::ScenarioRow>& table) {
  const bool offline = request.kind == "offline";
  const bool bound = request.latency_bound_ns > 0;
  const std::vector<double> latencies_ns = offline ? std::vector<double>() : tried.LatenciesNs();
  store::ScenarioRow row{
      .point_id = place.point_id,
      .run_id = place.run_id,
      .scenario = request.kind,
      .try_index = place.try_index,
      .offered_rate = NumberOrNull(tried.offered_rate),
      .queries = static_cast<std::int64_t>(tried.service_ns.size()),
      .first_iteration = tried.first_iteration,
      .latency_p50_ns = Percentile(latencies_ns, 50),
      .latency_p90_ns = Percentile(latencies_ns, 90),
      .latency_p95_ns = Percentile(latencies_ns, 95),
      .latency_p99_ns = Percentile(latencies_ns, 99),
      .queue_p50_ns = Percentile(tried.queue_ns, 50),
      .queue_p90_ns = Percentile(tried.queue_ns, 90),
      .queue_p95_ns = Percentile(tried.queue_ns, 95),
      .queue_p99_ns = Percentile(tried.queue_ns, 99),
      .service_p50_ns = Percentile(tried.service_ns, 50),
      .service_p90_ns = Percentile(tried.service_ns, 90),
      .service_p95_ns = Percentile(tried.service_ns, 95),
      .service_p99_ns = Percentile(tried.service_ns, 99),
      .throughput_per_s = NumberOrNull(Throughput(tried, place.batch)),
      .gap_ns = NumberOrNull(tried.gap_ns),
      .percentile_ns = Percentile(latencies_ns, request.percentile),
      .estimate_ns = NumberOrNull(EarlyStoppingEstimate(latencies_ns, request.percentile)),
      .chosen = place.chosen};
  if (bound) {
    row.bound_ns = request.latency_bound_ns;
    row.above_bound = CountAbove(latencies_ns, request.latency_bound_ns);
  }
  if (!offline) row.percentile = NumberOrNull(request.percentile);
  if (tried.offered_rate) {
    const Verdict verdict = Judge(tried, request);
    row.utilisation = NumberOrNull(tried.Utilisation());
    row.passed = verdict.passed;
    row.message = TextOrNull(verdict.reason);
  } else if (!offline && request.kind != "server") {
    row.message = TextOrNull(WhatIsMissing(tried, request));
  }
  table.push_back(std::move(row));
}

}  // namespace xsp::protocols
