#include "api/operations/ideal_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "derive/compare/best_known.h"
#include "derive/compare/known_times.h"
#include "derive/compare/layer_kernels.h"
#include "derive/compare/machine.h"
#include "os/processor.h"
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
using compare::LayerKernel;
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
    XSP_TRY(paths_, compare::ReadCriticalPaths(database));
    XSP_TRY(machine_, MachineOfExperiment(request_.experiment));
    XSP_TRY(kernels_, compare::ReadLayerKernels(database));
    XSP_RETURN_IF_ERROR(FindAlternatives(rows));
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

  /// The layers of a point that took time.
  std::vector<const BoundedLayer*> LayersOf(std::int64_t point_id) const {
    std::vector<const BoundedLayer*> own;
    for (const BoundedLayer& layer : layers_)
      if (layer.point_id == point_id && layer.time.time_ns > 0) own.push_back(&layer);
    return own;
  }

  std::vector<LayerKernel> KernelsOf(std::int64_t point_id) const {
    std::vector<LayerKernel> own;
    for (const LayerKernel& kernel : kernels_)
      if (kernel.point_id == point_id) own.push_back(kernel);
    return own;
  }

  /// What the layers of a point ran on; nothing where it is not known.
  std::optional<alternatives::Processor> ProcessorOf(const store::PointRow& point) const {
    const std::vector<const BoundedLayer*> own = LayersOf(point.point_id);
    if (own.empty()) return std::nullopt;
    alternatives::Processor processor;
    processor.is_gpu = own.front()->time.threads == 0;
    if (processor.is_gpu) {
      processor.name = machine_.gpu.substr(0, machine_.gpu.find(", "));
      // "cuda:1"
      const std::string_view number =
          std::string_view(point.device).substr(point.device.find(':') + 1);
      std::from_chars(number.data(), number.data() + number.size(), processor.ordinal);
    } else {
      if (!point.cores) return std::nullopt;
      processor.name = machine_.cpu;
      processor.cores = *point.cores;
      processor.threads = static_cast<int>(std::min(own.front()->time.threads, *point.cores));
    }
    return processor.name.empty() ? std::nullopt : std::optional(std::move(processor));
  }

  /// What is known of the alternatives of each point; measures them if asked to.
  Status FindAlternatives(const std::vector<store::PointRow>& points) {
    bool has_work = false;
    for (const store::PointRow& point : points) {
      const auto processor = ProcessorOf(point);
      if (!processor) continue;
      PointAlternatives found(KernelsOf(point.point_id), *processor);
      if (request_.alternatives && found.has_work()) {
        has_work = true;
        if (!processor->is_gpu) XSP_RETURN_IF_ERROR(IsThisCpu(processor->cores));
        XSP_RETURN_IF_ERROR(found.Measure(*request_.alternatives, progress_));
      }
      alternatives_.emplace(point.point_id, std::move(found));
    }
    if (!request_.alternatives || has_work) return Ok{};
    return Error{
        ErrorKind::kNotPossible,
        fmt::format("no primitives whose alternatives can be measured: {}",
                    request_.experiment.filename().string()),
        "Convolutions, inner products and products of oneDNN and MKL are measured, and of GPUs "
        "whose name and shapes are recorded: run a model with `xsp run MODEL --backend torch "
        "--depth kernel`."};
  }

  Status IsThisCpu(std::int64_t cores) const {
    const std::string cpu = os::ReadProcessor().model;
    const auto usable = static_cast<std::int64_t>(os::AllowedCpus().size());
    if (IsSame(cpu, machine_.cpu) && cores <= usable) return Ok{};
    return Error{ErrorKind::kBadInput,
                 fmt::format("alternatives are measured on the machine of the experiment: {}, {} "
                             "cores for its job; this is {}, {} cores",
                             machine_.cpu, cores, cpu.empty() ? "unknown" : cpu, usable),
                 "Measure the experiment again here (`xsp run`), or run this command there."};
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
            {"implementation", TextOrNull(known.implementation)},
            {"format", nullptr},
            {"algorithm", nullptr}};
  }

  static json SourceJson(const LayerAlternative& alternative) {
    return {{"experiment", nullptr},
            {"point_id", nullptr},
            {"backend", alternative.library},
            {"layer", nullptr},
            {"implementation", alternative.main->implementation},
            {"format", alternative.main->format},
            {"algorithm", alternative.main->algorithm}};
  }

  /// What the layers of a point add up to, and the shares of each that are left.
  struct Sums {
    double measured_ns = 0, best_ns = 0, bound_ns = 0, bounded_ns = 0;
    std::int64_t improved = 0, by_alternatives = 0, exceeded = 0;
    struct Shares {
      double best = 1, bound = 0;
    };
    std::map<std::int64_t, Shares> shares = {};
    std::map<std::string, double> by_resource = {};
  };

  static json LayerJson(const BoundedLayer& layer, const Times& times,
                        const PointAlternatives& alternatives, Sums& sums) {
    const double own_ns = layer.time.time_ns;
    json source;
    double best_ns = own_ns;
    if (const auto at = times.best.Find(layer.time.work, layer.time.threads);
        at && times.known[*at].time.time_ns < own_ns) {
      best_ns = times.known[*at].time.time_ns;
      source = SourceJson(times, times.known[*at]);
    }
    if (const auto other = alternatives.TimeOfLayer(layer.layer_index, own_ns);
        other && other->time_ns < best_ns) {
      best_ns = other->time_ns;
      source = SourceJson(*other);
      ++sums.by_alternatives;
    }
    sums.improved += !source.is_null();
    sums.shares[layer.layer_index] = {best_ns / own_ns,
                                      std::min(layer.bound_ns.value_or(0) / own_ns, 1.0)};
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

  /// The measured critical path, and what is left of it where its kernels take the best known time
  /// of their layers (all else as measured), or their bound (all else none). Null: not known.
  json PathJson(std::int64_t point_id, const Sums& sums) const {
    const auto found = paths_.find(point_id);
    if (found == paths_.end()) return json();
    // A kernel of one name may belong to several layers: each counts by its time.
    struct Parts {
      double whole_ns = 0, best_ns = 0, bound_ns = 0;
    };
    std::map<std::string, Parts> kernels;
    for (const LayerKernel& kernel : kernels_) {
      const auto share = sums.shares.find(kernel.layer_index);
      if (kernel.point_id != point_id || share == sums.shares.end()) continue;
      Parts& parts = kernels[kernel.name];
      parts.whole_ns += kernel.duration_ns;
      parts.best_ns += kernel.duration_ns * share->second.best;
      parts.bound_ns += kernel.duration_ns * share->second.bound;
    }
    const compare::CriticalPath& path = found->second;
    double best_ns = path.whole_ns, bound_ns = 0, compute_ns = 0;
    for (const auto& [name, ns] : path.compute_ns) {
      compute_ns += ns;
      const auto parts = kernels.find(name);
      if (parts == kernels.end()) continue;
      best_ns -= ns * (1 - parts->second.best_ns / parts->second.whole_ns);
      bound_ns += ns * parts->second.bound_ns / parts->second.whole_ns;
    }
    return {{"measured_ns", path.whole_ns},
            {"compute_ns", compute_ns},
            {"best_known_ns", best_ns},
            {"bound_ns", sums.by_resource.empty() ? json() : json(bound_ns)}};
  }

  /// Null for a point without layers that took time.
  Result<json> PointJson(const store::PointRow& point) {
    const std::vector<const BoundedLayer*> own = LayersOf(point.point_id);
    if (own.empty()) return json();
    const bool on_device = own.front()->time.threads == 0;
    XSP_TRY(const Times* const times, TimesFor(on_device, point.cores.value_or(0)));
    Sums sums;
    json layers = json::array();
    const auto alternatives = alternatives_.find(point.point_id);
    const PointAlternatives none;
    const PointAlternatives& known =
        alternatives == alternatives_.end() ? none : alternatives->second;
    for (const BoundedLayer* layer : own) layers.push_back(LayerJson(*layer, *times, known, sums));
    json busiest;
    for (const auto& [resource, ns] : sums.by_resource)
      if (busiest.is_null() || ns > busiest["bound_ns"])
        busiest = {{"resource", resource}, {"bound_ns", ns}};
    return json{{"point_id", point.point_id},
                {"model", point.model},
                {"backend", point.backend},
                {"batch", point.batch ? json(*point.batch) : json()},
                {"precision", point.precision},
                {"on_device", on_device},
                {"threads", on_device ? json() : json(own.front()->time.threads)},
                {"latency_ns", point.latency_ns ? json(*point.latency_ns) : json()},
                {"critical_path", PathJson(point.point_id, sums)},
                {"measured_ns", sums.measured_ns},
                {"best_known_ns", sums.best_ns},
                {"bound_ns", sums.by_resource.empty() ? json() : json(sums.bound_ns)},
                {"bounded_ns", sums.bounded_ns},
                {"busiest", std::move(busiest)},
                {"improved_layers", sums.improved},
                {"improved_by_alternatives", sums.by_alternatives},
                {"exceeded_layers", sums.exceeded},
                {"alternatives", known.SummaryJson()},
                {"primitives", known.PrimitivesJson()},
                {"layers", std::move(layers)}};
  }

  const IdealRequest& request_;
  core::Progress& progress_;
  Machine machine_;
  std::vector<BoundedLayer> layers_;
  std::map<std::int64_t, compare::CriticalPath> paths_;
  std::vector<LayerKernel> kernels_;
  std::map<std::int64_t, PointAlternatives> alternatives_;
  std::vector<fs::path> on_cpu_, on_gpu_;
  std::map<std::pair<bool, std::int64_t>, Times> times_;
  Looked looked_;
};

}  // namespace

Result<json> IdealDocument(const IdealRequest& request, core::Progress& progress) {
  return IdealWriter(request, progress).Write();
}

}  // namespace xsp::api
