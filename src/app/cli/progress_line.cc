#include "app/cli/progress_line.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "core/json_text.h"
#include "os/paths.h"

namespace xsp::cli {
namespace {

constexpr std::chrono::milliseconds kShortestInterval(100);

}  // namespace

std::string SpokenDuration(double seconds) {
  const auto whole = static_cast<long>(std::ceil(std::max(0.0, seconds)));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole % 60 == 0 || whole >= 600) return fmt::format("{} min", (whole + 30) / 60);
  return fmt::format("{} min {} s", whole / 60, whole % 60);
}

ProgressLine::ProgressLine()
    : terminal_(isatty(STDERR_FILENO) != 0),
      for_programs_(os::Environment("XSP_PROGRESS") == "json") {}

ProgressLine::~ProgressLine() { Clear(); }

void ProgressLine::Clear() {
  if (shown_) std::fputs("\r\033[K", stderr);
  shown_ = false;
}

void ProgressLine::Step(std::string_view what, double fraction, double remaining_s) {
  if (for_programs_) return WriteForPrograms(what, fraction, remaining_s);
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

void ProgressLine::WriteForPrograms(std::string_view what, double fraction, double remaining_s) {
  const auto now = std::chrono::steady_clock::now();
  if (now - written_ < kShortestInterval && fraction < 1) return;
  written_ = now;
  const nlohmann::json line = {
      {"progress",
       {{"step", what},
        {"fraction", std::clamp(fraction, 0.0, 1.0)},
        {"remaining_s", remaining_s < 0 ? nlohmann::json() : nlohmann::json(remaining_s)}}}};
  fmt::print(stderr, "{}\n", core::JsonText(line));
}

void ProgressLine::Note(std::string_view message) {
  Clear();
  fmt::print(stderr, "{}\n", message);
}

}  // namespace xsp::cli
