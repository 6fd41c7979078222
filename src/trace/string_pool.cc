#include "trace/string_pool.h"

#include <algorithm>
#include <cstring>

namespace xsp::trace {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{64} << 10;
constexpr std::size_t kFirstSlots = 256;

__extension__ typedef unsigned __int128 Wide;

std::uint64_t Mix(std::uint64_t a, std::uint64_t b) {
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

std::uint64_t Load(const char* at, std::size_t bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, bytes);
  return word;
}

/// Sixteen bytes a multiplication, both halves of the product folded into one (as wyhash does,
/// Wang Yi 2019); the last sixteen may overlap those before.
std::uint64_t Hash(std::string_view text) {
  constexpr std::uint64_t kFirst = 0xA0761D6478BD642F, kSecond = 0xE7037ED1A0B428DB;
  std::uint64_t hash = text.size() ^ kFirst;
  const char* at = text.data();
  std::size_t left = text.size();
  for (; left > 16; at += 16, left -= 16) hash = Mix(Load(at, 8) ^ kSecond, Load(at + 8, 8) ^ hash);
  if (left < text.size())
    return Mix(Load(at + left - 16, 8) ^ kSecond, Load(at + left - 8, 8) ^ hash);
  if (left > 8) return Mix(Load(at, 8) ^ kSecond, Load(at + left - 8, 8) ^ hash);
  return Mix(Load(at, left) ^ kSecond, hash);
}

}  // namespace

StringPool::StringPool() : strings_{std::string_view()}, slots_(kFirstSlots) {}

StringId StringPool::Intern(std::string_view text) {
  if (text.empty()) return 0;
  const std::uint64_t hash = Hash(text);
  const auto part = static_cast<std::uint32_t>(hash >> 32);
  for (std::size_t at = hash & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
    Slot& slot = slots_[at];
    if (slot.id == 0) {
      slot = {part, Add(text)};
      const StringId id = slot.id;
      if (2 * strings_.size() > slots_.size()) Grow();
      return id;
    }
    if (slot.hash == part && strings_[slot.id] == text) return slot.id;
  }
}

StringId StringPool::Add(std::string_view text) {
  char* place = nullptr;
  if (text.size() > kBlockBytes / 4) {
    // A block of its own, put before the one that is being filled.
    auto block = std::make_unique<char[]>(text.size());
    place = block.get();
    blocks_.insert(blocks_.end() - (blocks_.empty() ? 0 : 1), std::move(block));
  } else {
    if (free_ < text.size()) {
      blocks_.push_back(std::make_unique<char[]>(kBlockBytes));
      free_ = kBlockBytes;
    }
    place = blocks_.back().get() + (kBlockBytes - free_);
    free_ -= text.size();
  }
  std::memcpy(place, text.data(), text.size());
  strings_.emplace_back(place, text.size());
  return static_cast<StringId>(strings_.size() - 1);
}

void StringPool::Grow() {
  std::vector<Slot> larger(2 * slots_.size());
  for (StringId id = 1; id < strings_.size(); ++id) {
    const std::uint64_t hash = Hash(strings_[id]);
    std::size_t at = hash & (larger.size() - 1);
    while (larger[at].id != 0) at = (at + 1) & (larger.size() - 1);
    larger[at] = {static_cast<std::uint32_t>(hash >> 32), id};
  }
  slots_.swap(larger);
}

}  // namespace xsp::trace
