#ifndef XSP_DERIVE_TIMELINE_KEY_INDEX_H_
#define XSP_DERIVE_TIMELINE_KEY_INDEX_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace xsp::timeline {

/// Numbers distinct 64-bit keys in the order in which they come: 0, 1, 2, ... For tables that are
/// looked up once a span: linear probing in one block, about 10 ns while it fits the cache.
class KeyIndex {
 public:
  /// The number of `key`, a new one if it is new.
  std::uint32_t Of(std::uint64_t key) {
    if (keys_.size() * 2 >= slots_.size()) Grow();
    std::uint32_t& slot = Find(key);
    if (slot == kFree) {
      slot = static_cast<std::uint32_t>(keys_.size());
      keys_.push_back(key);
    }
    return slot;
  }

  std::uint64_t key(std::uint32_t number) const { return keys_[number]; }
  std::size_t size() const { return keys_.size(); }

 private:
  static constexpr std::uint32_t kFree = 0xFFFFFFFF;

  std::uint32_t& Find(std::uint64_t key) {
    // The finaliser of MurmurHash3: keys differ in a few bits only.
    std::uint64_t hash = key;
    hash = (hash ^ (hash >> 33)) * 0xff51afd7ed558ccdULL;
    hash = (hash ^ (hash >> 33)) * 0xc4ceb9fe1a85ec53ULL;
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = (hash ^ (hash >> 33)) & mask;
    while (slots_[at] != kFree && keys_[slots_[at]] != key) at = (at + 1) & mask;
    return slots_[at];
  }

  void Grow() {
    slots_.assign(slots_.empty() ? 1024 : 2 * slots_.size(), kFree);
    for (std::size_t i = 0; i < keys_.size(); ++i) Find(keys_[i]) = static_cast<std::uint32_t>(i);
  }

  std::vector<std::uint64_t> keys_;   ///< By number.
  std::vector<std::uint32_t> slots_;  ///< A power of two, at most half of them taken.
};

}  // namespace xsp::timeline

#endif  // XSP_DERIVE_TIMELINE_KEY_INDEX_H_
