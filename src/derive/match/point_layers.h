#ifndef XSP_DERIVE_MATCH_POINT_LAYERS_H_
#define XSP_DERIVE_MATCH_POINT_LAYERS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "derive/match/layer_path.h"
#include "derive/match/run_view.h"
#include "store/rows/match_row.h"

namespace xsp::match {

using Runs = std::vector<std::unique_ptr<RunView>>;

/// How much a rung profiles: model 0 < layer < library < kernel < imported < counters < details.
int ProfilingDepth(std::string_view rung);

/// The layers of a point: those of the least profiled run that shows any, the base.
class PointLayers {
 public:
  /// Finds the base, lays every other run that shows layers beside it (RunView::to_base) and counts
  /// into `match` what could not be matched. Borrows `runs`.
  PointLayers(const Runs& runs, std::int64_t point_id, Names& names,
              std::vector<store::MatchRow>& match);

  const RunView* base() const { return base_; }
  const std::vector<RunView*>& runs() const { return runs_; }
  std::size_t size() const { return base_ == nullptr ? 0 : base_->layers->tokens.size(); }

  /// The span of layer `index` in the reference call of `run`; 0: that run does not show it.
  trace::SpanId SpanIn(const RunView& run, std::size_t index) const;

  /// all, partial or single (schema.sql).
  std::string MatchedIn(std::size_t index) const;

  double LatencyNs(std::size_t index) const { return LatencyIn(*base_, index); }
  /// Its latency in another run of the point, ns; NaN: that run does not show it, or its times mean
  /// nothing (rung counters).
  double LatencyIn(const RunView& run, std::size_t index) const;
  double GapBeforeNs(std::size_t index) const;
  /// Mean of a metric on the layer, from the most detailed run that has it.
  double MeanMetric(std::size_t index, trace::StringId RunView::*metric) const;
  std::string Shape(std::size_t index) const;
  /// What to call it (schema.sql), different for each.
  const std::string& Name(std::size_t index) const { return names_[index]; }
  /// Its place in the model; empty: not known.
  const std::string& Path(std::size_t index) const { return named_[index].path; }
  /// As the framework names it; empty: it does not.
  const std::string& Node(std::size_t index) const { return named_[index].node; }

 private:
  void MatchRun(RunView& run, Names& names);
  void NameLayers();
  /// TorchScript in a recorded program is asked for its operators' places only in its first calls.
  void FindScriptPaths(const RunView& run);
  std::vector<const RunView*> MostDetailedFirst() const;

  std::vector<RunView*> runs_;  ///< That show layers, least profiled first.
  const RunView* base_ = nullptr;
  std::vector<NamedLayer> named_;
  std::vector<std::string> names_;
};

/// The row that says how the calls of one run were matched with each other.
store::MatchRow IterationsRow(std::int64_t point_id, std::string_view level, std::int64_t run_id,
                              const Reference& reference, std::string_view example);

}  // namespace xsp::match

#endif  // XSP_DERIVE_MATCH_POINT_LAYERS_H_
