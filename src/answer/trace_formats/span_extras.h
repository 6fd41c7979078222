#ifndef XSP_ANSWER_TRACE_FORMATS_SPAN_EXTRAS_H_
#define XSP_ANSWER_TRACE_FORMATS_SPAN_EXTRAS_H_

#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "answer/trace_formats/exported_run.h"
#include "core/result.h"
#include "store/database.h"

namespace xsp::trace_formats {

/// Metrics, attributes and flows of the spans of a slice, by the id of the span. `condition`: as
/// SpanSlice has it. Errors: those of Database::Scan.
Result<std::unordered_map<std::int64_t, SpanExtras>> ReadExtras(const store::Database& run,
                                                                std::string_view condition);

}  // namespace xsp::trace_formats

#endif  // XSP_ANSWER_TRACE_FORMATS_SPAN_EXTRAS_H_
