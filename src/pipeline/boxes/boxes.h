#ifndef XSP_PIPELINE_BOXES_BOXES_H_
#define XSP_PIPELINE_BOXES_BOXES_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/box.h"

namespace xsp::pipeline {

/// Greedy non-maximum suppression within each class (`torchvision.ops.batched_nms`): from the best
/// score down, a box is dropped when its IoU with a kept one of its class exceeds the threshold.
/// Equal scores: the earlier box first. Returns the kept boxes' indices, best first. All three have
/// the same length.
std::vector<std::size_t> NonMaximumSuppression(std::span<const core::Box> boxes,
                                               std::span<const double> scores,
                                               std::span<const std::int64_t> classes,
                                               double iou_threshold);

/// A default box: centre and size as fractions of the input.
struct Prior {
  double cx = 0, cy = 0, width = 0, height = 0;
};

/// The box of an SSD's offsets (x, y, width, height) from a prior: centre moved by offset *
/// variance * size, size times e^(offset * variance) (Liu et al. 2016, section 2.2, and its code).
core::Box DecodeOffsets(const Prior& prior, const double (&offsets)[4],
                        const double (&variances)[4]);

}  // namespace xsp::pipeline

#endif  // XSP_PIPELINE_BOXES_BOXES_H_
