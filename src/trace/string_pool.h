#ifndef XSP_TRACE_STRING_POOL_H_
#define XSP_TRACE_STRING_POOL_H_

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace xsp::trace {

/// Index of a string in a StringPool; 0 is always the empty string.
using StringId = std::uint32_t;

/// Each distinct string once. Views stay valid for the pool's life. One thread at a time.
class StringPool {
 public:
  StringPool() { Intern(""); }
  StringPool(const StringPool&) = delete;
  StringPool& operator=(const StringPool&) = delete;
  StringPool(StringPool&&) = default;
  StringPool& operator=(StringPool&&) = default;

  StringId Intern(std::string_view text) {
    if (auto it = ids_.find(text); it != ids_.end()) return it->second;
    const auto id = static_cast<StringId>(strings_.size());
    ids_.emplace(strings_.emplace_back(text), id);
    return id;
  }

  std::string_view Get(StringId id) const { return strings_.at(id); }
  std::size_t size() const { return strings_.size(); }

 private:
  std::deque<std::string> strings_;  // A deque: growing moves no string, so views stay valid.
  std::unordered_map<std::string_view, StringId> ids_;
};

}  // namespace xsp::trace

#endif  // XSP_TRACE_STRING_POOL_H_
