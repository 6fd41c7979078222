#ifndef XSP_TRACE_ARGUMENTS_H_
#define XSP_TRACE_ARGUMENTS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "trace/string_pool.h"

namespace xsp::trace {

/// The arguments that events of a foreign file carry, one JSON object an event, kept whole in a few
/// bytes each: a trace has ten an event, most of them numbers in the same places.
///
/// An object is kept as its layout (the text with the numbers taken out, each distinct layout once,
/// in the trace's string pool) and its numbers (variable-length). White space outside strings goes;
/// else the text that comes back is the text that went in, digit for digit.
class ArgumentTable {
 public:
  /// Adds the object `json` of the span `span`. The text is not checked: whatever it holds comes
  /// back. One thread.
  void Add(std::uint32_t span, std::string_view json, StringPool& strings);

  std::size_t size() const { return spans_.size(); }
  std::uint32_t span(std::size_t row) const { return spans_[row]; }

  /// Reads rows in order, from any row on: O(1) a step.
  class Cursor {
   public:
    explicit Cursor(const ArgumentTable& table, std::size_t row = 0);
    /// Replaces `out` by the text of the row, and goes on to the next.
    void Next(const StringPool& strings, std::string& out);

   private:
    const ArgumentTable& table_;
    std::size_t row_;
    std::size_t at_;
  };

  /// Bytes of memory in use.
  std::size_t MemoryBytes() const;

 private:
  std::vector<std::uint32_t> spans_;
  std::vector<StringId> layouts_;
  std::vector<std::uint8_t> values_;    ///< Of each row: the length of its numbers, and these.
  std::vector<std::uint64_t> anchors_;  ///< Where each kAnchorRows-th row starts in values_.
  std::string layout_;                  ///< Scratch.
  std::vector<std::uint8_t> numbers_;   ///< Scratch.
};

}  // namespace xsp::trace

#endif  // XSP_TRACE_ARGUMENTS_H_
