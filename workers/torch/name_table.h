#ifndef XSP_WORKERS_TORCH_NAME_TABLE_H_
#define XSP_WORKERS_TORCH_NAME_TABLE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "capture/wire/xsp.h"

namespace xsp::worker_torch {

/// From operator names to interned strings, a few ns each. One per thread.
///
/// An operator's name lies in its schema, at one address for good; other names are copied into each
/// RecordFunction, so the same address may hold another text next time. The address therefore only
/// finds the entry, and the text decides.
class NameTable {
 public:
  xsp_string Find(const char* name) {
    const Entry& entry = entries_[Slot(name)];
    if (entry.address == name && std::strcmp(entry.text, name) == 0) return entry.id;
    return FindByText(name);
  }

 private:
  static constexpr std::size_t kSlots = 1024;

  struct Entry {
    const char* address;
    const char* text;  ///< Owned by the set of texts in the .cc file; never freed.
    xsp_string id;
  };

  static std::size_t Slot(const char* name) {
    // Fibonacci hashing: neighbours on the heap go to different slots.
    return (reinterpret_cast<std::uintptr_t>(name) * 0x9e3779b97f4a7c15u) >> 54;
  }

  xsp_string FindByText(const char* name);

  std::array<Entry, kSlots> entries_;
};

/// This thread's table: plain data that begins as zeros.
NameTable& ThreadNames();

}  // namespace xsp::worker_torch

#endif  // XSP_WORKERS_TORCH_NAME_TABLE_H_
