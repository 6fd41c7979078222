#include "match/run_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "match/rows.h"

namespace xsp::match {
namespace {

constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

const RunView* FindView(const Runs& views, std::int64_t run_id) {
  for (const auto& view : views) {
    if (view->input.run_id == run_id) return view.get();
  }
  return nullptr;
}

/// Of a whole program, or by another tool: not one of the rungs that measure a model step by step.
bool IsOnNoLadder(std::string_view rung) { return rung == "imported" || rung == "recorded"; }

/// The deepest run with samples that profiles less than `run`.
const RunView* RungAbove(const Runs& views, const RunView& run) {
  const RunView* above = nullptr;
  if (IsOnNoLadder(run.input.rung)) return nullptr;
  for (const auto& view : views) {
    const bool candidate = !IsOnNoLadder(view->input.rung) && view->input.rung != "details" &&
                           view->input.rung != "counters" && !view->calls.calls.empty();
    // Details are layers with more: the rung above them is `layer`.
    const std::string_view own_rung = run.input.rung;
    const std::string_view rung = own_rung == "details" ? "library" : own_rung;
    if (!candidate || ProfilingDepth(view->input.rung) >= ProfilingDepth(rung)) continue;
    if (above == nullptr || ProfilingDepth(view->input.rung) > ProfilingDepth(above->input.rung)) {
      above = view.get();
    }
  }
  return above;
}

/// What a user should know about the run's numbers.
std::string MessageOf(const RunInput& input, const RunView* view) {
  std::string message = input.message;
  const auto say = [&](const std::string& sentence) {
    message += (message.empty() ? "" : " ") + sentence;
  };
  if (view == nullptr) return message;
  // The times of these are thrown away anyway.
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
store::Cell WarmupCell(const RunView& view) {
  std::int64_t calls = view.calls.warmup;
  const auto fact = view.trace.facts.find("warmup.calls");
  if (calls == 0 && fact != view.trace.facts.end()) {
    const std::string& text = fact->second;
    std::from_chars(text.data(), text.data() + text.size(), calls);
  }
  return CountCell(calls);
}

void AddSamples(const RunView& view, store::Table& sample) {
  for (const Call& call : view.calls.calls) {
    sample.rows.push_back(
        {CountCell(view.input.run_id), CountCell(call.iteration), CountCell(call.latency_ns),
         !call.disturbed_by.empty(), TextCell(call.disturbed_by), NumberCell(call.waited_ns),
         NumberCell(call.system_ns), NumberCell(call.page_faults), NumberCell(call.queue_ns)});
  }
}

/// Latencies of the calls that count.
std::vector<double> UsedLatencies(const RunView& run) {
  std::vector<double> used;
  for (std::size_t i = 0; i < run.calls.calls.size(); ++i) {
    if (run.used[i]) used.push_back(static_cast<double>(run.calls.calls[i].latency_ns));
  }
  return used;
}

/// The same of its baseline: what counts is chosen by the same rule.
std::vector<double> UsedBaseline(const RunView& run) {
  std::vector<double> used;
  for (const BaselineCall& call : run.calls.baseline) {
    if (run.uses_disturbed || !call.disturbed) used.push_back(static_cast<double>(call.latency_ns));
  }
  if (!used.empty()) return used;
  for (const BaselineCall& call : run.calls.baseline) {
    used.push_back(static_cast<double>(call.latency_ns));
  }
  return used;
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
  for (trace::SpanId span = 1; span <= spans.size(); ++span) {
    const std::size_t i = span - 1;
    const bool is_load = spans.level[i] == trace::Level::kApplication &&
                         run.TypeOf(span) == trace::type::kRange && run.NameOf(span) == "load";
    const bool is_call = spans.level[i] == trace::Level::kModel;
    if ((!is_load && !is_call) || spans.duration_ns[i] == trace::kNeverEnded) continue;
    const auto duration_ns = static_cast<double>(spans.duration_ns[i]);
    if (is_load) {
      start.load_ns = duration_ns;
    } else if (spans.start_ns[i] < first_ns) {
      first_ns = spans.start_ns[i];
      start.first_call_ns = duration_ns;
    }
  }
  // Only a worker's recording holds the first call of its process.
  if (std::isnan(start.load_ns)) start.first_call_ns = kNotMeasured;
  return start;
}

/// A fact that the worker stated of what really ran; NULL: none.
store::Cell FactCell(const RunView& run, std::string_view key) {
  const auto fact = run.trace.facts.find(key);
  return fact == run.trace.facts.end() ? store::Cell() : TextCell(fact->second);
}

store::Cell ThreadsCell(const RunView& run) {
  const auto fact = run.trace.facts.find("job.threads");
  std::int64_t threads = 0;
  if (fact != run.trace.facts.end()) {
    const std::string& text = fact->second;
    std::from_chars(text.data(), text.data() + text.size(), threads);
  }
  return threads > 0 ? CountCell(threads) : store::Cell();
}

void AddBaseline(const RunView& run, std::vector<BaselineSamples>& baselines) {
  if (run.calls.baseline.empty()) return;
  baselines.push_back({run.input.run_id, run.calls.baseline_rung, UsedBaseline(run)});
}

/// What a run costs over the rung above it.
struct Overhead {
  double ns = kNotMeasured, ratio = kNotMeasured;
  base::Interval ratio_interval = {kNotMeasured, kNotMeasured};
  double baseline_ns = kNotMeasured;
};

/// Against the calls of the rung above that the same process made. Without such, against another
/// run: two processes that do the same differed by 10 % and more (ADR 9), so no interval is
/// claimed.
Overhead FindOverhead(const Runs& views, const RunView& run, double latency_ns) {
  Overhead result;
  if (const auto& cost = run.input.whole_cost) {
    return {(cost->ratio - 1) * cost->bare_ns,
            cost->ratio - 1,
            {cost->ratio_low - 1, cost->ratio_high - 1},
            cost->bare_ns};
  }
  const std::vector<double> baseline = UsedBaseline(run);
  double above_ns = kNotMeasured;
  if (!baseline.empty()) {
    above_ns = result.baseline_ns = base::TrimmedMean(baseline);
    const base::Interval ratio = base::TrimmedMeanRatioInterval(UsedLatencies(run), baseline);
    result.ratio_interval = {ratio.low - 1, ratio.high - 1};
  } else if (const RunView* above = run.calls.calls.empty() ? nullptr : RungAbove(views, run)) {
    above_ns = Summarise(*above).latency_ns;
  }
  result.ns = latency_ns - above_ns;
  result.ratio = result.ns / above_ns;
  return result;
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
  result.latency_ns = base::TrimmedMean(used);
  // One call has no spread to tell of.
  result.interval = used.size() < 2 ? base::Interval{kNotMeasured, kNotMeasured}
                                    : base::TrimmedMeanInterval(used);
  result.p50_ns = base::Percentile(all, 50);
  result.p95_ns = base::Percentile(all, 95);
  result.p99_ns = base::Percentile(all, 99);
  result.min_ns = base::Percentile(all, 0);
  result.variation = all.size() < 2 ? kNotMeasured : base::CoefficientOfVariation(all);
  return result;
}

void AddRunRows(const std::vector<const RunInput*>& inputs, const Runs& views,
                ExperimentTables& tables) {
  for (const RunInput* input : inputs) {
    const RunView* view = FindView(views, input->run_id);
    std::vector<store::Cell> row = {CountCell(input->run_id), CountCell(input->point_id),
                                    input->rung, input->status, input->path};
    if (view == nullptr) {
      row.resize(26);
    } else {
      AddSamples(*view, tables.sample);
      const RunStatistics statistics = Summarise(*view);
      const Overhead overhead = FindOverhead(views, *view, statistics.latency_ns);
      row.insert(
          row.end(),
          {CountCell(statistics.samples), CountCell(statistics.disturbed), WarmupCell(*view),
           NumberCell(statistics.latency_ns), NumberCell(statistics.interval.low),
           NumberCell(statistics.interval.high), NumberCell(statistics.p50_ns),
           NumberCell(statistics.p95_ns), NumberCell(statistics.p99_ns),
           NumberCell(statistics.min_ns), NumberCell(statistics.variation), NumberCell(overhead.ns),
           NumberCell(overhead.ratio), NumberCell(overhead.ratio_interval.low),
           NumberCell(overhead.ratio_interval.high), NumberCell(overhead.baseline_ns)});
      const Start start = FindStart(*view);
      row.insert(row.end(),
                 {NumberCell(start.load_ns), NumberCell(start.first_call_ns), ThreadsCell(*view),
                  FactCell(*view, "job.graph"), FactCell(*view, "job.precision")});
      AddBaseline(*view, tables.baselines);
    }
    row.push_back(input->peak_resident_bytes > 0 ? CountCell(input->peak_resident_bytes)
                                                 : store::Cell());
    row.push_back(TextCell(MessageOf(*input, view)));
    tables.run.rows.push_back(std::move(row));
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

}  // namespace xsp::match
