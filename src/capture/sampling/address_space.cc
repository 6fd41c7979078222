#include "capture/sampling/address_space.h"

#include <fmt/format.h>

#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

namespace xsp::sampling {

bool AddressSpace::Add(const Mapping& mapping) {
  if (mapping.length == 0) return false;
  bool gave_way = false;
  auto at = mappings_.upper_bound(mapping.start);
  if (at != mappings_.begin()) --at;
  while (at != mappings_.end() && at->second.start < mapping.end()) {
    const Mapping old = at->second;
    if (old.end() <= mapping.start) {
      ++at;
      continue;
    }
    gave_way = true;
    at = mappings_.erase(at);
    if (old.start < mapping.start) {
      Mapping left = old;
      left.length = mapping.start - old.start;
      mappings_.emplace(left.start, left);
    }
    if (old.end() > mapping.end()) {
      Mapping right = old;
      right.start = mapping.end();
      right.length = old.end() - right.start;
      right.file_offset += right.start - old.start;
      at = mappings_.emplace(right.start, right).first;
      break;
    }
  }
  mappings_.emplace(mapping.start, mapping);
  return gave_way;
}

const Mapping* AddressSpace::Find(std::uint64_t address) const {
  const auto after = mappings_.upper_bound(address);
  if (after == mappings_.begin()) return nullptr;
  const Mapping& mapping = std::prev(after)->second;
  return address < mapping.end() ? &mapping : nullptr;
}

std::vector<Mapping> ReadMappings(int pid) {
  std::vector<Mapping> mappings;
  std::ifstream maps(fmt::format("/proc/{}/maps", pid));
  for (std::string line; std::getline(maps, line);) {
    std::uint64_t start = 0, end = 0, offset = 0, inode = 0;
    char rights[5] = {};
    int path_at = 0;
    const int read =
        std::sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*s %" SCNu64 " %n",
                    &start, &end, rights, &offset, &inode, &path_at);
    if (read < 5 || rights[2] != 'x' || end < start) continue;
    std::string path = line.substr(static_cast<std::size_t>(path_at));
    mappings.push_back({start, end - start, offset, inode, path.empty() ? "//anon" : path});
  }
  return mappings;
}

}  // namespace xsp::sampling
