#ifndef XSP_ANSWER_SUITE_SIMILARITY_CHARTS_H_
#define XSP_ANSWER_SUITE_SIMILARITY_CHARTS_H_

#include <cstddef>
#include <vector>

#include "answer/suite/answer.h"
#include "answer/suite/similarity/study.h"

namespace xsp::suite::similarity {

/// The pictures of a study: scree, loadings, workloads on two components (0-based; equal when there
/// is one component only) with the hulls of their suites, dendrogram with its cut. They draw the
/// tables `components`, `loadings` and `scores` of the answer.
std::vector<Chart> ChartsOf(const Study& study, std::size_t across, std::size_t up);

}  // namespace xsp::suite::similarity

#endif  // XSP_ANSWER_SUITE_SIMILARITY_CHARTS_H_
