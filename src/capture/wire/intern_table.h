#ifndef XSP_CAPTURE_WIRE_INTERN_TABLE_H_
#define XSP_CAPTURE_WIRE_INTERN_TABLE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace xsp::wire {

/// A text that this process has named. Never freed, never changed once it can be found.
struct InternedText {
  std::atomic<InternedText*> next_in_bucket;
  InternedText* next;  ///< In order of id.
  std::uint64_t hash;
  std::uint32_t id;
  std::uint32_t length;

  const char* text() const { return reinterpret_cast<const char*>(this + 1); }
};

/// Every text of the process and its id, from 1 on. It outlives recordings, so that ids kept in
/// static variables stay good. Finding takes no lock; adding is serialised by the caller.
class InternTable {
 public:
  constexpr InternTable() = default;

  /// The entry of `text`, or null.
  const InternedText* Find(const char* text, std::size_t length) const;

  /// A new entry with the next id, not yet to be found. Null when the table is full (2^20 texts or
  /// 64 MiB) or memory is. The caller then calls Add, or Discard.
  InternedText* Make(const char* text, std::size_t length);
  void Add(InternedText* entry);
  static void Discard(InternedText* entry);

  /// The first in order of id, or null.
  const InternedText* first() const { return first_; }

 private:
  static constexpr std::size_t kBuckets = 4096;
  static constexpr std::uint32_t kMaxTexts = 1 << 20;
  static constexpr std::size_t kMaxBytes = 64 << 20;

  std::atomic<InternedText*> buckets_[kBuckets] = {};
  InternedText* first_ = nullptr;
  InternedText* last_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace xsp::wire

#endif  // XSP_CAPTURE_WIRE_INTERN_TABLE_H_
