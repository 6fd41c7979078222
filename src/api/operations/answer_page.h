#ifndef XSP_API_OPERATIONS_ANSWER_PAGE_H_
#define XSP_API_OPERATIONS_ANSWER_PAGE_H_

#include <filesystem>

#include "answer/suite/answer.h"
#include "core/result.h"

namespace xsp::api {

/// Writes the page of `answer` and its parts, with their charts, to `file`. Errors: as
/// report::SuitePage() and os::WriteFileAtomically().
Status WriteAnswerPage(const suite::Answer& answer, const std::filesystem::path& file);

}  // namespace xsp::api

#endif  // XSP_API_OPERATIONS_ANSWER_PAGE_H_
