#include "measure/evaluate/clock_text.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>

namespace xsp::evaluate {

std::string NowRfc3339() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

std::string NowForNames() {
  return fmt::format("{:%Y%m%d-%H%M%S}", fmt::gmtime(std::time(nullptr)));
}

}  // namespace xsp::evaluate
