#ifndef XSP_ANSWER_TRACE_FORMATS_TEXT_NUMBERS_H_
#define XSP_ANSWER_TRACE_FORMATS_TEXT_NUMBERS_H_

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace xsp::trace_formats {

/// Numbers texts from 0 in the order in which they are first seen, for formats that write each text
/// once.
class TextNumbers {
 public:
  std::uint32_t NumberOf(std::string_view text) {
    const auto found = numbers_.find(text);
    if (found != numbers_.end()) return found->second;
    texts_.emplace_back(text);
    const auto number = static_cast<std::uint32_t>(texts_.size() - 1);
    numbers_.emplace(texts_.back(), number);
    return number;
  }

  /// By number.
  const std::deque<std::string>& texts() const { return texts_; }

 private:
  std::deque<std::string> texts_;  // Their addresses stay.
  std::unordered_map<std::string_view, std::uint32_t> numbers_;
};

}  // namespace xsp::trace_formats

#endif  // XSP_ANSWER_TRACE_FORMATS_TEXT_NUMBERS_H_
