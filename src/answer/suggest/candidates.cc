#include "answer/suggest/candidates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/counted.h"
#include "core/json_text.h"
#include "store/rows/point_row.h"
#include "store/typed_table.h"

namespace xsp::suggest {
namespace {

using store::Cell;
using store::Table;

/// A point of an experiment.
using PointKey = std::pair<std::int64_t, std::int64_t>;

/// Of a point whose arithmetic was not seen.
constexpr std::string_view kDefaultPrecision = "default";

double NumberOf(const Cell& cell) {
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*whole);
  const auto* number = std::get_if<double>(&cell);
  return number != nullptr ? *number : std::nan("");
}

std::int64_t WholeOf(const Cell& cell) {
  const auto* whole = std::get_if<std::int64_t>(&cell);
  return whole != nullptr ? *whole : 0;
}

std::string TextIn(const Cell& cell) {
  const auto* text = std::get_if<std::string>(&cell);
  return text != nullptr ? *text : std::string();
}

PointKey KeyOf(const std::vector<Cell>& row) { return {WholeOf(row[0]), WholeOf(row[1])}; }

/// The least and the greatest peak of memory of the processes without profiling.
Result<std::map<PointKey, Value>> ReadMemory(store::ManyExperiments& tables) {
  XSP_TRY(
      const Table rows,
      tables.Query({"run"},
                   "SELECT experiment, point_id, avg(peak_resident_bytes), "
                   "min(peak_resident_bytes)::DOUBLE, max(peak_resident_bytes)::DOUBLE FROM run "
                   "WHERE rung IN ('model', 'recorded') AND status = 'done' AND "
                   "peak_resident_bytes > 0 GROUP BY ALL"));
  std::map<PointKey, Value> memory;
  for (const auto& row : rows.rows)
    memory[KeyOf(row)] = {NumberOf(row[2]), NumberOf(row[3]), NumberOf(row[4])};
  return memory;
}

struct Energy {
  double joules = 0;  ///< Of a model call.
  std::string parts;
};

/// Of the calls of the first run of each point that resolves them, over packages and GPUs: parts
/// within these are contained in them (docs/energy.md).
Result<std::map<PointKey, Energy>> ReadEnergy(store::ManyExperiments& tables) {
  XSP_TRY(const Table rows,
          tables.Query({"energy"},
                       "SELECT experiment, point_id, part, energy_joules / spans FROM energy "
                       "WHERE scope = 'call' AND energy_joules > 0 AND spans > 0 AND "
                       "regexp_full_match(part, 'package-[0-9]+|gpu [0-9]+') QUALIFY run_id = "
                       "min(run_id) OVER (PARTITION BY experiment, point_id) "
                       "ORDER BY experiment, point_id, part"));
  std::map<PointKey, Energy> energies;
  for (const auto& row : rows.rows) {
    Energy& energy = energies[KeyOf(row)];
    energy.joules += NumberOf(row[3]);
    energy.parts += (energy.parts.empty() ? "" : ", ") + TextIn(row[2]);
  }
  return energies;
}

/// Of the calls without profiling that followed one another.
Result<std::map<PointKey, Value>> ReadPercentiles(store::ManyExperiments& tables) {
  XSP_TRY(const Table runs, tables.Query({"run"},
                                         "SELECT experiment, point_id, run_id FROM run WHERE rung "
                                         "= 'model' AND status = 'done' AND process_pair IS NULL"));
  std::map<PointKey, std::int64_t> point_of_run;
  for (const auto& row : runs.rows)
    point_of_run[{WholeOf(row[0]), WholeOf(row[2])}] = WholeOf(row[1]);
  // The longest third of each process: the interval never reaches further.
  XSP_TRY(const Table samples,
          tables.Query({"sample"},
                       "SELECT experiment, run_id, count(*) OVER process, latency_ns FROM sample "
                       "WHERE queue_ns IS NULL AND (rung IS NULL OR rung = 'model') "
                       "WINDOW process AS (PARTITION BY experiment, run_id) QUALIFY row_number() "
                       "OVER (PARTITION BY experiment, run_id ORDER BY latency_ns DESC) <= "
                       "count(*) OVER process / 3 + 20"));
  struct Calls {
    std::map<std::int64_t, std::int64_t> of_run;
    std::vector<double> longest;
  };
  std::map<PointKey, Calls> calls;
  for (const auto& row : samples.rows) {
    const auto point = point_of_run.find(KeyOf(row));
    if (point == point_of_run.end()) continue;
    Calls& of_point = calls[{WholeOf(row[0]), point->second}];
    of_point.of_run[WholeOf(row[1])] = WholeOf(row[2]);
    of_point.longest.push_back(NumberOf(row[3]));
  }
  std::map<PointKey, Value> percentiles;
  for (auto& [key, of_point] : calls) {
    std::int64_t count = 0;
    for (const auto& [run, of_run] : of_point.of_run) count += of_run;
    std::ranges::sort(of_point.longest, std::greater<>());
    percentiles[key] = PercentileOf99(of_point.longest, count);
  }
  return percentiles;
}

bool IsShareOfSamples(std::string_view metric) {
  return metric == "top_1" || metric == "top_5" || metric == "exact_match";
}

/// Scores against labels, also of models whose weights are random.
Result<std::map<PointKey, std::vector<Accuracy>>> ReadScores(store::ManyExperiments& tables) {
  XSP_TRY(const Table sets,
          tables.Query({"evaluation"}, "SELECT experiment, point_id, dataset FROM evaluation"));
  std::map<PointKey, std::string> names;
  for (const auto& row : sets.rows) names[KeyOf(row)] = TextIn(row[2]);
  XSP_TRY(const Table rows,
          tables.Query({"accuracy"},
                       "SELECT experiment, point_id, metric, value, samples FROM accuracy WHERE "
                       "reference IS NULL AND value IS NOT NULL ORDER BY ALL"));
  std::map<PointKey, std::vector<Accuracy>> scores;
  for (const auto& row : rows.rows) {
    Accuracy score{TextIn(row[2]), names[KeyOf(row)], Exact(NumberOf(row[3])), WholeOf(row[4])};
    if (IsShareOfSamples(score.metric)) score.value = ShareOf(score.value.centre, score.samples);
    scores[KeyOf(row)].push_back(std::move(score));
  }
  return scores;
}

bool HasDrawnLabels(const Accuracy& score) { return score.dataset.starts_with("synthetic"); }

/// What accuracy is the same for.
using ScoredKey = std::tuple<std::string, std::string, std::string, std::string, std::string>;

ScoredKey ScoredKeyOf(const Identity& identity) {
  return {identity.model, identity.model_sha256, identity.backend, identity.device,
          identity.precision};
}

/// The settings of a point: the worker, and what makes it another program.
struct Settings {
  std::string worker, text;
};

Settings SettingsOf(const std::string& text) {
  auto document = core::ParseJson(text);
  if (!document.is_object()) return {"", text};
  for (const char* of_measuring : {"iterations", "seed"}) document.erase(of_measuring);
  const auto worker = document.find("worker");
  const bool has_worker = worker != document.end() && worker->is_string();
  return {has_worker ? worker->get<std::string>() : "", core::JsonText(document)};
}

/// Joins the tables of many experiments.
class Reader {
 public:
  Reader(const std::vector<StoredExperiment>& experiments, store::ManyExperiments& tables)
      : experiments_(experiments), tables_(tables) {}

