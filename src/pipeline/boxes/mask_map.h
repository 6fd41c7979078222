#ifndef XSP_PIPELINE_BOXES_MASK_MAP_H_
#define XSP_PIPELINE_BOXES_MASK_MAP_H_

#include <vector>

#include "core/box.h"
#include "core/mask.h"

namespace xsp::pipeline {

/// A small map of probabilities, row by row; at least 1 x 1.
struct MaskMap {
  int width = 0;
  int height = 0;
  std::vector<float> values;
};

/// Spreads the map over `box` (pixels of an image of `width` x `height`) and keeps what is above
/// `threshold`: the map gets a border of zeros one wide, the box grows with it, its corners are cut
/// to integers, the map is interpolated (half-pixel centres, no antialiasing) to the box's size and
/// what lies in the image is taken. These are the rules of
/// torchvision.models.detection.roi_heads.paste_masks_in_image.
core::Mask PasteMask(const MaskMap& map, const core::Box& box, int width, int height,
                     double threshold);

/// Where pixel `i` of an axis of the image lies in the map: (i + 0.5) * step + start - 0.5.
struct MaskAxis {
  float step = 1;
  float start = 0;
};

/// Interpolates a map that covers the image, or more than it, at each pixel of the image of `width`
/// x `height`, and keeps what is above `threshold`. Beyond the map its border goes on.
core::Mask StretchMask(const MaskMap& map, const MaskAxis& x, const MaskAxis& y, int width,
                       int height, double threshold);

}  // namespace xsp::pipeline

#endif  // XSP_PIPELINE_BOXES_MASK_MAP_H_
