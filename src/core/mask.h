#ifndef XSP_CORE_MASK_H_
#define XSP_CORE_MASK_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace xsp::core {

/// A binary image as COCO's run lengths: the columns one after another, how many pixels are 0, then
/// how many are 1, then 0 again, ... The sum is height * width.
struct Mask {
  std::uint32_t height = 0;
  std::uint32_t width = 0;
  std::vector<std::uint32_t> runs;
};

/// A mask from its run lengths. Error: they do not add up to height * width.
Result<Mask> MaskFromRuns(std::uint32_t height, std::uint32_t width,
                          std::vector<std::uint32_t> runs);

/// A mask from COCO's compressed text: 6 bits a byte from '0' on, 5 of value and one that says
/// whether more follow, signed, and from the fourth number on the difference to the number two
/// before (cocoapi, common/maskApi.c, rleFrString). Errors: damaged text, a wrong sum.
Result<Mask> MaskFromText(std::uint32_t height, std::uint32_t width, std::string_view text);

/// A mask of `pixels`, row-major, not 0 where the object is. Error: not height * width pixels.
Result<Mask> MaskFromBitmap(std::uint32_t height, std::uint32_t width,
                            std::span<const std::uint8_t> pixels);

/// The pixels, 0 or 1, row-major. Runs beyond the image are cut.
std::vector<std::uint8_t> BitmapOf(const Mask& mask);

/// Pixels that are 1.
std::uint64_t MaskArea(const Mask& mask);

/// Pixels that are 1 in both. Masks must be of one size.
std::uint64_t MaskIntersection(const Mask& a, const Mask& b);

// All pure; any thread.

}  // namespace xsp::core

#endif  // XSP_CORE_MASK_H_
