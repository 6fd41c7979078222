#ifndef XSP_CAPTURE_SAMPLING_SYMBOLS_H_
#define XSP_CAPTURE_SAMPLING_SYMBOLS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "capture/sampling/elf_file.h"
#include "capture/sampling/event_record.h"

namespace xsp::sampling {

/// A program or library, open.
struct LoadedFile {
  int fd = -1;  ///< -1: it could not be opened, or is no ELF file.
  std::unique_ptr<ElfFile> elf;
};

/// The files behind mappings, each read once whatever the number of processes.
class LoadedFiles {
 public:
  LoadedFiles() = default;
  ~LoadedFiles();
  LoadedFiles(const LoadedFiles&) = delete;
  LoadedFiles& operator=(const LoadedFiles&) = delete;

  /// As process `pid` sees it: it may be in a container of its own.
  const LoadedFile& Of(int pid, const Mapping& mapping);

 private:
  std::map<std::pair<std::string, std::uint64_t>, LoadedFile> files_;  ///< By path and inode.
};

/// Names of addresses, in order: of the kernel, or of code that a program made as it ran.
class SymbolList {
 public:
  void Add(std::uint64_t start, std::uint64_t end, std::string name);
  void Sort();
  /// Null: none is there.
  const std::string* Find(std::uint64_t address) const;
  bool empty() const { return symbols_.empty(); }

 private:
  struct Symbol {
    std::uint64_t start, end;
    std::string name;
  };
  std::vector<Symbol> symbols_;
};

/// The kernel's functions, from /proc/kallsyms; empty where it hides their addresses.
SymbolList ReadKernelSymbols();

/// What a just-in-time compiler says that it made, in /tmp/perf-PID.map: lines "START SIZE name",
/// numbers in hexadecimal (tools/perf/Documentation/jit-interface.txt of Linux).
SymbolList ReadPerfMap(const std::string& file);

}  // namespace xsp::sampling

#endif  // XSP_CAPTURE_SAMPLING_SYMBOLS_H_
