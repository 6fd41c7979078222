#include "derive/match/run_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "core/estimate.h"
#include "store/nullable.h"

namespace xsp::match {
namespace {

using store::NumberOrNull;
using store::PositiveOrNull;
using store::TextOrNull;

constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

const RunView* FindView(const Runs& views, std::int64_t run_id) {
  for (const auto& view : views) {
    if (view->input.run_id == run_id) return view.get();
  }
  return nullptr;
}

/// What a user should know about the run's numbers.
std::string MessageOf(const RunInput& input, const RunView* view) {
  std::string message = input.message;
  const auto say = [&](const std::string& sentence) {
    message += (message.empty() ? "" : " ") + sentence;
  };
  if (view == nullptr) return message;
  // The times of these are discarded anyway.
  const bool timed = input.rung != "details" && input.rung != "counters";
  if (view->uses_disturbed && timed) {
    say(
        fmt::format("Too few samples were undisturbed, so the values are means over all {} of them;"
                    " measure again on a quieter machine.",
                    std::count(view->counted.begin(), view->counted.end(), true)));
  }
  if (view->calls.other_kinds > 0) {
    say(fmt::format("Tables are of calls \"{}\"; {} calls of other kinds are in the timeline only.",
                    view->calls.kind, view->calls.other_kinds));
  }
  if (input.rung == "counters") {
    const auto refused = view->trace.facts.find("counters.refused");
    if (refused != view->trace.facts.end()) say(fmt::format("Not counted: {}", refused->second));
    const auto layers = view->trace.facts.find("counters.of_layers");
    if (layers != view->trace.facts.end() && layers->second == "false")
      say("This backend shows layers only after the call, so whole calls were counted.");
  }
  if (view->calls.layers_outside + view->calls.kernels_outside > 0) {
    say(
        fmt::format("Outside of any model call or step, and not in the tables: {} layers, {} "
                    "kernels.",
                    view->calls.layers_outside, view->calls.kernels_outside));
  }
  return message;
}

/// Warm-up calls: those recorded, else what the worker said.
std::int64_t WarmupCalls(const RunView& view) {
  std::int64_t calls = view.calls.warmup;
  const auto fact = view.trace.facts.find("warmup.calls");
  if (calls == 0 && fact != view.trace.facts.end()) {
    const std::string& text = fact->second;
    std::from_chars(text.data(), text.data() + text.size(), calls);
  }
  return calls;
}

void AddSample(const RunView& view, const std::string& rung, const TimedCall& call,
               std::vector<store::SampleRow>& sample) {
  const int process_pair = view.input.process_pair;
  sample.push_back({.run_id = view.input.run_id,
                    .iteration = call.iteration,
                    .latency_ns = call.latency_ns,
                    .disturbed = !call.disturbed_by.empty(),
                    .reason = TextOrNull(call.disturbed_by),
                    .waited_ns = NumberOrNull(call.waited_ns),
                    .system_ns = NumberOrNull(call.system_ns),
                    .page_faults = NumberOrNull(call.page_faults),
                    .queue_ns = NumberOrNull(call.queue_ns),
                    .rung = rung,
                    .process = view.input.run_id,
                    .block = call.block,
                    .pair = process_pair > 0 ? process_pair : call.pair});
}

/// The run's own calls, then the baseline's.
void AddSamples(const RunView& view, std::vector<store::SampleRow>& sample) {
  for (const Call& call : view.calls.calls) AddSample(view, view.input.rung, call, sample);
  for (const TimedCall& call : view.calls.baseline)
    AddSample(view, view.calls.baseline_rung, call, sample);
}

/// Latencies of the calls that count.
std::vector<double> UsedLatencies(const RunView& run) {
  std::vector<double> used;
  for (std::size_t i = 0; i < run.calls.calls.size(); ++i) {
    if (run.used[i]) used.push_back(static_cast<double>(run.calls.calls[i].latency_ns));
  }
  return used;
}

/// Latencies of calls by the command that asked for them, in the order of time; one block where
/// that is not known.
template <typename Calls, typename Use>
std::vector<std::vector<double>> Blocks(const Calls& calls, Use use) {
  std::map<std::int64_t, std::vector<double>> blocks;
  for (std::size_t i = 0; i < calls.size(); ++i)
    if (use(i))
      blocks[calls[i].block.value_or(0)].push_back(static_cast<double>(calls[i].latency_ns));
  std::vector<std::vector<double>> result;
  for (auto& [number, block] : blocks) result.push_back(std::move(block));
  return result;
}

/// Times and settings of a run's start.
struct Start {
  double load_ns = kNotMeasured;
  double first_call_ns = kNotMeasured;
};

Start FindStart(const RunView& run) {
  Start start;
  const trace::SpanTable& spans = run.trace.spans;
  std::int64_t first_ns = std::numeric_limits<std::int64_t>::max();
  bool was_tried =
      false;  // By a call before the first that was timed (workers/harness/session.cc).
  for (trace::SpanId span = 1; span <= spans.size(); ++span) {
    const std::size_t i = span - 1;
    const bool is_range =
        spans.level[i] == trace::Level::kApplication && run.TypeOf(span) == trace::type::kRange;
    const bool is_load = is_range && run.NameOf(span) == "load";
    was_tried |= is_range && run.NameOf(span) == "try inputs";
    const bool is_call = spans.level[i] == trace::Level::kModel;
    if ((!is_load && !is_call) || spans.duration_ns[i] == trace::kNeverEnded) continue;
    const auto duration_ns = static_cast<double>(spans.duration_ns[i]);
    if (is_load) {
      // It may be loaded anew later.
      if (std::isnan(start.load_ns)) start.load_ns = duration_ns;
    } else if (spans.start_ns[i] < first_ns) {
      first_ns = spans.start_ns[i];
      start.first_call_ns = duration_ns;
    }
  }
  // Only a worker's recording holds the first call of its process.
  if (std::isnan(start.load_ns) || was_tried) start.first_call_ns = kNotMeasured;
  return start;
}

/// A fact that the worker stated of what really ran; NULL: none.
std::optional<std::string> Fact(const RunView& run, std::string_view key) {
  const auto fact = run.trace.facts.find(key);
  return fact == run.trace.facts.end() ? std::nullopt : TextOrNull(fact->second);
}

std::optional<std::int64_t> Threads(const RunView& run) {
  const auto fact = run.trace.facts.find("job.threads");
  std::int64_t threads = 0;
  if (fact != run.trace.facts.end()) {
    const std::string& text = fact->second;
    std::from_chars(text.data(), text.data() + text.size(), threads);
  }
  return PositiveOrNull(threads);
}

/// The overhead of a run over the rung above it.
struct Overhead {
  double ns = kNotMeasured, ratio = kNotMeasured;
  core::Interval ratio_interval = {kNotMeasured, kNotMeasured};
  double baseline_ns = kNotMeasured;
  std::string basis;      ///< What was compared; empty: nothing.
  std::size_t units = 0;  ///< How many of these.
};

Overhead OverheadOf(const core::Estimate& ratio, double baseline_ns, std::string basis) {
  return {(ratio.centre - 1) * baseline_ns,
          ratio.centre - 1,
          {ratio.interval.low - 1, ratio.interval.high - 1},
          baseline_ns,
          std::move(basis),
          ratio.units};
}

/// Both calls of each pair, in the order of the pairs.
std::pair<std::vector<double>, std::vector<double>> PairsOf(const RunView& run) {
  std::map<std::int64_t, double> own;
  for (const Call& call : run.calls.calls)
    if (call.pair) own[*call.pair] = static_cast<double>(call.latency_ns);
  std::pair<std::vector<double>, std::vector<double>> pairs;
  for (const TimedCall& call : run.calls.baseline) {
    const auto it = call.pair ? own.find(*call.pair) : own.end();
    if (it == own.end()) continue;
    pairs.first.push_back(it->second);
    pairs.second.push_back(static_cast<double>(call.latency_ns));
  }
  return pairs;
}

/// Trimmed means of the blocks of both arms, which were made alternately.
std::pair<std::vector<double>, std::vector<double>> BlockMeansOf(const RunView& run) {
  const auto all = [](std::size_t) { return true; };
  const auto own = Blocks(run.calls.calls, all), baseline = Blocks(run.calls.baseline, all);
  std::pair<std::vector<double>, std::vector<double>> means;
  for (std::size_t i = 0; i < std::min(own.size(), baseline.size()); ++i) {
    means.first.push_back(core::TrimmedMean(own[i]));
    means.second.push_back(core::TrimmedMean(baseline[i]));
  }
  return means;
}

std::vector<double> LatenciesOf(const std::vector<TimedCall>& calls) {
  std::vector<double> latencies;
  for (const TimedCall& call : calls) latencies.push_back(static_cast<double>(call.latency_ns));
  return latencies;
}

/// Trimmed means of pairs of processes: one of the rung, one of the rung above it.
Overhead OfProcessPairs(const Runs& pairs, const std::string& rung) {
  std::map<int, double> own, baseline;
  for (const auto& run : pairs) {
    if (run->input.process_pair_of != rung) continue;
    (run->input.rung == rung ? own : baseline)[run->input.process_pair] =
        Summarise(*run).latency_ns;
  }
  std::vector<double> a, b;
  for (const auto& [pair, latency_ns] : own) {
    const auto it = baseline.find(pair);
    if (it == baseline.end() || std::isnan(latency_ns) || std::isnan(it->second)) continue;
    a.push_back(latency_ns);
    b.push_back(it->second);
  }
  // Two processes may differ by 10 % and more by chance (ADR 9): few pairs tell nothing.
  constexpr std::size_t kFewestPairs = 5;
  if (a.size() < kFewestPairs) return {};
  return OverheadOf(core::PairedRatio(a, b), core::Mean(b), "pairs of processes");
}

/// Compared is what was randomised: pairs of calls, blocks or processes (design, section 4).
/// Nothing, where profiling could not be switched: then it cannot be separated from what two
/// processes differ in anyway.
Overhead FindOverhead(const Runs& pairs, const RunView& run) {
  const auto& cost = run.input.whole_cost;
  if (cost && run.calls.baseline.empty()) {
    return OverheadOf({cost->ratio, {cost->ratio_low, cost->ratio_high}, 0}, cost->bare_ns,
                      "whole program");
  }
  if (run.input.process_pair > 0) return {};
  if (run.calls.baseline.empty()) return OfProcessPairs(pairs, run.input.rung);
  const double baseline_ns = core::TrimmedMean(LatenciesOf(run.calls.baseline));
  if (const auto [own, baseline] = PairsOf(run); !own.empty())
    return OverheadOf(core::PairedRatio(own, baseline), baseline_ns, "pairs of calls");
  const auto [own, baseline] = BlockMeansOf(run);
  const bool in_turns = run.calls.baseline.front().block.has_value();
  return OverheadOf(core::PairedRatio(own, baseline), baseline_ns,
                    in_turns ? "pairs of blocks" : "first and later calls");
}

/// Of calls of the rung above that a run made, which profile less than its own.
PointLatency LatencyOfBaseline(const std::vector<TimedCall>& calls) {
  std::vector<TimedCall> undisturbed;
  for (const TimedCall& call : calls)
    if (call.disturbed_by.empty()) undisturbed.push_back(call);
  const auto& used = TooFewUndisturbed(undisturbed.size(), calls.size()) ? calls : undisturbed;
  const double latency_ns = core::TrimmedMean(LatenciesOf(used));
  return {latency_ns,
          core::BlockedInterval(latency_ns, Blocks(used, [](std::size_t) { return true; }))};
}

/// What is known of a run whose tables could be read.
void SetMeasured(const RunView& view, const Overhead& overhead, store::RunRow& row) {
  const RunStatistics statistics = Summarise(view);
  row.samples = statistics.samples;
  row.disturbed = statistics.disturbed;
  row.warmup = WarmupCalls(view);
  row.latency_ns = NumberOrNull(statistics.latency_ns);
  row.latency_low_ns = NumberOrNull(statistics.interval.low);
  row.latency_high_ns = NumberOrNull(statistics.interval.high);
  row.p50_ns = NumberOrNull(statistics.p50_ns);
  row.p95_ns = NumberOrNull(statistics.p95_ns);
  row.p99_ns = NumberOrNull(statistics.p99_ns);
  row.min_ns = NumberOrNull(statistics.min_ns);
  row.variation = NumberOrNull(statistics.variation);
  row.overhead_ns = NumberOrNull(overhead.ns);
  row.overhead_ratio = NumberOrNull(overhead.ratio);
  row.overhead_ratio_low = NumberOrNull(overhead.ratio_interval.low);
  row.overhead_ratio_high = NumberOrNull(overhead.ratio_interval.high);
  row.overhead_basis = TextOrNull(overhead.basis);
  row.overhead_units = PositiveOrNull(static_cast<std::int64_t>(overhead.units));
  row.baseline_ns = NumberOrNull(overhead.baseline_ns);
  const Start start = FindStart(view);
  row.load_ns = NumberOrNull(start.load_ns);
  row.first_call_ns = NumberOrNull(start.first_call_ns);
  row.threads = Threads(view);
  row.graph = Fact(view, "job.graph");
  row.precision = Fact(view, "job.precision");
}

}  // namespace

RunStatistics Summarise(const RunView& run) {
  RunStatistics result{};
  const std::vector<double> used = UsedLatencies(run);
  std::vector<double> all;
  for (std::size_t i = 0; i < run.calls.calls.size(); ++i) {
    if (!run.counted[i]) continue;
    all.push_back(static_cast<double>(run.calls.calls[i].latency_ns));
    if (!run.calls.calls[i].disturbed_by.empty()) ++result.disturbed;
  }
  result.samples = static_cast<std::int64_t>(all.size());
  result.latency_ns = core::TrimmedMean(used);
  const auto is_used = [&](std::size_t i) { return bool{run.used[i]}; };
  result.interval = core::BlockedInterval(result.latency_ns, Blocks(run.calls.calls, is_used));
  result.p50_ns = core::Percentile(all, 50);
  result.p95_ns = core::Percentile(all, 95);
  result.p99_ns = core::Percentile(all, 99);
  result.min_ns = core::Percentile(all, 0);
  result.variation = all.size() < 2 ? kNotMeasured : core::CoefficientOfVariation(all);
  return result;
}

void AddRunRows(const std::vector<const RunInput*>& inputs, const Runs& views, const Runs& pairs,
                ExperimentTables& tables) {
  for (const RunInput* input : inputs) {
    const RunView* view = FindView(input->process_pair > 0 ? pairs : views, input->run_id);
    store::RunRow row{.run_id = input->run_id,
                      .point_id = input->point_id,
                      .rung = input->rung,
                      .status = input->status,
                      .path = input->path,
                      .peak_resident_bytes = PositiveOrNull(input->peak_resident_bytes),
                      .message = TextOrNull(MessageOf(*input, view)),
                      .process = input->process,
                      .process_pair = PositiveOrNull(input->process_pair)};
    if (view != nullptr) {
      AddSamples(*view, tables.sample);
      SetMeasured(*view, FindOverhead(pairs, *view), row);
    }
    tables.run.push_back(std::move(row));
  }
}

const RunView* LeastProfiled(const Runs& views) {
  const RunView* least = nullptr;
  for (const auto& view : views) {
    if (view->calls.calls.empty()) continue;
    if (least == nullptr || ProfilingDepth(view->input.rung) < ProfilingDepth(least->input.rung)) {
      least = view.get();
    }
  }
  return least;
}

PointLatency LatencyOfPoint(const Runs& views) {
  const RunView* least = LeastProfiled(views);
  if (least == nullptr) return {kNotMeasured, {kNotMeasured, kNotMeasured}};
  std::vector<double> processes;
  for (const auto& view : views)
    if (view->input.rung == least->input.rung && !view->calls.calls.empty())
      processes.push_back(view->calls.baseline.empty()
                              ? Summarise(*view).latency_ns
                              : LatencyOfBaseline(view->calls.baseline).latency_ns);
  if (processes.size() > 1) {
    const core::Estimate mean = core::StudentMean(processes);
    return {mean.centre, mean.interval};
  }
  if (!least->calls.baseline.empty()) return LatencyOfBaseline(least->calls.baseline);
  const RunStatistics statistics = Summarise(*least);
  return {statistics.latency_ns, statistics.interval};
}

}  // namespace xsp::match
