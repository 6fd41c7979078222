#include "app/cli/progress_line.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace xsp::cli {

std::string SpokenDuration(double seconds) {
  const auto whole = static_cast<long>(std::ceil(std::max(0.0, seconds)));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole % 60 == 0 || whole >= 600) return fmt::format("{} min", (whole + 30) / 60);
  return fmt::format("{} min {} s", whole / 60, whole % 60);
}

ProgressLine::ProgressLine() : terminal_(isatty(STDERR_FILENO) != 0) {}

ProgressLine::~ProgressLine() { Clear(); }

void ProgressLine::Clear() {
  if (shown_) std::fputs("\r\033[K", stderr);
  shown_ = false;
}

void ProgressLine::Step(std::string_view what, double fraction, double remaining_s) {
  if (!terminal_) return;
  std::string line = fmt::format("[{:3.0f} %] {}", std::clamp(fraction, 0.0, 1.0) * 100, what);
  if (remaining_s >= 0) line += fmt::format(", {} left", SpokenDuration(remaining_s));
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1)
    line.resize(std::min<std::size_t>(line.size(), size.ws_col - 1U));
  Clear();
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
  shown_ = true;
}

void ProgressLine::Note(std::string_view message) {
  Clear();
  fmt::print(stderr, "{}\n", message);
}

}  // namespace xsp::cli