  Result<CandidateReading> Read(bool with_p99) {
    XSP_TRY(const Table table, tables_.Query({"point"}, "SELECT * FROM point ORDER BY ALL"));
    XSP_TRY(const std::vector<store::PointRow> points, store::ToRows<store::PointRow>(table));
    XSP_TRY(memory_, ReadMemory(tables_));
    XSP_TRY(energy_, ReadEnergy(tables_));
    XSP_TRY(scores_, ReadScores(tables_));
    if (with_p99) {
      XSP_TRY(percentiles_, ReadPercentiles(tables_));
    }
    for (std::size_t i = 0; i < points.size(); ++i) Add(WholeOf(table.rows[i][0]), points[i]);
    CandidateReading reading;
    for (auto& [identity, measured] : measured_) reading.candidates.push_back(Joined(measured));
    AddAccuracies(reading.candidates);
    Note(reading.notes);
    return reading;
  }

 private:
  void Add(std::int64_t index, const store::PointRow& point) {
    if (point.status != "done") {
      ++not_done_;
      return;
    }
    if (!point.latency_ns || !(*point.latency_ns > 0)) {
      ++without_latency_;
      return;
    }
    const StoredExperiment& experiment = experiments_[static_cast<std::size_t>(index)];
    const PointKey key{index, point.point_id};
    Candidate candidate = CandidateOf(experiment, point);
    AddMetrics(key, point, candidate);
    AddScores(key, experiment, candidate);
    measured_[candidate.identity].push_back(std::move(candidate));
  }

