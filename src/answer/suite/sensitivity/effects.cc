#include "answer/suite/sensitivity/effects.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

#include "answer/suite/data_frame.h"
#include "core/counted.h"
#include "core/estimate.h"
#include "derive/compare/outputs.h"
#include "store/database.h"

namespace xsp::suite::sensitivity {
namespace {

using store::Cell;

constexpr std::size_t kFewest = 5;

double NumberOf(const Cell& cell) {
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*whole);
  if (const auto* number = std::get_if<double>(&cell)) return *number;
  return kMissing;
}

std::string TextOf(const Cell& cell) {
  const auto* text = std::get_if<std::string>(&cell);
  return text == nullptr ? std::string() : *text;
}

Status ReadLatencies(const store::Database& database, Measured& measured) {
  XSP_TRY(const store::Table samples,
          database.Query("SELECT s.latency_ns, s.disturbed FROM sample s JOIN run r USING (run_id) "
                         "WHERE r.rung = 'model' AND r.point_id = 1 AND coalesce(s.rung, r.rung) = "
                         "r.rung ORDER BY s.iteration"));
  std::vector<double> all, undisturbed;
  for (const auto& row : samples.rows) {
    all.push_back(NumberOf(row[0]));
    if (row[1] == Cell(false)) undisturbed.push_back(all.back());
  }
  if (all.empty())
    return Error{ErrorKind::kBadInput, "no model call was measured", "xsp show shows what failed"};
  const bool disturbed = undisturbed.size() < kFewest;
  measured.disturbed |= disturbed;
  measured.rounds_ns.push_back(disturbed ? std::move(all) : std::move(undisturbed));
  return Ok{};
}

/// Of a model call: the geometric mean of the rounds' trimmed means, of which ratios are those of
/// SpeedupOf().
double LatencyOf(const Measured& measured) {
  double sum = 0;
  std::size_t rounds = 0;
  for (const auto& round : measured.rounds_ns)
    if (!round.empty()) sum += std::log(core::TrimmedMean(round)), ++rounds;
  return std::exp(sum / static_cast<double>(rounds));
}

/// What became of the runs of the first point.
struct Rungs {
  std::set<std::string, std::less<>> done;
  std::vector<std::string> failures;
};

Result<Rungs> ReadRungs(const store::Database& database) {
  XSP_TRY(const store::Table runs,
          database.Query("SELECT rung, status, message FROM run WHERE point_id = 1 ORDER BY "
                         "run_id"));
  Rungs rungs;
  for (const auto& row : runs.rows) {
    const std::string rung = TextOf(row[0]);
    if (TextOf(row[1]) == "done") {
      rungs.done.insert(rung);
    } else {
      const std::string message = TextOf(row[2]);
      rungs.failures.push_back(fmt::format("{}: {}", rung, message.substr(0, message.find('\n'))));
    }
  }
  return rungs;
}

/// Layers or kernels: the table that has them, the column of their time, and the rungs that show
/// them, the one that is for them first.
struct Level {
  const char* name;
  const char* time;
  std::vector<std::string_view> rungs;
};

/// Nothing: no run that shows them is done. A deeper run than the one that is for them may show
/// none of those that there are, so there its silence tells nothing.
Result<std::optional<Part>> ReadParts(const store::Database& database, const Level& level,
                                      const Rungs& rungs, Measured& measured) {
  XSP_TRY(const store::Table types,
          database.Query(fmt::format("SELECT type, count(*), coalesce(sum({}), 0) FROM {} WHERE "
                                     "point_id = 1 GROUP BY type",
                                     level.time, level.name)));
  const bool is_known =
      rungs.done.contains(level.rungs.front()) ||
      (!types.rows.empty() && std::ranges::any_of(level.rungs, [&rungs](std::string_view rung) {
        return rungs.done.contains(rung);
      }));
  if (!is_known) return std::optional<Part>();
  Part total;
  for (const auto& row : types.rows) {
    const Part part{static_cast<std::int64_t>(NumberOf(row[1])), NumberOf(row[2])};
    measured.types[{level.name, TextOf(row[0])}] = part;
    total.count += part.count;
    total.time_ns += part.time_ns;
  }
  return std::optional<Part>(total);
}

/// A type that is not the same as in the default.
struct Change {
  std::string level, type;
  Part now, before;
  double difference_ns() const { return now.time_ns - before.time_ns; }
};

/// Of what is known of both.
std::vector<Change> ChangesOf(const Measured& now, const Measured& before) {
  std::set<std::pair<std::string, std::string>> keys;
  for (const auto& [key, part] : now.types) keys.insert(key);
  for (const auto& [key, part] : before.types) keys.insert(key);
  const bool layers = now.layers && before.layers;
  const bool kernels = now.kernels && before.kernels;
  std::vector<Change> changes;
  for (const auto& key : keys) {
    if (!(key.first == "layer" ? layers : kernels)) continue;
    const auto find = [&key](const Measured& in) {
      const auto it = in.types.find(key);
      return it == in.types.end() ? Part() : it->second;
    };
    changes.push_back({key.first, key.second, find(now), find(before)});
  }
  std::ranges::stable_sort(changes, [](const Change& a, const Change& b) {
    return std::abs(a.difference_ns()) > std::abs(b.difference_ns());
  });
  return changes;
}

Cell CountCell(const std::optional<Part>& part) {
  Cell cell;
  if (part) cell = part->count;
  return cell;
}

Cell TimeCell(const std::optional<Part>& part) {
  return NumberCell(part ? part->time_ns : kMissing);
}

/// " (1.2 to 1.4)"; what one round says of two processes is named.
std::string IntervalText(const Speedup& speedup) {
  return std::isnan(speedup.low) ? " (one round: the difference between two processes is unknown)"
                                 : fmt::format(" ({:.3g} to {:.3g})", speedup.low, speedup.high);
}

/// ": 3 layers instead of 5, 8 kernels instead of 9", of what is known of both.
std::string PartsText(const Measured& now, const Measured& before) {
  std::vector<std::string> parts;
  const auto add = [&parts](const std::optional<Part>& here, const std::optional<Part>& there,
                            const char* what) {
    if (here && there)
      parts.push_back(
          fmt::format("{} instead of {}", core::Counted(here->count, what), there->count));
  };
  add(now.layers, before.layers, "layer");
  add(now.kernels, before.kernels, "kernel");
  return parts.empty() ? "" : fmt::format(": {}", fmt::join(parts, ", "));
}

class Summary {
 public:
  Summary(const std::vector<Effect>& effects, const std::vector<Impossible>& impossible,
          std::size_t most_changes)
      : effects_(effects), impossible_(impossible), most_changes_(most_changes) {}

