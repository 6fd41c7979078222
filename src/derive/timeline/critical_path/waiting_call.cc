#include "derive/timeline/critical_path/waiting_call.h"

#include <array>
#include <utility>

namespace xsp::timeline::critical_path {

Waiting WaitingOf(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, Waiting>, 11> kParts = {{
      {"DeviceSynchronize", Waiting::kDevice},
      {"CtxSynchronize", Waiting::kDevice},
      {"Context Sync", Waiting::kDevice},
      {"StreamSynchronize", Waiting::kStream},
      {"Stream Sync", Waiting::kStream},
      {"EventSynchronize", Waiting::kEvent},
      {"Event Sync", Waiting::kEvent},
      {"StreamWaitEvent", Waiting::kNextLaunch},
      {"Stream Wait Event", Waiting::kNextLaunch},
      {"Memcpy", Waiting::kOwnWork},
      {"memcpy", Waiting::kOwnWork},
  }};
  for (const auto& [part, waiting] : kParts)
    if (name.find(part) != std::string_view::npos) return waiting;
  return Waiting::kNothing;
}

}  // namespace xsp::timeline::critical_path
