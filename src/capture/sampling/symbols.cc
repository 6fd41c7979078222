#include "capture/sampling/symbols.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "capture/sampling/address_space.h"

namespace xsp::sampling {
namespace {

/// The kernel's own little library, the same in every process: as a file. -1: there is none.
int OpenVdso() {
  const unsigned long start = getauxval(AT_SYSINFO_EHDR);
  for (const Mapping& mapping : ReadMappings(getpid())) {
    if (mapping.start != start) continue;
    const int fd = memfd_create("vdso", MFD_CLOEXEC);
    const auto size = static_cast<ssize_t>(mapping.length);
    if (fd >= 0 && write(fd, reinterpret_cast<const void*>(start), mapping.length) == size)
      return fd;
    if (fd >= 0) close(fd);
  }
  return -1;
}

int OpenFile(int pid, const std::string& path) {
  if (path == "[vdso]") return OpenVdso();
  if (!path.starts_with("/") || path.starts_with("//") || path.starts_with("/dev/")) return -1;
  // A pipe of that name would be waited for.
  constexpr int kFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK;
  const int fd = open(fmt::format("/proc/{}/root{}", pid, path).c_str(), kFlags);
  return fd >= 0 ? fd : open(path.c_str(), kFlags);
}

}  // namespace

LoadedFiles::~LoadedFiles() {
  for (auto& [key, file] : files_) {
    file.elf.reset();
    if (file.fd >= 0) close(file.fd);
  }
}

const LoadedFile& LoadedFiles::Of(int pid, const Mapping& mapping) {
  const auto [it, is_new] = files_.try_emplace({mapping.path, mapping.inode});
  LoadedFile& file = it->second;
  if (!is_new) return file;
  file.fd = OpenFile(pid, mapping.path);
  if (file.fd < 0) return file;
  file.elf = ElfFile::Read(file.fd);
  if (file.elf) return file;
  close(file.fd);
  file.fd = -1;
  return file;
}

void SymbolList::Add(std::uint64_t start, std::uint64_t end, std::string name) {
  symbols_.push_back({start, end, std::move(name)});
}

void SymbolList::Sort() {
  // Of two at one place the later stays on top: code is made anew where old code was.
  std::stable_sort(symbols_.begin(), symbols_.end(),
                   [](const Symbol& a, const Symbol& b) { return a.start < b.start; });
}

const std::string* SymbolList::Find(std::uint64_t address) const {
  const auto after = std::upper_bound(
      symbols_.begin(), symbols_.end(), address,
      [](std::uint64_t value, const Symbol& symbol) { return value < symbol.start; });
  if (after == symbols_.begin()) return nullptr;
  const Symbol& symbol = *std::prev(after);
  return address < symbol.end ? &symbol.name : nullptr;
}

SymbolList ReadKernelSymbols() {
  SymbolList symbols;
  std::ifstream file("/proc/kallsyms");
  struct Line {
    std::uint64_t start;
    std::string name;
  };
  std::vector<Line> lines;
  // "ffffffff81000000 T _text", and "\t[module]" behind those of modules.
  for (std::string line; std::getline(file, line);) {
    char* at = nullptr;
    const std::uint64_t start = std::strtoull(line.c_str(), &at, 16);
    if (start == 0 || at[0] != ' ' || at[1] == '\0' || at[2] != ' ') continue;
    if (std::strchr("tTwW", at[1]) != nullptr)
      lines.push_back({start, std::string(at + 3, std::strcspn(at + 3, "\t"))});
  }
  std::stable_sort(lines.begin(), lines.end(),
                   [](const Line& a, const Line& b) { return a.start < b.start; });
  for (std::size_t i = 0; i < lines.size(); ++i) {
    // Several at one place: the first is taken, the others would have no room.
    std::size_t next = i + 1;
    while (next < lines.size() && lines[next].start == lines[i].start) ++next;
    const std::uint64_t end = next < lines.size() ? lines[next].start : lines[i].start + 4096;
    symbols.Add(lines[i].start, end, std::move(lines[i].name));
    i = next - 1;
  }
  return symbols;
}

SymbolList ReadPerfMap(const std::string& path) {
  SymbolList symbols;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::uint64_t start = 0, size = 0;
    int name_at = 0;
    const int read =
        std::sscanf(line.c_str(), "%" SCNx64 " %" SCNx64 " %n", &start, &size, &name_at);
    if (read != 2 || name_at == 0 || start + size < start) continue;
    symbols.Add(start, start + size, line.substr(static_cast<std::size_t>(name_at)));
  }
  symbols.Sort();
  return symbols;
}

}  // namespace xsp::sampling
