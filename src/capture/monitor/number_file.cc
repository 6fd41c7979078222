#include "capture/monitor/number_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <system_error>
#include <utility>

namespace xsp::monitor {

namespace {

constexpr std::size_t kFirstBytes = 4096;
/// /proc/stat of a machine with thousands of CPUs and interrupts stays far below.
constexpr std::size_t kMostBytes = std::size_t{16} << 20;
constexpr std::string_view kBetweenWords = " \t:=";

std::optional<std::uint64_t> Parse(std::string_view word) {
  std::uint64_t value = 0;
  const auto parsed = std::from_chars(word.data(), word.data() + word.size(), value);
  if (parsed.ec != std::errc()) return std::nullopt;
  return value;
}

}  // namespace

NumberFile::NumberFile(const std::filesystem::path& path)
    : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (fd_ < 0) {
    refused_ = std::generic_category().message(errno);
    return;
  }
  buffer_.resize(kFirstBytes);
}

NumberFile::NumberFile(NumberFile&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      refused_(std::move(other.refused_)),
      buffer_(std::move(other.buffer_)) {}

NumberFile::~NumberFile() {
  if (fd_ >= 0) close(fd_);
}

std::optional<std::string_view> NumberFile::Text() {
  if (fd_ < 0) return std::nullopt;
  std::size_t size = 0;
  for (;;) {
    if (size == buffer_.size()) {
      if (size >= kMostBytes) return std::nullopt;
      buffer_.resize(size * 2);
    }
    const ssize_t got =
        pread(fd_, buffer_.data() + size, buffer_.size() - size, static_cast<off_t>(size));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::nullopt;
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
    // Files of one number come whole: a second call would only say that nothing follows.
    if (size < buffer_.size() && buffer_[size - 1] == '\n' && size < 64) break;
  }
  if (size == 0) return std::nullopt;
  return std::string_view(buffer_.data(), size);
}

std::optional<std::uint64_t> NumberFile::Number() {
  const auto text = Text();
  return text ? Parse(*text) : std::nullopt;
}

bool Scanner::NextLine() {
  if (rest_.empty()) return false;
  const std::size_t end = std::min(rest_.find('\n'), rest_.size());
  line_ = rest_.substr(0, end);
  rest_.remove_prefix(std::min(end + 1, rest_.size()));
  return true;
}

std::string_view Scanner::Word() {
  const std::size_t start = std::min(line_.find_first_not_of(kBetweenWords), line_.size());
  line_.remove_prefix(start);
  const std::string_view word =
      line_.substr(0, std::min(line_.find_first_of(kBetweenWords), line_.size()));
  line_.remove_prefix(word.size());
  return word;
}

std::optional<std::uint64_t> Scanner::Number() { return Parse(Word()); }

std::optional<std::uint64_t> NumberAfter(std::string_view text, std::string_view key) {
  Scanner scanner(text);
  while (scanner.NextLine()) {
    if (scanner.Word() == key) return scanner.Number();
  }
  return std::nullopt;
}

}  // namespace xsp::monitor
