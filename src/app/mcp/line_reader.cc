#include "app/mcp/line_reader.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

namespace xsp::mcp {

LineReader::More LineReader::Read() {
  std::array<pollfd, 2> waits = {{{fd_, POLLIN, 0}, {wake_fd_, POLLIN, 0}}};
  while (poll(waits.data(), waits.size(), -1) < 0)
    if (errno != EINTR) return More::kEnd;
  if (waits[1].revents != 0) return More::kStopped;
  std::array<char, 64 * 1024> chunk;
  ssize_t count = 0;
  do {
    count = read(fd_, chunk.data(), chunk.size());
  } while (count < 0 && errno == EINTR);
  if (count <= 0) return More::kEnd;
  buffer_.append(chunk.data(), static_cast<std::size_t>(count));
  return More::kYes;
}

LineReader::Line LineReader::Next() {
  while (true) {
    const std::size_t end = buffer_.find('\n', searched_);
    if (end != std::string::npos) {
      std::string text = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      searched_ = 0;
      if (std::exchange(skips_line_, false)) continue;
      if (text.size() > max_bytes_) return {Kind::kTooLong};
      return {Kind::kLine, std::move(text)};
    }
    searched_ = buffer_.size();
    if (skips_line_ || buffer_.size() > max_bytes_) {
      const bool was_known = std::exchange(skips_line_, true);
      buffer_ = std::string();
      searched_ = 0;
      if (!was_known) return {Kind::kTooLong};
    }
    const More more = Read();
    if (more == More::kYes) continue;
    if (more == More::kStopped) return {Kind::kStopped};
    if (buffer_.empty() || skips_line_) return {Kind::kEnd};
    searched_ = 0;
    return {Kind::kLine, std::exchange(buffer_, std::string())};
  }
}

}  // namespace xsp::mcp
