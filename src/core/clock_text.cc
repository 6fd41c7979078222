#include "core/clock_text.h"

#include <cstdio>

namespace xsp::core {

namespace {

std::string FormatUtc(std::time_t seconds, const char* format) {
  std::tm parts = {};
  gmtime_r(&seconds, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, format, &parts)};
}

}  // namespace

std::string Rfc3339(std::time_t seconds) { return FormatUtc(seconds, "%Y-%m-%dT%H:%M:%SZ"); }

std::string NowRfc3339() { return Rfc3339(std::time(nullptr)); }

std::string NowRfc3339Milliseconds() {
  std::timespec now = {};
  std::timespec_get(&now, TIME_UTC);
  char fraction[8];
  std::snprintf(fraction, sizeof fraction, ".%03dZ", static_cast<int>(now.tv_nsec / 1'000'000));
  return FormatUtc(now.tv_sec, "%Y-%m-%dT%H:%M:%S") + fraction;
}

std::string NowForNames() { return FormatUtc(std::time(nullptr), "%Y%m%d-%H%M%S"); }

}  // namespace xsp::core
