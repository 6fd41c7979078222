#ifndef XSP_ANSWER_SUITE_ANSWER_JSON_H_
#define XSP_ANSWER_SUITE_ANSWER_JSON_H_

#include <nlohmann/json_fwd.hpp>

#include "answer/suite/answer.h"

namespace xsp::suite {

/// What programs read: {"answer", "title", "sentences", "method", "tables": [{"id", "title",
/// "columns": [{"name", "unit", "help", "provenance"}], "rows": [{...}]}]}. Missing numbers are
/// null. One that joins others has them in "parts", each likewise.
nlohmann::json AnswerJson(const Answer& answer);

/// What the page reads (web/src/suite_data.ts): the same, and the charts: [{"id", "title", "table",
/// "spec": {...}}], each with the "$schema" of the library that draws them. Fields that a chart's
/// transform makes and no reader shall see begin with "_". Without its parts, which stand beside it
/// there.
nlohmann::json PageJson(const Answer& answer);

}  // namespace xsp::suite

#endif  // XSP_ANSWER_SUITE_ANSWER_JSON_H_
