#include "torch/name_table.h"

#include <string>
#include <string_view>
#include <unordered_map>

namespace xsp::worker_torch {
namespace {

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>{}(text);
  }
};

using TextMap = std::unordered_map<std::string, xsp_string, TextHash, std::equal_to<>>;

}  // namespace

xsp_string NameTable::FindByText(const char* name) {
  // Leaked: a thread may still call while it ends.
  thread_local TextMap& ids = *new TextMap;
  const std::string_view text(name);
  auto it = ids.find(text);
  if (it == ids.end()) it = ids.emplace(text, xsp_intern(text.data(), text.size())).first;
  entries_[Slot(name)] = {name, it->first.c_str(), it->second};
  return it->second;
}

NameTable& ThreadNames() {
  thread_local constinit NameTable table = {};
  return table;
}

}  // namespace xsp::worker_torch