  static Candidate CandidateOf(const StoredExperiment& experiment, const store::PointRow& point) {
    const Settings settings = SettingsOf(point.settings);
    const std::string& asked =
        experiment.precision.empty() ? point.precision : experiment.precision;
    Candidate candidate{
        .identity = {point.model, "", point.backend, point.device, asked, settings.text,
                     MachineOf(experiment, point.device, point.cores), point.batch, point.cores,
                     ""},
        .experiment = experiment.name,
        .point_id = point.point_id,
        .created = experiment.created,
        .task = experiment.model.task,
        .worker = settings.worker,
        .precision = point.precision,
        .is_disturbed = experiment.is_disturbed,
        .is_plain = experiment.is_plain};
    auto sum = experiment.sha256.find(candidate.worker);
    if (sum == experiment.sha256.end()) sum = experiment.sha256.find("");
    if (sum != experiment.sha256.end()) candidate.identity.model_sha256 = sum->second;
    if (candidate.identity.model_sha256.empty()) candidate.identity.experiment = experiment.name;
    return candidate;
  }

  void AddMetrics(const PointKey& key, const store::PointRow& point, Candidate& candidate) const {
    Value& latency = candidate.Of(Metric::kLatency);
    latency = {.centre = *point.latency_ns};
    if (point.latency_low_ns && point.latency_high_ns) {
      latency.low = std::max(0.0, *point.latency_low_ns);
      latency.high = *point.latency_high_ns;
    }
    if (point.device != "cpu") {
      candidate.memory_of = "device";
      if (point.peak_bytes) candidate.Of(Metric::kMemory) = Exact(*point.peak_bytes);
    } else if (const auto memory = memory_.find(key); memory != memory_.end()) {
      candidate.memory_of = "process";
      candidate.Of(Metric::kMemory) = memory->second;
    }
    if (const auto energy = energy_.find(key); energy != energy_.end() && point.batch > 0) {
      candidate.Of(Metric::kEnergy).centre =
          energy->second.joules / static_cast<double>(*point.batch);
      candidate.energy_of = energy->second.parts;
    }
    if (const auto p99 = percentiles_.find(key); p99 != percentiles_.end())
      candidate.Of(Metric::kLatencyP99) = p99->second;
  }

  void AddScores(const PointKey& key, const StoredExperiment& experiment, Candidate& candidate) {
    const auto scores = scores_.find(key);
    if (scores == scores_.end()) return;
    if (AreRandom(experiment.model.weights)) {
      random_weights_.insert(candidate.identity.model);
      return;
    }
    for (const Accuracy& score : scores->second) {
      if (HasDrawnLabels(score)) {
        drawn_labels_.insert(score.dataset);
        continue;
      }
      if (experiment.model.weights.empty()) unstated_weights_.insert(candidate.identity.model);
      // Experiments come oldest first: a later one replaces the scores of an earlier one.
      accuracies_[ScoredKeyOf(candidate.identity)][{score.metric, score.dataset}] = score;
    }
  }

