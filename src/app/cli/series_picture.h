#ifndef XSP_APP_CLI_SERIES_PICTURE_H_
#define XSP_APP_CLI_SERIES_PICTURE_H_

#include <cstddef>
#include <span>
#include <string>

namespace xsp::cli {

/// A series of positive values as one line of block characters, whose height is the logarithm
/// between the smallest and the largest: one character a value, or the median of several
/// neighbours where there are more than fit into `width` columns. `changes`: indices, ascending; a
/// bar stands before the value of each.
std::string SeriesPicture(std::span<const double> values, std::span<const std::size_t> changes,
                          std::size_t width);

}  // namespace xsp::cli

#endif  // XSP_APP_CLI_SERIES_PICTURE_H_
