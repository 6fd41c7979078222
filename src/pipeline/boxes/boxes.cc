#include "pipeline/boxes/boxes.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

namespace xsp::pipeline {

std::vector<std::size_t> NonMaximumSuppression(std::span<const core::Box> boxes,
                                               std::span<const double> scores,
                                               std::span<const std::int64_t> classes,
                                               double iou_threshold) {
  std::vector<std::size_t> order(boxes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  std::unordered_map<std::int64_t, std::vector<std::size_t>> kept_of_class;
  std::vector<std::size_t> kept;
  for (const std::size_t candidate : order) {
    std::vector<std::size_t>& others = kept_of_class[classes[candidate]];
    const bool hidden = std::any_of(others.begin(), others.end(), [&](std::size_t other) {
      return core::IntersectionOverUnion(boxes[candidate], boxes[other]) > iou_threshold;
    });
    if (hidden) continue;
    others.push_back(candidate);
    kept.push_back(candidate);
  }
  return kept;
}

core::Box DecodeOffsets(const Prior& prior, const double (&offsets)[4],
                        const double (&variances)[4]) {
  const double cx = prior.cx + offsets[0] * variances[0] * prior.width;
  const double cy = prior.cy + offsets[1] * variances[1] * prior.height;
  const double width = prior.width * std::exp(offsets[2] * variances[2]);
  const double height = prior.height * std::exp(offsets[3] * variances[3]);
  return {cx - width / 2, cy - height / 2, cx + width / 2, cy + height / 2};
}

}  // namespace xsp::pipeline
