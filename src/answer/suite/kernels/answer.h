#ifndef XSP_ANSWER_SUITE_KERNELS_ANSWER_H_
#define XSP_ANSWER_SUITE_KERNELS_ANSWER_H_

#include <string>

#include "answer/suite/answer.h"
#include "answer/suite/kernels/classes.h"

namespace xsp::suite::kernels {

/// `summary` in sentences, tables and charts. `provenance`: of the columns.
Answer AnswerOf(const Summary& summary, const std::string& provenance);

}  // namespace xsp::suite::kernels

#endif  // XSP_ANSWER_SUITE_KERNELS_ANSWER_H_
