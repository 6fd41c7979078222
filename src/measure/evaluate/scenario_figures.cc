#include "measure/evaluate/scenario_figures.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/statistics.h"
#include "derive/match/calls.h"
#include "derive/match/metrics.h"
#include "derive/match/rows.h"
#include "measure/evaluate/early_stopping.h"
#include "store/schema.h"

namespace xsp::evaluate {

using match::CountCell;
using match::NumberCell;
using match::TextCell;

namespace {

std::string Milliseconds(double ns) { return fmt::format("{:.4g} ms", ns / 1e6); }

std::int64_t CountAbove(const std::vector<double>& latencies_ns, std::int64_t bound_ns) {
  return std::count_if(latencies_ns.begin(), latencies_ns.end(),
                       [&](double ns) { return ns > static_cast<double>(bound_ns); });
}

/// Percentiles 50, 90, 95 and 99; NULL of nothing.
void AddPercentiles(const std::vector<double>& samples, std::vector<store::Cell>& row) {
  for (const double percent : {50.0, 90.0, 95.0, 99.0})
    row.push_back(NumberCell(core::Percentile(samples, percent)));
}

/// Items a second over the whole wall time. Of a server's queries the first only starts the clock,
/// as LoadGen counts them.
double Throughput(const ScenarioTry& tried, std::int64_t batch) {
  const auto queries = static_cast<double>(tried.service_ns.size() - (tried.offered_rate ? 1 : 0));
  return queries * static_cast<double>(batch) * 1e9 / tried.DurationNs();
}

/// Why a closed loop has no estimate.
std::string WhatIsMissing(const ScenarioTry& tried, const ScenarioRequest& request) {
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

Verdict Judge(const ScenarioTry& tried, const ScenarioRequest& request) {
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

store::Table EmptyScenarioTable() {
  store::Table table;
  for (const store::ColumnSchema& column : store::FindTable("scenario")->columns)
    table.columns.push_back(column.name);
  return table;
}

void AddTry(const TryPlace& place, const ScenarioTry& tried, const ScenarioRequest& request,
            store::Table& table) {
  const bool offline = request.kind == "offline";
  const bool bound = request.latency_bound_ns > 0;
  const std::vector<double> latencies_ns = offline ? std::vector<double>() : tried.LatenciesNs();
  std::vector<store::Cell> row = {CountCell(place.point_id),
                                  CountCell(place.run_id),
                                  request.kind,
                                  CountCell(place.try_index),
                                  NumberCell(tried.offered_rate),
                                  CountCell(static_cast<std::int64_t>(tried.service_ns.size())),
                                  CountCell(tried.first_iteration)};
  AddPercentiles(latencies_ns, row);
  AddPercentiles(tried.queue_ns, row);
  AddPercentiles(tried.service_ns, row);
  row.push_back(NumberCell(Throughput(tried, place.batch)));
  row.push_back(NumberCell(tried.gap_ns));
  row.push_back(tried.offered_rate ? NumberCell(tried.Utilisation()) : store::Cell());
  row.push_back(bound ? CountCell(request.latency_bound_ns) : store::Cell());
  row.push_back(bound ? CountCell(CountAbove(latencies_ns, request.latency_bound_ns))
                      : store::Cell());
  row.push_back(offline ? store::Cell() : NumberCell(request.percentile));
  row.push_back(NumberCell(core::Percentile(latencies_ns, request.percentile)));
  row.push_back(NumberCell(EarlyStoppingEstimate(latencies_ns, request.percentile)));
  if (tried.offered_rate) {
    const Verdict verdict = Judge(tried, request);
    row.insert(row.end(), {verdict.passed, place.chosen, TextCell(verdict.reason)});
  } else {
    const bool estimates = !offline && request.kind != "server";
    row.insert(row.end(), {store::Cell(), place.chosen,
                           TextCell(estimates ? WhatIsMissing(tried, request) : std::string())});
  }
  table.rows.push_back(std::move(row));
}

}  // namespace xsp::evaluate
