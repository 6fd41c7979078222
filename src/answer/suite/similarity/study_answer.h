#ifndef XSP_ANSWER_SUITE_SIMILARITY_STUDY_ANSWER_H_
#define XSP_ANSWER_SUITE_SIMILARITY_STUDY_ANSWER_H_

#include <string>
#include <vector>

#include "answer/suite/answer.h"
#include "answer/suite/similarity/study.h"

namespace xsp::suite::similarity {

/// What the study finds, in words.
std::vector<std::string> SentencesOf(const Study& study);

/// How it was computed: standardisation, signs, linkage, rules.
std::vector<std::string> MethodOf(const Study& study);

/// The tables `clusters`, `coverage`, `components`, `loadings`, `scores`, `merges`, and `pairs` (of
/// at most 100 workloads).
std::vector<Table> TablesOf(const Study& study);

}  // namespace xsp::suite::similarity

#endif  // XSP_ANSWER_SUITE_SIMILARITY_STUDY_ANSWER_H_
