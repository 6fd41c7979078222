#include "api/operations/ideal_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "derive/compare/best_known.h"
#include "derive/compare/known_times.h"
#include "derive/compare/machine.h"
#include "store/database.h"
#include "store/directory.h"
#include "store/many_experiments.h"
#include "store/rows/point_row.h"
#include "store/typed_table.h"

namespace xsp::api {
namespace {

namespace fs = std::filesystem;
using compare::BoundedLayer;
using compare::KnownTime;
using compare::Machine;
using nlohmann::json;

/// How many experiments were looked at, and which could not be read.
struct Looked {
  std::size_t same_machine = 0, other_machine = 0;
  std::set<fs::path> unreadable;
};

/// The machine of an experiment, by its first run.
Result<Machine> MachineOfExperiment(const fs::path& experiment) {
  XSP_TRY(const store::Directory directory, store::Inspect(experiment));
  if (directory.runs.empty()) return compare::MachineOf(directory.json);
  XSP_TRY(const store::Directory run, store::Inspect(directory.runs.front().path));
  return compare::MachineOf(run.json);
}

bool IsSame(const std::string& a, const std::string& b) { return !a.empty() && a == b; }

/// The times that experiments of one machine reached, for points that compute alike.
struct Times {
  std::vector<fs::path> experiments;
  std::vector<KnownTime> known;
  compare::BestKnown best = compare::BestKnown({});
};

/// Reads `times.experiments`; those that are damaged become `unreadable`.
Status ReadTimes(const compare::TimesWanted& wanted, Times& times, std::set<fs::path>& unreadable) {
  XSP_TRY(auto experiments, store::ManyExperiments::Open(times.experiments));
  XSP_TRY(times.known, compare::ReadKnownTimes(experiments, wanted));
  for (const auto& damaged : experiments.unread())
    unreadable.insert(times.experiments[damaged.experiment]);
  std::vector<compare::WorkTime> only;
  for (const KnownTime& one : times.known) only.push_back(one.time);
  times.best = compare::BestKnown(std::move(only));
  return Ok{};
}

class IdealWriter {
 public:
  IdealWriter(const IdealRequest& request, core::Progress& progress)
      : request_(request), progress_(progress) {}

  Result<json> Write() {
    XSP_TRY(const store::Database database, store::Database::Open({request_.experiment}));
    XSP_TRY(const store::Table points, database.Query("SELECT * FROM point ORDER BY point_id"));
    XSP_TRY(const std::vector<store::PointRow> rows, store::ToRows<store::PointRow>(points));
    XSP_TRY(layers_, compare::ReadBoundedLayers(database));
    if (layers_.empty())
      return Error{
          ErrorKind::kBadInput,
          fmt::format("no layers in the experiment: {}", request_.experiment.filename().string()),
          "Measure with `xsp run MODEL --depth kernel`."};
    XSP_RETURN_IF_ERROR(ReadPaths(database));
    XSP_TRY(machine_, MachineOfExperiment(request_.experiment));
    FindOthers();
    json array = json::array();
    for (const store::PointRow& point : rows) {
      XSP_TRY(json written, PointJson(point));
      if (!written.is_null()) array.push_back(std::move(written));
    }
    return json{{"experiment", request_.experiment.filename().string()},
                {"cpu", TextOrNull(machine_.cpu)},
                {"gpu", TextOrNull(machine_.gpu)},
                {"experiments",
                 {{"same_machine", looked_.same_machine},
                  {"other_machine", looked_.other_machine},
                  {"unreadable", looked_.unreadable.size()}}},
                {"with_disturbed", request_.with_disturbed},
                {"points", std::move(array)}};
  }

 private:
  static json TextOrNull(const std::string& text) { return text.empty() ? json() : json(text); }