  Answer Make() const {
    Answer answer{"sensitivity", "Effects of precision, compiler and threads", {}, {}, {}, {}};
    answer.tables = {VariantTable(), ChangeTable(), ImpossibleTable()};
    Say(answer);
    AddCharts(answer);
    return answer;
  }

 private:
  /// What an effect is compared with; null: its backend's default was not measured.
  const Effect* BaseOf(const Effect& effect) const {
    if (effect.variant.axis == "default") return &effects_.front();
    for (const Effect& other : effects_)
      if (other.variant.backend == effect.variant.backend && other.variant.axis == "default")
        return &other;
    return nullptr;
  }

  static Speedup Over(const Effect& base, const Effect& effect) {
    return SpeedupOf(base.measured, effect.measured);
  }

  Table VariantTable() const {
    Table table{
        "variants",
        "Every variant",
        {{"variant", "", "Backend and the one setting that differs from its default", ""},
         {"axis", "", "Which kind of setting", ""},
         {"latency_ns", "ns",
          "Model call without profiling, trimmed mean of a round, geometric mean of rounds",
          "measured:xsp"},
         {"against", "", "The variant with which it is compared", ""},
         {"speedup", "1", "Latency of that over this one's, geometric mean of rounds",
          "measured:xsp"},
         {"speedup_low", "1", "95 % interval", "measured:xsp"},
         {"speedup_high", "1", "95 % interval", "measured:xsp"},
         {"rounds", "1", "In which both were measured, each time in a process of its own",
          "measured:xsp"},
         {"label_agreement", "1",
          "Share of rows with the same largest entry as the first variant, worst output",
          "measured:xsp"},
         {"max_absolute_error", "1",
          "Largest difference from the first variant's outputs, in their unit; NULL: some are not "
          "finite in one only",
          "measured:xsp"},
         {"cosine_similarity", "1",
          "Of the outputs with the first variant's, worst output; NULL: likewise", "measured:xsp"},
         {"layers", "1", "Layers of a model call; NULL: no run that shows them is done",
          "measured:xsp"},
         {"layer_ns", "ns", "Their time", "measured:xsp"},
         {"kernels", "1", "Kernels of a model call; NULL: likewise", "measured:xsp"},
         {"kernel_ns", "ns", "Their time", "measured:xsp"},
         {"precision", "", "Type of most of the arithmetic", ""},
         {"graph", "", "As reported by the framework", ""},
         {"threads", "1", "As reported by the framework", ""},
         {"outputs", "", "Why outputs could not all be compared", ""},
         {"experiment", "", "In the store", ""}},
        {}};
    for (const auto& column : table.columns) table.rows.columns.push_back(column.name);
    for (const Effect& effect : effects_) table.rows.rows.push_back(RowOf(effect));
    return table;
  }

