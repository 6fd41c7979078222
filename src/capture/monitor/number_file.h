#ifndef XSP_CAPTURE_MONITOR_NUMBER_FILE_H_
#define XSP_CAPTURE_MONITOR_NUMBER_FILE_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace xsp::monitor {

/// A small text file of the kernel that is read again and again through one descriptor.
/// Threading: one thread at a time.
class NumberFile {
 public:
  explicit NumberFile(const std::filesystem::path& path);
  NumberFile(NumberFile&& other) noexcept;
  NumberFile& operator=(NumberFile&&) = delete;
  ~NumberFile();

  /// Empty while it can be read; else what the system said when it was opened ("Permission
  /// denied").
  const std::string& refused() const { return refused_; }
  bool is_open() const { return fd_ >= 0; }

  /// The whole text as it is now, valid until the next call; nothing where it cannot be read (any
  /// more) or is empty. Allocates only when the text outgrows all before.
  std::optional<std::string_view> Text();

  /// The text as one unsigned number; nothing where it is none ("max").
  std::optional<std::uint64_t> Number();

 private:
  int fd_ = -1;
  std::string refused_;
  std::vector<char> buffer_;
};

/// Words and lines of a text, one after another.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  /// Goes on with the next line; false: there is none. Call it before the first, too.
  bool NextLine();
  /// The next word of the line, empty at its end. Blanks, tabs, colons and equals signs part words.
  std::string_view Word();
  /// The next word as a number; nothing at the end, or where it is none.
  std::optional<std::uint64_t> Number();

 private:
  std::string_view rest_, line_;
};

/// The number after `key` at the start of a line ("throttled_usec 12", "MemTotal: 12 kB").
std::optional<std::uint64_t> NumberAfter(std::string_view text, std::string_view key);

}  // namespace xsp::monitor

#endif  // XSP_CAPTURE_MONITOR_NUMBER_FILE_H_
