#include "derive/match/match.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "derive/match/energy.h"
#include "derive/match/event_counts.h"
#include "derive/match/point_kernels.h"
#include "derive/match/point_layers.h"
#include "derive/match/run_rows.h"
#include "store/nullable.h"
#include "store/run_reader.h"

namespace xsp::match {
namespace {

using store::NumberOrNull;
using store::PositiveOrNull;
using store::TextOrNull;

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// A sum of what is known, and where it came from.
struct Sum {
  double value = kUnknown;
  std::vector<std::string> provenances;

  void Add(std::optional<double> term, const std::string& provenance) {
    if (!term) return;
    value = (std::isnan(value) ? 0 : value) + *term;
    const bool known =
        std::find(provenances.begin(), provenances.end(), provenance) != provenances.end();
    if (!known) provenances.push_back(provenance);
  }
  /// Every provenance that took part: a mixed sum says so.
  std::string Provenance() const {
    std::string text;
    for (const std::string& one : provenances) text += (text.empty() ? "" : ", ") + one;
    return text;
  }
};

/// What the kernels of one layer add up to.
struct LayerSums {
  double kernel_ns = 0;
  Sum flops, read, write, traffic;
  double occupancy_ns = 0, occupied_ns = 0;
  std::map<std::string, double> dtype_ns;

