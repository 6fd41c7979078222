#include "capture/record/range_table.h"

namespace xsp::record {
namespace {

constexpr std::uint32_t Low(std::uint64_t word) { return static_cast<std::uint32_t>(word); }
// The tag tells a list head from the same head after others came and went.
constexpr std::uint64_t WithTag(std::uint64_t old, std::uint32_t index) {
  return ((old >> 32) + 1) << 32 | index;
}

}  // namespace

RangeTable::Slot* RangeTable::TakeSlot() {
  std::uint64_t head = free_.load(std::memory_order_acquire);
  while (Low(head) != 0) {
    Slot& slot = slots_[Low(head) - 1];
    const std::uint32_t next = slot.next.load(std::memory_order_relaxed);
    if (free_.compare_exchange_weak(head, WithTag(head, next), std::memory_order_acquire)) {
      return &slot;
    }
  }
  std::uint32_t used = used_.load(std::memory_order_relaxed);
  while (used < kSlots) {
    if (used_.compare_exchange_weak(used, used + 1, std::memory_order_relaxed)) {
      return &slots_[used];
    }
  }
  return nullptr;
}

std::uint64_t RangeTable::Add(const LooseRange& range) {
  Slot* slot = TakeSlot();
  if (slot == nullptr) return 0;
  slot->range = range;
  const auto index = static_cast<std::uint32_t>(slot - slots_);
  const std::uint64_t id = std::uint64_t{++slot->uses} << 32 | (index + 1);
  slot->id.store(id, std::memory_order_release);
  return id;
}

bool RangeTable::Take(std::uint64_t id, LooseRange* range) {
  const std::uint32_t index = Low(id) - 1;  // Of 0 the greatest number.
  if (index >= kSlots) return false;
  Slot& slot = slots_[index];
  std::uint64_t expected = id;
  if (id >> 32 == 0 || !slot.id.compare_exchange_strong(expected, 0, std::memory_order_acquire)) {
    return false;
  }
  *range = slot.range;
  std::uint64_t head = free_.load(std::memory_order_relaxed);
  do {
    slot.next.store(Low(head), std::memory_order_relaxed);
  } while (!free_.compare_exchange_weak(head, WithTag(head, index + 1), std::memory_order_release,
                                        std::memory_order_relaxed));
  return true;
}

std::uint32_t RangeTable::Count() const {
  std::uint32_t count = 0;
  const std::uint32_t used = used_.load(std::memory_order_relaxed);
  for (std::uint32_t i = 0; i < used; ++i) {
    if (slots_[i].id.load(std::memory_order_relaxed) != 0) ++count;
  }
  return count;
}

}  // namespace xsp::record
