#include "measure/executors/captured_stack.h"

#include <string>

#include "capture/collect/collector.h"
#include "capture/collect/stack.h"
#include "core/json_text.h"

namespace xsp::executors {

nlohmann::json CaptureStackJson() {
  const std::string text = collect::ToJson(collect::CaptureStack(collect::AllCollectors()));
  nlohmann::json stack = core::ParseJson(text);
  return stack.is_discarded() ? nlohmann::json::object() : stack;
}

}  // namespace xsp::executors
