#include "pipeline/base/text_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace xsp::pipeline {
namespace {

constexpr std::size_t kMostLineBytes = std::size_t{64} << 20;

/// Reads `file` up to its end or to `most` + 1 bytes; false with errno set when reading fails.
bool ReadAll(int file, std::size_t expected, std::size_t most, std::string& content) {
  content.resize(expected + 1);
  std::size_t used = 0;
  while (used <= most) {
    if (used == content.size()) content.resize(std::min(content.size() * 2, most + 1));
    const ssize_t count = read(file, content.data() + used, content.size() - used);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    if (count == 0) break;
    used += static_cast<std::size_t>(count);
  }
  content.resize(used);
  return true;
}

}  // namespace

Status ReadFile(const std::string& path, std::size_t most, std::string& content) {
  // Without O_NONBLOCK opening a pipe would wait for a writer.
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return BadInput("cannot open a file: " + path + ": " + std::strerror(errno));
  struct stat facts = {};
  Status status = Ok{};
  if (fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode)) {
    status = BadInput("this is not a file: " + path);
  } else if (static_cast<std::size_t>(facts.st_size) > most) {
    status = BadInput("the file is too large, more than " + std::to_string(most) +
                      " bytes: " + path + ": " + std::to_string(facts.st_size));
  } else {
    status = WithoutExceptions([&]() -> Status {
      if (!ReadAll(file, static_cast<std::size_t>(facts.st_size), most, content)) {
        return Environment("cannot read a file: " + path + ": " + std::strerror(errno));
      }
      if (content.size() > most) return BadInput("the file grew while it was read: " + path);
      return Ok{};
    });
  }
  close(file);
  return status;
}

std::vector<std::string> LinesOf(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark) {
    text.remove_prefix(kByteOrderMark.size());
  }
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    lines.emplace_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

Status ReadLines(const std::string& path, std::vector<std::string>& lines) {
  std::string content;
  XSP_RETURN_IF_ERROR(ReadFile(path, kMostLineBytes, content));
  lines = LinesOf(content);
  if (lines.empty()) return BadInput("the file has no lines: " + path);
  return Ok{};
}

std::string Below(const std::string& folder, const std::string& path) {
  if (folder.empty() || (!path.empty() && path.front() == '/')) return path;
  return folder + "/" + path;
}

}  // namespace xsp::pipeline
