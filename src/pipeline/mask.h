#ifndef XSP_PIPELINE_MASK_H_
#define XSP_PIPELINE_MASK_H_

#include <span>
#include <vector>

#include "pipeline/boxes.h"
#include "pipeline/prediction.h"

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
Mask PasteMask(const MaskMap& map, const Box& box, int width, int height, double threshold);

/// Where pixel `i` of an axis of the image lies in the map: (i + 0.5) * step + start - 0.5.
struct MaskAxis {
  float step = 1;
  float start = 0;
};

/// Interpolates a map that covers the image, or more than it, at each pixel of the image of `width`
/// x `height`, and keeps what is above `threshold`. Beyond the map its border goes on.
Mask StretchMask(const MaskMap& map, const MaskAxis& x, const MaskAxis& y, int width, int height,
                 double threshold);

/// Run lengths of a row-major bitmap of zeros and others, column by column, zeros first.
Mask EncodeMask(std::span<const std::uint8_t> bitmap, int width, int height);

/// The bitmap of zeros and ones, row-major. Runs beyond the image are cut.
std::vector<std::uint8_t> DecodeMask(const Mask& mask);

}  // namespace xsp::pipeline

#endif  // XSP_PIPELINE_MASK_H_
