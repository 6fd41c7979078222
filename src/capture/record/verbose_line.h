#ifndef XSP_CAPTURE_RECORD_VERBOSE_LINE_H_
#define XSP_CAPTURE_RECORD_VERBOSE_LINE_H_

#include <cstdint>
#include <string_view>

namespace xsp::record {

/// What the hot path needs of one line; the importer reads the rest from the line itself.
struct VerboseLine {
  std::string_view kind;  ///< "convolution", "SGEMM"; points into the line.
  std::uint64_t duration_ns = 0;
};

/// Whether `text` begins as a line of oneDNN (any of its names so far) or MKL does.
bool IsVerbose(std::string_view text);

/// Reads a line that says a primitive or call was executed. False for every other line (creation,
/// versions, a oneDNN graph partition, whose primitives announce themselves). Allocates nothing.
///
/// oneDNN: fields separated by commas, "exec" among the first five, then engine and kind (no engine
/// before 1.0), the time in ms last. MKL: "MKL_VERBOSE NAME(arguments) 1.23us CNR:...".
bool ParseExecution(std::string_view line, VerboseLine& result);

}  // namespace xsp::record

#endif  // XSP_CAPTURE_RECORD_VERBOSE_LINE_H_