  void Add(const PointKernel& kernel) {
    const KernelWork& work = kernel.work;
    kernel_ns += kernel.duration_ns;
    flops.Add(work.flops, work.flops_provenance);
    read.Add(work.read_bytes, work.traffic_provenance);
    write.Add(work.write_bytes, work.traffic_provenance);
    traffic.Add(work.read_bytes ? work.read_bytes : work.write_bytes, work.traffic_provenance);
    if (work.occupancy) {
      occupancy_ns += *work.occupancy * kernel.duration_ns;
      occupied_ns += kernel.duration_ns;
    }
    if (!work.dtype.empty()) dtype_ns[work.dtype] += kernel.duration_ns;
  }
  void Add(const SharedWork& shared) {
    const std::string analytic(trace::provenance::kAnalytic);
    flops.Add(shared.cost.flops, analytic);
    if (shared.cost.read_bytes + shared.cost.write_bytes <= 0) return;
    read.Add(shared.cost.read_bytes, analytic);
    write.Add(shared.cost.write_bytes, analytic);
    traffic.Add(shared.cost.read_bytes, analytic);
  }
  double Occupancy() const { return occupied_ns > 0 ? occupancy_ns / occupied_ns : kUnknown; }
};

std::string Largest(const std::map<std::string, double>& shares) {
  const auto most =
      std::max_element(shares.begin(), shares.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == shares.end() ? std::string() : most->first;
}

class PointMatcher {
 public:
  PointMatcher(const PointInput& point, std::vector<const RunInput*> inputs,
               std::optional<store::RunReader>& reader, ExperimentTables& tables)
      : point_(point), inputs_(std::move(inputs)), reader_(reader), tables_(tables) {}

  Status Load() {
    for (const RunInput* input : inputs_) {
      if (input->folder.empty()) continue;
      const trace::Trace* trace = input->trace;
      if (trace == nullptr) {
        XSP_TRY(trace::Trace read, ReadSpans(input->folder));
        trace = &read_.emplace_back(std::move(read));
      }
      Runs& views = input->process_pair > 0 ? pairs_ : runs_;
      views.push_back(std::make_unique<RunView>(*input, *trace, names_));
    }
    return Ok{};
  }

  void AddRows() {
    AddRunRows(inputs_, runs_, pairs_, tables_);
    const PointLayers layers(runs_, point_.point_id, names_, tables_.match);
    const PointKernels kernels(runs_, layers, point_.point_id, names_, tables_.match);
    AddLayers(layers, kernels);
    AddKernels(kernels);
    AddPoint(kernels);
    AddEnergy(runs_, layers, point_.point_id, tables_.energy);
    AddEventCounts(runs_, layers, point_.point_id, tables_.event_count);
  }

 private:
  /// With an engine that is only started where a run has to be read.
  Result<trace::Trace> ReadSpans(const std::filesystem::path& folder) {
    if (!reader_) {
      XSP_TRY(store::RunReader reader, store::RunReader::Create());
      reader_.emplace(std::move(reader));
    }
    return reader_->ReadSpans(folder);
  }

  void AddLayers(const PointLayers& layers, const PointKernels& kernels) {
    std::vector<LayerSums> sums(layers.size());
    for (const PointKernel& kernel : kernels.kernels()) {
      if (kernel.layer >= 0) sums[static_cast<std::size_t>(kernel.layer)].Add(kernel);
    }
    for (const SharedWork& shared : kernels.shared()) {
      if (shared.layer >= 0) sums[static_cast<std::size_t>(shared.layer)].Add(shared);
    }
    for (std::size_t i = 0; i < layers.size(); ++i) {
      const LayerSums& sum = sums[i];
      // Without kernels in a run that would show them, their time is 0; else it is not known.
      const bool seen = kernels.base() != nullptr && layers.SpanIn(*kernels.base(), i) != 0;
      const double kernel_ns = seen ? sum.kernel_ns : kUnknown;
      tables_.layer.push_back(
          {.point_id = point_.point_id,
           .layer_index = static_cast<std::int64_t>(i),
           .name = layers.Name(i),
           .type = std::string(layers.base()->TypeOf(layers.SpanIn(*layers.base(), i))),
           .shape = TextOrNull(layers.Shape(i)),
           .latency_ns = NumberOrNull(layers.LatencyNs(i)),
           .device_ns = NumberOrNull(kernel_ns * kernels.BusyShare(i)),
           .kernel_ns = NumberOrNull(kernel_ns),
           .gap_before_ns = NumberOrNull(layers.GapBeforeNs(i)),
           .allocated_bytes = NumberOrNull(layers.MeanMetric(i, &RunView::allocated_bytes)),
           .peak_bytes = NumberOrNull(layers.MeanMetric(i, &RunView::peak_bytes)),
           .flops = NumberOrNull(sum.flops.value),
           .read_bytes = NumberOrNull(sum.read.value),
           .write_bytes = NumberOrNull(sum.write.value),
           .occupancy = NumberOrNull(sum.Occupancy()),
           .dtype = TextOrNull(Largest(sum.dtype_ns)),
           .flops_provenance = TextOrNull(sum.flops.Provenance()),
           .traffic_provenance = TextOrNull(sum.traffic.Provenance()),
           .source_run = layers.base()->input.run_id,
           .matched = layers.MatchedIn(i),
           .kernel_run_ns = NumberOrNull(seen ? layers.LatencyIn(*kernels.base(), i) : kUnknown),
           .path = TextOrNull(layers.Path(i)),
           .node = TextOrNull(layers.Node(i))});
    }
  }

  void AddKernels(const PointKernels& kernels) {
    std::int64_t index = 0;
    for (const PointKernel& kernel : kernels.kernels()) {
      const RunView& run = *kernels.base();
      const KernelWork& work = kernel.work;
      const auto text = [&](trace::StringId key) {
        return TextOrNull(run.values.Attribute(kernel.span, key));
      };
      const auto problem = work.problem.empty() ? text(run.problem) : std::optional(work.problem);
      tables_.kernel.push_back({.point_id = point_.point_id,
                                .kernel_index = index++,
                                .layer_index = kernel.layer < 0
                                                   ? std::nullopt
                                                   : std::optional<std::int64_t>(kernel.layer),
                                .name = std::string(run.NameOf(kernel.span)),
                                .type = std::string(run.TypeOf(kernel.span)),
                                .dtype = TextOrNull(work.dtype),
                                .unit = TextOrNull(work.unit),
                                .implementation = text(run.implementation),
                                .problem = problem,
                                .duration_ns = NumberOrNull(kernel.duration_ns),
                                .flops = NumberOrNull(work.flops),
                                .read_bytes = NumberOrNull(work.read_bytes),
                                .write_bytes = NumberOrNull(work.write_bytes),
                                .occupancy = NumberOrNull(work.occupancy),
                                .flops_provenance = TextOrNull(work.flops_provenance),
                                .traffic_provenance = TextOrNull(work.traffic_provenance),
                                .confidence = NumberOrNull(kernel.confidence),
                                .placed_by = TextOrNull(kernel.placed_by),
                                .source_run = run.input.run_id,
                                .matched = kernel.matched});
    }
  }

  void AddPoint(const PointKernels& kernels) {
    const RunView* least = LeastProfiled(runs_);
    const PointLatency latency = LatencyOfPoint(runs_);
    tables_.point.push_back({.point_id = point_.point_id,
                             .model = point_.model,
                             .backend = point_.backend,
                             .device = point_.device,
                             .precision = Precision(kernels),
                             .batch = PositiveOrNull(point_.batch),
                             .settings = point_.settings,
                             .latency_ns = NumberOrNull(latency.latency_ns),
                             .latency_low_ns = NumberOrNull(latency.interval.low),
                             .latency_high_ns = NumberOrNull(latency.interval.high),
                             .model_bytes = PositiveOrNull(point_.model_bytes),
                             .peak_bytes = NumberOrNull(PeakBytes()),
                             .cores = PositiveOrNull(point_.cores),
                             .status = StatusOf(least)});
  }

  /// The data type of most FLOPs, which a framework may have chosen by itself; what was asked where
  /// the kernels whose FLOPs and type are known take less than a tenth of the kernel time. TF32 is
  /// a way to multiply float32 tensors, so it counts as these.
  std::string Precision(const PointKernels& kernels) const {
    constexpr double kLeastKnown = 0.1;
    std::map<std::string, double> flops;
    double known_ns = 0, all_ns = 0;
    for (const PointKernel& kernel : kernels.kernels()) {
      const std::string& dtype = kernel.work.dtype;
      all_ns += kernel.duration_ns;
      if (dtype.empty() || !(kernel.work.flops.value_or(0) > 0)) continue;
      known_ns += kernel.duration_ns;
      flops[dtype == "tfloat32" ? "float32" : dtype] += *kernel.work.flops;
    }
    return flops.empty() || known_ns < kLeastKnown * all_ns ? point_.precision : Largest(flops);
  }

  double PeakBytes() const {
    double peak = kUnknown;
    for (const auto& run : runs_) {
      for (const Call& call : run->calls.calls) {
        if (call.root == 0) continue;
        const auto bytes = run->values.Metric(call.root, run->peak_bytes);
        if (bytes && !(peak >= *bytes)) peak = *bytes;
      }
    }
    return peak;
  }

  std::string StatusOf(const RunView* least) const {
    const bool all = std::all_of(inputs_.begin(), inputs_.end(),
                                 [](const RunInput* run) { return run->status == "done"; });
    // What was read or recorded need not hold a call, nor series without a timed run beside them.
    constexpr std::array<std::string_view, 4> kNeedNoCall = {"imported", "recorded", "monitor",
                                                             "counters"};
    const bool may_lack_calls =
        std::all_of(inputs_.begin(), inputs_.end(), [&](const RunInput* run) {
          return std::find(kNeedNoCall.begin(), kNeedNoCall.end(), run->rung) != kNeedNoCall.end();
        });
    if (least == nullptr && !may_lack_calls) return "failed";
    return all ? "done" : "partial";
  }

  const PointInput& point_;
  std::vector<const RunInput*> inputs_;
  std::optional<store::RunReader>& reader_;
  ExperimentTables& tables_;
  Names names_;
  std::deque<trace::Trace> read_;  ///< What `runs_` borrow of runs that were read.
  Runs runs_;
  Runs pairs_;  ///< Processes that were measured only for the overhead of a rung.
};

}  // namespace

Result<ExperimentTables> Match(const std::vector<PointInput>& points,
                               const std::vector<RunInput>& runs) {
  ExperimentTables tables;
  std::optional<store::RunReader> reader;
  for (const PointInput& point : points) {
    std::vector<const RunInput*> inputs;
    for (const RunInput& run : runs) {
      if (run.point_id == point.point_id) inputs.push_back(&run);
    }
    PointMatcher matcher(point, std::move(inputs), reader, tables);
    XSP_RETURN_IF_ERROR(matcher.Load());
    matcher.AddRows();
  }
  return tables;
}

}  // namespace xsp::match
