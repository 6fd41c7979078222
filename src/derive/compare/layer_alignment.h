#ifndef XSP_DERIVE_COMPARE_LAYER_ALIGNMENT_H_
#define XSP_DERIVE_COMPARE_LAYER_ALIGNMENT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "derive/compare/measured_points.h"
#include "store/rows/aligned_layer_row.h"

namespace xsp::compare {

/// A layer that every framework has and none fuses with another of its kind: a convolution or a
/// matrix product. Empty: neither, it belongs to the one before it.
std::string_view AnchorKind(std::string_view layer_type);

/// The dimensions of the first shape in a layer's shape text, sorted: the same in NCHW and NHWC.
/// Ones are left out, as frameworks disagree on keeping them. Empty: none.
std::vector<std::int64_t> SortedDimensions(std::string_view shape);

/// One segment of a model: an anchor and what follows it up to the next (normalisation, activation,
/// additions, reorders), fused or not.
struct Segment {
  std::string name, type, shape;  ///< Of the anchor; empty name: before the first.
  std::vector<std::size_t> layers;
  std::int32_t reference = -1;  ///< The reference's segment; -1: it has none like it.
  std::string path = "";        ///< Of the anchor, in the model; empty: not known.
};

/// A point's layers as segments.
std::vector<Segment> CutIntoSegments(const std::vector<MeasuredLayer>& layers);

/// Finds each segment's counterpart in `reference`: the anchor of the same kind at the same path,
/// where no other has that; of the rest the longest common subsequence of anchors of the same kind
/// and output shape, then, as branches may run in another order, the nearest that is left of the
/// same. A segment without one is left at -1.
void MatchSegments(const std::vector<Segment>& reference, std::vector<Segment>& segments);

/// The layers of each point of `group`, in its order, aligned with those of the group's first point
/// that has an anchor. Empty: no point has one.
std::vector<std::vector<store::AlignedLayerRow>> AlignPoints(const Group& group);

/// Rows of the table `aligned_layer`: AlignPoints() of each group.
std::vector<store::AlignedLayerRow> AlignLayers(const std::vector<Group>& groups);

}  // namespace xsp::compare

#endif  // XSP_DERIVE_COMPARE_LAYER_ALIGNMENT_H_
