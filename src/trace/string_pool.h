#ifndef XSP_TRACE_STRING_POOL_H_
#define XSP_TRACE_STRING_POOL_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace xsp::trace {

/// Index of a string in a StringPool; 0 is always the empty string.
using StringId = std::uint32_t;

/// Each distinct string once. Views stay valid for the pool's life, also when it is moved. One
/// thread at a time.
class StringPool {
 public:
  StringPool();
  StringPool(const StringPool&) = delete;
  StringPool& operator=(const StringPool&) = delete;
  StringPool(StringPool&&) = default;
  StringPool& operator=(StringPool&&) = default;

  StringId Intern(std::string_view text);

  std::string_view Get(StringId id) const { return strings_.at(id); }
  std::size_t size() const { return strings_.size(); }

 private:
  /// A place of the hash table: an id and a part of its string's hash. Id 0: free.
  struct Slot {
    std::uint32_t hash = 0;
    StringId id = 0;
  };

  StringId Add(std::string_view text);
  void Grow();

  std::vector<std::string_view> strings_;  ///< By id; they lie in blocks_.
  std::vector<std::unique_ptr<char[]>> blocks_;
  std::size_t free_ = 0;     ///< Bytes at the end of the last block.
  std::vector<Slot> slots_;  ///< Linear probing; a power of two, at most half of them taken.
};

}  // namespace xsp::trace

#endif  // XSP_TRACE_STRING_POOL_H_
