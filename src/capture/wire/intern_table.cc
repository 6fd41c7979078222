#include "capture/wire/intern_table.h"

#include <stdlib.h>
#include <string.h>

#include <new>

namespace xsp::wire {
namespace {

// FNV-1a, 64 bits (Fowler, Noll, Vo).
std::uint64_t Hash(const char* text, std::size_t length) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (std::size_t i = 0; i < length; ++i) {
    hash = (hash ^ static_cast<unsigned char>(text[i])) * 0x100000001b3u;
  }
  return hash;
}

}  // namespace

const InternedText* InternTable::Find(const char* text, std::size_t length) const {
  const std::uint64_t hash = Hash(text, length);
  for (const InternedText* entry = buckets_[hash % kBuckets].load(std::memory_order_acquire);
       entry != nullptr; entry = entry->next_in_bucket.load(std::memory_order_acquire)) {
    if (entry->hash == hash && entry->length == length &&
        memcmp(entry->text(), text, length) == 0) {
      return entry;
    }
  }
  return nullptr;
}

InternedText* InternTable::Make(const char* text, std::size_t length) {
  const std::uint32_t id = last_ == nullptr ? 1 : last_->id + 1;
  if (id > kMaxTexts || bytes_ + length > kMaxBytes) return nullptr;
  void* memory = malloc(sizeof(InternedText) + length);
  if (memory == nullptr) return nullptr;
  auto* entry = new (memory)
      InternedText{nullptr, nullptr, Hash(text, length), id, static_cast<std::uint32_t>(length)};
  memcpy(static_cast<char*>(memory) + sizeof(InternedText), text, length);
  return entry;
}

void InternTable::Add(InternedText* entry) {
  bytes_ += entry->length;
  (last_ == nullptr ? first_ : last_->next) = entry;
  last_ = entry;
  std::atomic<InternedText*>& bucket = buckets_[entry->hash % kBuckets];
  entry->next_in_bucket.store(bucket.load(std::memory_order_relaxed), std::memory_order_relaxed);
  bucket.store(entry, std::memory_order_release);
}

void InternTable::Discard(InternedText* entry) { free(entry); }

}  // namespace xsp::wire
