#ifndef XSP_ANSWER_TRACE_FORMATS_SPAN_SLICES_H_
#define XSP_ANSWER_TRACE_FORMATS_SPAN_SLICES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "core/result.h"
#include "store/database.h"

namespace xsp::trace_formats {

/// A part of a run's spans that is sorted and read at once.
struct SpanSlice {
  std::string condition;   ///< Of table `span`, in SQL.
  std::int64_t spans = 0;  ///< About how many there are.
};

/// Cuts the spans of a run, in the order of track and start, into slices of about `slice_spans` at
/// most: to sort all rows of a large run at once takes more memory than an export may. More spans
/// of a track than that with one start are one slice. Errors: those of Database::Query.
Result<std::vector<SpanSlice>> CutSpans(const store::Database& run, std::int64_t slice_spans);

}  // namespace xsp::trace_formats

#endif  // XSP_ANSWER_TRACE_FORMATS_SPAN_SLICES_H_
