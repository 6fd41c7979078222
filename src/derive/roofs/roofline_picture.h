#ifndef XSP_DERIVE_ROOFS_ROOFLINE_PICTURE_H_
#define XSP_DERIVE_ROOFS_ROOFLINE_PICTURE_H_

#include <string>
#include <vector>

#include "derive/roofs/roof.h"

namespace xsp::roofs {

/// The roofs of one processor or device, to be drawn. Texts may hold anything: they are escaped.
struct RooflinePicture {
  std::string title;       ///< The processor.
  std::string conditions;  ///< When and how it was measured; may be empty.
  /// Of these, what is drawn are the FLOP/s roofs of the most cores, the DRAM roof that is `used`,
  /// and of each cache the faster of read and triad. Solid lines.
  std::vector<Roof> measured;
  std::vector<Roof> sheet;  ///< All are drawn, dashed.
};

/// A roofline (Williams, Waterman, Patterson, 2009) on two logarithmic axes, operations per byte
/// and operations per second: slopes of bandwidth, ceilings of data types and units, and where each
/// ceiling meets the DRAM slope of its own kind (measured or data sheet). Below it every line with
/// its figure and where it comes from. One SVG document that needs nothing else. Empty where no
/// ceiling and no bandwidth is known.
std::string RooflineSvg(const RooflinePicture& picture);

/// The same drawing on a self-contained HTML page, with a table of every figure and its source in
/// full. Empty as above.
std::string RooflinePage(const RooflinePicture& picture);

}  // namespace xsp::roofs

#endif  // XSP_DERIVE_ROOFS_ROOFLINE_PICTURE_H_
