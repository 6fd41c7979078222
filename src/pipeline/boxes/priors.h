#ifndef XSP_PIPELINE_BOXES_PRIORS_H_
#define XSP_PIPELINE_BOXES_PRIORS_H_

#include <string>
#include <vector>

#include "pipeline/base/parameters.h"
#include "pipeline/boxes/boxes.h"

namespace xsp::pipeline {

/// Reads the parameter `priors`: {"file": PATH} names a JSON list of [cx, cy, width, height];
/// {"maps": [{"rows", "columns", "boxes": [[width, height], ...]}, ...]} makes one prior for each
/// of the boxes at the centre ((column + 0.5) / columns, (row + 0.5) / rows) of each cell, map
/// after map, row by row. All as fractions of the input, at most 2^20 priors. `priors` stays empty
/// without the parameter. Errors: bad_input; a wrong parameter is left to `parameters`.
Status ReadPriors(Parameters& parameters, const std::string& folder, std::vector<Prior>& priors);

}  // namespace xsp::pipeline

#endif  // XSP_PIPELINE_BOXES_PRIORS_H_
