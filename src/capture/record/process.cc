#include "capture/record/process.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <charconv>

namespace xsp::record {
namespace {

constexpr std::size_t kLongestPath = 4000;
constexpr std::size_t kLongestProblem = 2000;
/// A program may start many processes that record next to nothing.
constexpr std::uint64_t kPreparedBytes = 512 << 10;

void ReportCapacity(const char* asked) {
  char what[256];
  static_assert(kDefaultCapacityBytes == std::uint64_t{4} << 30);
  snprintf(what, sizeof what,
           "this recording may take 4 GiB, not what %s asks for, which is no size: %s",
           kCapacityVariable, *asked == '\0' ? "it is empty" : asked);
  ReportProblem("xsp_recording_capacity", what,
                "Give bytes, or a number with K, M or G (of 1024) behind it and nothing between: "
                "XSP_RECORD_CAPACITY=8G. Unset, it is 4G.");
}

}  // namespace

std::optional<std::uint64_t> ParseCapacity(std::string_view text) {
  std::uint64_t bytes = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bytes);
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  const int shift = unit.empty() ? 0 : unit == "K" ? 10 : unit == "M" ? 20 : unit == "G" ? 30 : -1;
  const bool fits =
      shift >= 0 && bytes > 0 && bytes <= static_cast<std::uint64_t>(INT64_MAX) >> shift;
  if (error != std::errc() || !fits) return std::nullopt;
  return bytes << shift;
}

bool OpenRecording() {
  if (xsp_path(nullptr, 0) > 0) return true;
  const std::string_view folder = Environment(kFolderVariable);
  if (folder.empty()) return false;
  char path[kLongestPath];
  // The short name is the program's; the process id keeps those of a tree of processes apart.
  const int length = snprintf(path, sizeof path, "%s/%s.%d.xspr", folder.data(),
                              program_invocation_short_name, static_cast<int>(getpid()));
  if (length < 0 || static_cast<std::size_t>(length) >= sizeof path) return false;
  xsp_options options = {};
  options.size = sizeof options;
  options.levels = AskedLevels();
  const char* const capacity = getenv(kCapacityVariable);
  const std::optional<std::uint64_t> asked =
      capacity == nullptr ? kDefaultCapacityBytes : ParseCapacity(capacity);
  options.capacity_bytes = asked.value_or(kDefaultCapacityBytes);
  options.flags = XSP_KEEP_EXISTING;
  options.prepare_bytes = kPreparedBytes;
  if (!Environment(kRangeVariable).empty()) options.flags |= XSP_START_HELD;
  const int error = xsp_open(path, &options);
  if (error == 0 && !asked) ReportCapacity(capacity);
  return error == 0 || error == EEXIST;
}

unsigned AskedLevels() {
  const std::string_view text = Environment(kLevelsVariable);
  if (text.empty()) return XSP_LEVELS_ALL;
  auto levels = static_cast<unsigned>(strtoul(text.data(), nullptr, 10)) & XSP_LEVELS_ALL;
  // A device's kernels are tied to layers by the calls that launched them.
  if ((levels & XSP_LEVEL_BIT(XSP_LEVEL_KERNEL)) != 0) levels |= XSP_LEVEL_BIT(XSP_LEVEL_LIBRARY);
  return levels == 0 ? XSP_LEVELS_ALL : levels;
}

std::string_view Environment(const char* name) {
  const char* value = getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

void ReportProblem(std::string_view name, std::string_view what, std::string_view hint) {
  char key[128], text[kLongestProblem];
  const int key_length =
      snprintf(key, sizeof key, "problem.%.*s", static_cast<int>(name.size()), name.data());
  const int length = snprintf(text, sizeof text, "%.*s\n%.*s", static_cast<int>(what.size()),
                              what.data(), static_cast<int>(hint.size()), hint.data());
  if (key_length < 0 || length < 0) return;
  const auto cut = [](int wanted, std::size_t size) {
    return static_cast<std::size_t>(wanted) < size ? static_cast<std::size_t>(wanted) : size - 1;
  };
  xsp_attribute(0, xsp_intern(key, cut(key_length, sizeof key)), text, cut(length, sizeof text));
}

}  // namespace xsp::record