  std::vector<Cell> RowOf(const Effect& effect) const {
    const Effect* base = BaseOf(effect);
    const Measured& measured = effect.measured;
    Speedup speedup{kMissing, kMissing, kMissing, 0};
    if (base != nullptr) speedup = Over(*base, effect);
    if (base == &effect) speedup = {1, 1, 1, speedup.rounds};  // Against itself it is exact.
    const auto text = [](const std::string& value) {
      Cell cell;
      if (!value.empty()) cell = value;
      return cell;
    };
    return {effect.variant.Label(),
            effect.variant.axis,
            LatencyOf(measured),
            text(base == nullptr ? "" : base->variant.Label()),
            NumberCell(speedup.times),
            NumberCell(speedup.low),
            NumberCell(speedup.high),
            std::int64_t{speedup.rounds},
            NumberCell(effect.agreement.label_agreement),
            NumberCell(effect.agreement.max_absolute_error),
            NumberCell(effect.agreement.cosine_similarity),
            CountCell(measured.layers),
            TimeCell(measured.layers),
            CountCell(measured.kernels),
            TimeCell(measured.kernels),
            text(measured.precision),
            text(measured.graph),
            NumberCell(measured.threads > 0 ? static_cast<double>(measured.threads) : kMissing),
            text(effect.agreement.message),
            effect.experiment};
  }

  Table ChangeTable() const {
    Table table{"changes",
                "Changes in layers and kernels",
                {{"variant", "", "", ""},
                 {"level", "", "layer or kernel", ""},
                 {"type", "", "Type of the layer or kernel", ""},
                 {"count", "1", "Of them in a model call", "measured:xsp"},
                 {"count_before", "1", "In the default of the backend", "measured:xsp"},
                 {"time_ns", "ns", "What they take", "measured:xsp"},
                 {"time_before_ns", "ns", "In the default of the backend", "measured:xsp"},
                 {"difference_ns", "ns", "Time less time before", "measured:xsp"}},
                {}};
    for (const auto& column : table.columns) table.rows.columns.push_back(column.name);
    for (const Effect& effect : effects_) {
      const Effect* base = BaseOf(effect);
      if (base == nullptr || effect.variant.axis == "default") continue;
      std::size_t rows = 0;
      for (const Change& change : ChangesOf(effect.measured, base->measured)) {
        if (rows++ == most_changes_) break;
        table.rows.rows.push_back({effect.variant.Label(), change.level, change.type,
                                   change.now.count, change.before.count, change.now.time_ns,
                                   change.before.time_ns, change.difference_ns()});
      }
    }
    return table;
  }

  Table ImpossibleTable() const {
    Table table{"impossible",
                "Variants that did not run",
                {{"variant", "", "", ""}, {"why", "", "The reason, and what to do", ""}},
                {{"variant", "why"}, {}}};
    for (const Impossible& one : impossible_) table.rows.rows.push_back({one.label, one.why});
    return table;
  }

  void Say(Answer& answer) const {
    const Effect& first = effects_.front();
    const Effect* fastest = &first;
    for (const Effect& effect : effects_)
      if (Over(first, effect).times > Over(first, *fastest).times) fastest = &effect;
    const Speedup over = Over(first, *fastest);
    if (fastest != &first && over.times > 1) {
      answer.sentences.push_back(fmt::format(
          "`{}` is the fastest of {}: {:.3g} times as fast as `{}`{}, {:.3g} ms a call.",
          fastest->variant.Label(), effects_.size(), over.times, first.variant.Label(),
          IntervalText(over), LatencyOf(fastest->measured) * 1e-6));
    } else {
      answer.sentences.push_back(fmt::format(
          "None of {} variants is faster than `{}`, {:.3g} ms a call.", effects_.size() - 1,
          first.variant.Label(), LatencyOf(first.measured) * 1e-6));
    }
    SayAxes(answer);
    SayAgreement(answer);
    if (!impossible_.empty())
      answer.sentences.push_back(
          fmt::format("{} variants did not run here; the table `impossible` has the reasons.",
                      impossible_.size()));
  }