  static Candidate Joined(std::vector<Candidate>& measured) {
    std::ranges::stable_sort(measured, [](const Candidate& a, const Candidate& b) {
      return std::tuple(a.is_plain, !a.is_disturbed, a.created) >
             std::tuple(b.is_plain, !b.is_disturbed, b.created);
    });
    Candidate joined = measured.front();
    joined.measurements = measured.size();
    for (const Candidate& other : measured) {
      if (joined.precision == kDefaultPrecision) joined.precision = other.precision;
      for (std::size_t i = 0; i < kMetrics; ++i) {
        if (joined.values[i].is_known() || !other.values[i].is_known()) continue;
        joined.values[i] = other.values[i];
        if (static_cast<Metric>(i) == Metric::kEnergy) joined.energy_of = other.energy_of;
        if (static_cast<Metric>(i) == Metric::kMemory) joined.memory_of = other.memory_of;
      }
    }
    return joined;
  }

  void AddAccuracies(std::vector<Candidate>& candidates) const {
    for (Candidate& candidate : candidates) {
      const auto found = accuracies_.find(ScoredKeyOf(candidate.identity));
      if (found == accuracies_.end()) continue;
      for (const auto& [key, score] : found->second) candidate.accuracies.push_back(score);
    }
  }

  void Note(std::vector<std::string>& notes) const {
    const auto& unread = tables_.unread();
    if (!unread.empty())
      notes.push_back(
          fmt::format("tables of {} cannot be read, and their values are missing: {}: "
                      "{}",
                      core::Counted(unread.size(), "experiment"),
                      experiments_[unread.front().experiment].name, unread.front().reason));
    if (not_done_ > 0)
      notes.push_back(
          fmt::format("{} of the store left out: not done", core::Counted(not_done_, "point")));
    if (without_latency_ > 0)
      notes.push_back(fmt::format("{} of the store left out: no model call",
                                  core::Counted(without_latency_, "point")));
    if (!random_weights_.empty())
      notes.push_back(fmt::format(
          "accuracy is not offered for {}: the weights are random, so that scores mean nothing",
          Listed(random_weights_)));
    if (!drawn_labels_.empty())
      notes.push_back(
          fmt::format("accuracy is not offered for the data set {}: its labels are drawn at random",
                      Listed(drawn_labels_)));
    if (!unstated_weights_.empty())
      notes.push_back(
          fmt::format("accuracy of {}: its manifest does not state where the weights "
                      "are from; they are taken as trained",
                      Listed(unstated_weights_)));
  }

  static std::string Listed(const std::set<std::string>& names) {
    constexpr std::size_t kShown = 3;
    std::string text;
    std::size_t shown = 0;
    for (const std::string& name : names) {
      if (shown++ == kShown) return text + fmt::format(" and {} more", names.size() - kShown);
      text += (text.empty() ? "" : ", ") + name;
    }
    return text;
  }

  const std::vector<StoredExperiment>& experiments_;
  store::ManyExperiments& tables_;
  std::map<PointKey, Value> memory_, percentiles_;
  std::map<PointKey, Energy> energy_;
  std::map<PointKey, std::vector<Accuracy>> scores_;
  std::map<Identity, std::vector<Candidate>> measured_;
  std::map<ScoredKey, std::map<std::pair<std::string, std::string>, Accuracy>> accuracies_;
  std::set<std::string> random_weights_, drawn_labels_, unstated_weights_;
  std::size_t not_done_ = 0, without_latency_ = 0;
};

}  // namespace

std::string MachineOf(const StoredExperiment& experiment, const std::string& device,
                      std::optional<std::int64_t> cores) {
  if (device != "cpu") return experiment.machine_gpu.empty() ? "not known" : experiment.machine_gpu;
  std::string name = experiment.machine_cpu;
  if (name.empty()) return "not known";
  if (cores) name += ", " + core::Counted(*cores, "core");
  return name;
}

Result<CandidateReading> ReadCandidates(const std::vector<StoredExperiment>& experiments,
                                        store::ManyExperiments& tables, bool with_p99) {
  return Reader(experiments, tables).Read(with_p99);
}

}  // namespace xsp::suggest
