#ifndef XSP_ANSWER_COMPARE_PAGE_PAGE_SUMS_H_
#define XSP_ANSWER_COMPARE_PAGE_PAGE_SUMS_H_

#include <cstddef>
#include <nlohmann/json.hpp>

#include "derive/compare/compared_sides.h"

namespace xsp::compare_page {

/// Sums over all compared nodes, whichever rows the page carries (`PairSums` of
/// web/src/compare_data.ts): times by type of operator, device work (without a device layers) that
/// only one side has by name, and work with a counterpart by both names where these differ. Of each
/// list the `most` with the largest times or differences, with the number and time of all.
nlohmann::json PageSums(const compare::Sides& sides, const compare::ComparedTrees& trees,
                        std::size_t most);

}  // namespace xsp::compare_page

#endif  // XSP_ANSWER_COMPARE_PAGE_PAGE_SUMS_H_