  /// Of each backend and axis, of the settings whose interval leaves 1 out, the one that changes
  /// most.
  void SayAxes(Answer& answer) const {
    struct Most {
      const Effect* effect = nullptr;
      Speedup over{};
    };
    std::map<std::pair<std::string, std::string>, Most> most;
    for (const Effect& effect : effects_) {
      const Effect* base = BaseOf(effect);
      if (base == nullptr || effect.variant.axis == "default") continue;
      const Speedup over = Over(*base, effect);
      if (over.rounds == 0 || !(over.low > 1 || over.high < 1)) continue;
      Most& chosen = most[{effect.variant.backend, effect.variant.axis}];
      if (chosen.effect == nullptr ||
          std::abs(std::log(over.times)) > std::abs(std::log(chosen.over.times)))
        chosen = {&effect, over};
    }
    for (const auto& [key, chosen] : most)
      answer.sentences.push_back(fmt::format(
          "`{}` runs {:.3g} times as fast as its default ({:.3g} to {:.3g}){}.",
          chosen.effect->variant.Label(), chosen.over.times, chosen.over.low, chosen.over.high,
          PartsText(chosen.effect->measured, BaseOf(*chosen.effect)->measured)));
  }

  void SayAgreement(Answer& answer) const {
    const std::string first = effects_.front().variant.Label();
    const Effect* worst = nullptr;
    for (const Effect& effect : effects_) {
      const OutputAgreement& agreement = effect.agreement;
      if (agreement.non_finite > 0)
        answer.sentences.push_back(
            fmt::format("`{}` against `{}` gives values that are no finite numbers: {}.",
                        effect.variant.Label(), first, agreement.message));
      if (agreement.message.empty() &&
          (worst == nullptr || agreement.cosine_similarity < worst->agreement.cosine_similarity))
        worst = &effect;
    }
    if (worst == nullptr || worst == &effects_.front()) return;
    answer.sentences.push_back(fmt::format(
        "Furthest from the outputs of `{}` are those of `{}`: cosine similarity {:.6f}, the same "
        "largest entry in {:.3g} % of rows, at most {:.3g} apart.",
        first, worst->variant.Label(), worst->agreement.cosine_similarity,
        100 * worst->agreement.label_agreement, worst->agreement.max_absolute_error));
  }

  static void AddCharts(Answer& answer) {
    answer.charts.push_back(
        {"speedup", "Speed-up over the backend's default, with 95 % intervals", "variants", R"json({
      "transform": [{"filter": "isValid(datum.speedup)"}],
      "encoding": {"y": {"field": "variant", "type": "nominal", "sort": null, "title": null, "axis": {"labelLimit": 260}}},
      "layer": [{"mark": {"type": "rule", "strokeDash": [4, 3]}, "encoding": {"y": null, "x": {"datum": 1}}},
                {"mark": "rule", "encoding": {"x": {"field": "speedup_low", "type": "quantitative", "scale": {"type": "log"}, "title": "speed-up"}, "x2": {"field": "speedup_high"}}},
                {"mark": {"type": "point", "filled": true, "size": 60}, "encoding": {"x": {"field": "speedup", "type": "quantitative", "scale": {"type": "log"}}, "color": {"field": "axis", "type": "nominal", "title": null}}}],
      "height": {"step": 20}})json"});
    answer.charts.push_back(
        {"changes", "Time that types of layers and kernels gain or lose", "changes", R"json({
      "transform": [{"calculate": "datum.difference_ns / 1e6", "as": "difference_ms"}, {"calculate": "datum.variant + ': ' + datum.level + ' ' + datum.type", "as": "what"}],
      "mark": "bar",
      "encoding": {"y": {"field": "what", "type": "nominal", "sort": null, "title": null, "axis": {"labelLimit": 320}},
                   "x": {"field": "difference_ms", "type": "quantitative", "title": "time less time before (ms)"},
                   "color": {"field": "level", "type": "nominal", "title": null}},
      "height": {"step": 14}})json"});
  }

