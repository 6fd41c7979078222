#ifndef XSP_CAPTURE_RECORD_RANGE_TABLE_H_
#define XSP_CAPTURE_RECORD_RANGE_TABLE_H_

#include <atomic>
#include <cstdint>

#include "capture/record/ranges.h"

namespace xsp::record {

/// A range that is open on no thread in particular.
struct LooseRange {
  std::uint64_t start_ns;
  RangeDomain* domain;
  xsp_string name, type;
  std::uint32_t thread_id;  ///< That started it.
  bool is_recorded;         ///< Its level was on at the start.
  bool is_asked;            ///< Recording is confined to it.
  RangeDetails details;
};

/// Ranges by id, for threads that start and end them at the same time: no lock, no allocation.
/// Must have static storage: it starts as zeros.
class RangeTable {
 public:
  static constexpr std::uint32_t kSlots = 4096;

  /// Keeps the range; its id, or 0 where the table is full.
  std::uint64_t Add(const LooseRange& range);

  /// Takes the range of that id out. False: there is none.
  bool Take(std::uint64_t id, LooseRange* range);

  /// Ranges in the table now.
  std::uint32_t Count() const;

 private:
  struct Slot {
    std::atomic<std::uint64_t> id;  ///< 0: free, or being filled.
    std::uint32_t uses;
    std::atomic<std::uint32_t> next;  ///< In the list of free slots: index + 1.
    LooseRange range;
  };

  Slot* TakeSlot();

  std::atomic<std::uint64_t> free_{0};  ///< Index + 1 of the first free slot | a tag << 32.
  std::atomic<std::uint32_t> used_{0};  ///< Slots that were ever used.
  Slot slots_[kSlots] = {};
};

}  // namespace xsp::record

#endif  // XSP_CAPTURE_RECORD_RANGE_TABLE_H_