  /// The measured critical path of a mean step of each point that has one.
  Status ReadPaths(const store::Database& database) {
    XSP_TRY(const store::Table table, database.Query(R"(
WITH of_rank AS (
  SELECT point_id, run_id, rank, sum(duration_ns) / count(DISTINCT coalesce(step, -1)) AS ns
  FROM critical_path JOIN run USING (run_id) GROUP BY point_id, run_id, rank)
SELECT point_id, max(ns)::DOUBLE FROM of_rank GROUP BY point_id)"));
    for (const auto& row : table.rows) {
      const auto* point = std::get_if<std::int64_t>(&row[0]);
      const auto* path_ns = std::get_if<double>(&row[1]);
      if (point != nullptr && path_ns != nullptr) paths_[*point] = *path_ns;
    }
    return Ok{};
  }

  void FindOthers() {
    std::error_code error;
    for (std::size_t i = 0; i < request_.others.size(); ++i) {
      if (i % 100 == 0)
        progress_.Step("looking for experiments of this machine",
                       static_cast<double>(i) / static_cast<double>(request_.others.size()), -1);
      const fs::path& other = request_.others[i];
      if (fs::equivalent(other, request_.experiment, error)) continue;
      const auto machine = MachineOfExperiment(other);
      if (!machine.ok()) {
        looked_.unreadable.insert(other);
        continue;
      }
      const bool same_cpu = IsSame(machine.value().cpu, machine_.cpu);
      const bool same_gpu = IsSame(machine.value().gpu, machine_.gpu);
      if (same_cpu) on_cpu_.push_back(other);
      if (same_gpu) on_gpu_.push_back(other);
      ++(same_cpu || same_gpu ? looked_.same_machine : looked_.other_machine);
    }
  }

  /// The times that layers of a point may be compared with; the own experiment's come first.
  Result<const Times*> TimesFor(bool on_device, std::int64_t cores) {
    const auto key = std::pair(on_device, on_device ? 0 : cores);
    if (const auto found = times_.find(key); found != times_.end()) return &found->second;
    progress_.Step("reading the times of their layers", 0.5, -1);
    Times times;
    times.experiments = {request_.experiment};
    const std::vector<fs::path>& others = on_device ? on_gpu_ : on_cpu_;
    times.experiments.insert(times.experiments.end(), others.begin(), others.end());
    XSP_RETURN_IF_ERROR(ReadTimes(
        {.on_device = on_device, .cores = cores, .with_disturbed = request_.with_disturbed}, times,
        looked_.unreadable));
    return &times_.emplace(key, std::move(times)).first->second;
  }

  static json SourceJson(const Times& times, const KnownTime& known) {
    return {{"experiment", times.experiments[known.experiment].filename().string()},
            {"point_id", known.point_id},
            {"backend", known.backend},
            {"layer", known.layer},
            {"implementation", TextOrNull(known.implementation)}};
  }

  struct Sums {
    double measured_ns = 0, best_ns = 0, bound_ns = 0, bounded_ns = 0;
    std::int64_t improved = 0, exceeded = 0;
    std::map<std::string, double> by_resource = {};
  };

  static json LayerJson(const BoundedLayer& layer, const Times& times, Sums& sums) {
    const double own_ns = layer.time.time_ns;
    json source;
    double best_ns = own_ns;
    if (const auto at = times.best.Find(layer.time.work, layer.time.threads);
        at && times.known[*at].time.time_ns < own_ns) {
      best_ns = times.known[*at].time.time_ns;
      source = SourceJson(times, times.known[*at]);
      ++sums.improved;
    }
    sums.measured_ns += own_ns;
    sums.best_ns += best_ns;
    const bool exceeded = layer.bound_ns.value_or(0) > own_ns;
    if (layer.bound_ns) {
      sums.bound_ns += *layer.bound_ns;
      sums.bounded_ns += own_ns;
      sums.exceeded += exceeded;
      sums.by_resource[layer.resource] += *layer.bound_ns;
    }
    return {{"layer_index", layer.layer_index},
            {"name", layer.name},
            {"type", layer.time.work.type},
            {"measured_ns", own_ns},
            {"best_known_ns", best_ns},
            {"best_known", std::move(source)},
            {"bound_ns", layer.bound_ns ? json(*layer.bound_ns) : json()},
            {"resource", TextOrNull(layer.resource)},
            {"exceeded", exceeded}};
  }

  /// Null for a point without layers that took time.
  Result<json> PointJson(const store::PointRow& point) {
    std::vector<const BoundedLayer*> own;
    for (const BoundedLayer& layer : layers_)
      if (layer.point_id == point.point_id && layer.time.time_ns > 0) own.push_back(&layer);
    if (own.empty()) return json();
    const bool on_device = own.front()->time.threads == 0;
    XSP_TRY(const Times* const times, TimesFor(on_device, point.cores.value_or(0)));
    Sums sums;
    json layers = json::array();
    for (const BoundedLayer* layer : own) layers.push_back(LayerJson(*layer, *times, sums));
    json busiest;
    for (const auto& [resource, ns] : sums.by_resource)
      if (busiest.is_null() || ns > busiest["bound_ns"])
        busiest = {{"resource", resource}, {"bound_ns", ns}};
    const auto path = paths_.find(point.point_id);
    return json{{"point_id", point.point_id},
                {"model", point.model},
                {"backend", point.backend},
                {"batch", point.batch ? json(*point.batch) : json()},
                {"precision", point.precision},
                {"on_device", on_device},
                {"threads", on_device ? json() : json(own.front()->time.threads)},
                {"latency_ns", point.latency_ns ? json(*point.latency_ns) : json()},
                {"critical_path_ns", path != paths_.end() ? json(path->second) : json()},
                {"measured_ns", sums.measured_ns},
                {"best_known_ns", sums.best_ns},
                {"bound_ns", sums.by_resource.empty() ? json() : json(sums.bound_ns)},
                {"bounded_ns", sums.bounded_ns},
                {"busiest", std::move(busiest)},
                {"improved_layers", sums.improved},
                {"exceeded_layers", sums.exceeded},
                {"layers", std::move(layers)}};
  }

  const IdealRequest& request_;
  core::Progress& progress_;
  Machine machine_;
  std::vector<BoundedLayer> layers_;
  std::map<std::int64_t, double> paths_;
  std::vector<fs::path> on_cpu_, on_gpu_;
  std::map<std::pair<bool, std::int64_t>, Times> times_;
  Looked looked_;
};

}  // namespace

Result<json> IdealDocument(const IdealRequest& request, core::Progress& progress) {
  return IdealWriter(request, progress).Write();
}

}  // namespace xsp::api