  const std::vector<Effect>& effects_;
  const std::vector<Impossible>& impossible_;
  std::size_t most_changes_;
};

}  // namespace

Result<Measured> ReadMeasured(const std::filesystem::path& experiment) {
  XSP_TRY(const store::Database database, store::Database::Open({experiment}));
  Measured measured;
  XSP_RETURN_IF_ERROR(ReadLatencies(database, measured));
  XSP_TRY(Rungs rungs, ReadRungs(database));
  const Level layer{"layer", "latency_ns", {"layer", "library", "kernel"}};
  const Level kernel{"kernel", "duration_ns", {"kernel", "library"}};
  XSP_TRY(measured.layers, ReadParts(database, layer, rungs, measured));
  XSP_TRY(measured.kernels, ReadParts(database, kernel, rungs, measured));
  measured.failures = std::move(rungs.failures);
  XSP_TRY(const store::Table ran,
          database.Query("SELECT p.precision, r.graph, r.threads FROM run r JOIN point p USING "
                         "(point_id) WHERE r.rung = 'model' AND r.point_id = 1"));
  if (!ran.rows.empty()) {
    measured.precision = TextOf(ran.rows[0][0]);
    measured.graph = TextOf(ran.rows[0][1]);
    const double threads = NumberOf(ran.rows[0][2]);
    if (std::isfinite(threads)) measured.threads = static_cast<std::int64_t>(threads);
  }
  return measured;
}

Status ReadRound(const std::filesystem::path& experiment, Measured* measured) {
  XSP_TRY(const store::Database database, store::Database::Open({experiment}));
  return ReadLatencies(database, *measured);
}

Speedup SpeedupOf(const Measured& base, const Measured& measured) {
  std::vector<double> logs;
  for (std::size_t r = 0; r < std::min(base.rounds_ns.size(), measured.rounds_ns.size()); ++r) {
    const auto& before = base.rounds_ns[r];
    const auto& now = measured.rounds_ns[r];
    if (before.empty() || now.empty()) continue;
    logs.push_back(std::log(core::TrimmedMean(before) / core::TrimmedMean(now)));
  }
  if (logs.empty()) return {kMissing, kMissing, kMissing, 0};
  const core::Estimate mean = core::StudentMean(logs);
  return {std::exp(mean.centre), std::exp(mean.interval.low), std::exp(mean.interval.high),
          static_cast<int>(logs.size())};
}

OutputAgreement CompareKept(const std::filesystem::path& reference,
                            const std::filesystem::path& candidate) {
  compare::Group group(2);
  group[0].point_id = 1;
  group[1].point_id = 2;
  const auto rows = compare::CompareResults({group}, {{1, reference}, {2, candidate}});
  OutputAgreement agreement;
  bool is_whole = !rows.empty();
  if (!is_whole) agreement.message = "no results were kept";
  for (const store::AgreementRow& row : rows) {
    if (row.message) {
      agreement.message = *row.message;
      is_whole = false;
      continue;
    }
    agreement.non_finite += row.non_finite_different.value_or(0);
    agreement.label_agreement =
        std::min(agreement.label_agreement, row.label_agreement.value_or(kMissing));
    agreement.max_absolute_error =
        std::max(agreement.max_absolute_error, row.max_absolute_error.value_or(kMissing));
    agreement.cosine_similarity =
        std::min(agreement.cosine_similarity, row.cosine_similarity.value_or(kMissing));
  }
  if (agreement.non_finite > 0)
    agreement.message = fmt::format("{}{}{} {} infinite or not a number in one only",
                                    agreement.message, agreement.message.empty() ? "" : "; ",
                                    core::Counted(agreement.non_finite, "value"),
                                    core::ByNumber(agreement.non_finite, "is", "are"));
  if (!is_whole) agreement.label_agreement = kMissing;
  // The figures are of the finite values only, which may agree perfectly.
  if (!is_whole || agreement.non_finite > 0)
    agreement.max_absolute_error = agreement.cosine_similarity = kMissing;
  return agreement;
}

Answer Summarise(const std::vector<Effect>& effects, const std::vector<Impossible>& impossible,
                 std::size_t most_changes) {
  return Summary(effects, impossible, most_changes).Make();
}

}  // namespace xsp::suite::sensitivity
