#ifndef XSP_CAPTURE_COLLECT_MACHINE_FILES_H_
#define XSP_CAPTURE_COLLECT_MACHINE_FILES_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "capture/collect/collector.h"

namespace xsp::collect {

/// Small text files of /proc, /sys and /etc below a root, so that a test can show a collector any
/// machine. Paths are relative: "proc/meminfo". Reads anew each time; any thread.
class MachineFiles {
 public:
  explicit MachineFiles(std::filesystem::path root = "/") : root_(std::move(root)) {}

  /// The whole file without blanks at its ends. Nothing: no such file, not readable, or over 16
  /// MiB.
  std::optional<std::string> Text(const std::filesystem::path& path) const;

  /// A file that starts with a number.
  std::optional<std::int64_t> Number(const std::filesystem::path& path) const;

  /// What follows `key` and a colon, equals sign or blank at the start of a line: Value(
  /// "proc/meminfo", "MemTotal") gives "24087832 kB".
  std::optional<std::string> Value(const std::filesystem::path& path, std::string_view key) const;

  /// Value() where it starts with a number.
  std::optional<std::int64_t> NumberOf(const std::filesystem::path& path,
                                       std::string_view key) const;

  /// Names in a folder, sorted; empty when there is none.
  std::vector<std::string> Names(const std::filesystem::path& folder) const;

  /// Where a symbolic link points to, as it is written there. Nothing: not there, or no link.
  std::optional<std::string> LinkTarget(const std::filesystem::path& path) const;

  bool Exists(const std::filesystem::path& path) const;
  const std::filesystem::path& root() const { return root_; }

 private:
  std::filesystem::path root_;
};

/// The number at the start of `text`, or nothing.
std::optional<std::int64_t> LeadingNumber(std::string_view text);

/// Gathers facts under one key prefix, in order.
class FactSheet {
 public:
  explicit FactSheet(std::string_view prefix) : prefix_(prefix) {}

  /// A fact "prefix.name". Without a value (or with an empty one) it is hidden, for the reason
  /// `why`.
  void Add(std::string_view name, std::optional<std::string> value,
           std::string_view why = "the kernel does not say");
  void Add(std::string_view name, std::optional<std::int64_t> value,
           std::string_view why = "the kernel does not say");

  std::vector<Fact> Take() { return std::move(facts_); }

 private:
  std::string prefix_;
  std::vector<Fact> facts_;
};

}  // namespace xsp::collect

#endif  // XSP_CAPTURE_COLLECT_MACHINE_FILES_H_
