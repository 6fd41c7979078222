#include "app/mcp/message_handler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "app/mcp/shortened_json.h"
#include "app/mcp/tool_call.h"
#include "core/progress.h"
#include "core/result.h"

namespace xsp::mcp {
namespace {

using nlohmann::json;

std::string KeyOf(const json& id) { return CompactText(id); }

/// Passes on how a call goes, at most once per percent: the protocol wants growing numbers.
class CallProgress final : public core::Progress {
 public:
  /// `token` as the client gave it; null: nobody asked.
  CallProgress(json token, std::function<void(const std::string&)> send)
      : token_(std::move(token)), send_(std::move(send)) {}

  void Step(std::string_view what, double fraction, double) override {
    if (token_.is_null() || !std::isfinite(fraction)) return;
    const int percent = static_cast<int>(std::clamp(fraction, 0.0, 1.0) * 100);
    if (percent <= last_percent_) return;
    last_percent_ = percent;
    send_(ProgressText(token_, percent, what));
  }

  void Note(std::string_view) override {}

 private:
  const json token_;
  const std::function<void(const std::string&)> send_;
  int last_percent_ = -1;
};

/// Each call is stored under the command line that asks for the same, not under the server's.
api::Context WithoutCommandLine(api::Context context) {
  context.command_line.clear();
  return context;
}

}  // namespace

MessageHandler::MessageHandler(api::Context context, const ToolPermissions& permissions, Send send)
    : context_(WithoutCommandLine(std::move(context))),
      tools_(AllowedTools(permissions)),
      send_(std::move(send)) {}

void MessageHandler::SendText(const std::string& message) {
  const std::lock_guard lock(send_mutex_);
  send_(message);
}

void MessageHandler::RefuseTooLong() {
  SendText(RpcErrorText({{}, kInvalidRequest, "the message is too long"}));
}

void MessageHandler::Handle(std::string_view message) {
  if (message.find_first_not_of(" \t\r") == std::string_view::npos) return;
  const auto read = ReadRpc(message);
  if (const auto* problem = std::get_if<RpcProblem>(&read)) SendText(RpcErrorText(*problem));
  const auto* call = std::get_if<RpcCall>(&read);
  if (call == nullptr) return;
  if (call->id.is_null()) {
    Notice(*call);
  } else {
    Answer(*call);
  }
}

void MessageHandler::Notice(const RpcCall& notification) {
  // Others, notifications/initialized among them, change nothing here.
  if (notification.method != "notifications/cancelled") return;
  calls_.Cancel(KeyOf(notification.params.value("requestId", json())));
}

void MessageHandler::Answer(const RpcCall& call) {
  if (call.method == "initialize") {
    const MethodResult result = InitializeResult(call);
    is_initialized_ = is_initialized_ || std::holds_alternative<json>(result);
    return SendResult(call, result);
  }
  if (call.method == "ping") return SendText(RpcResultText(call.id, json::object()));
  const bool is_known = call.method == "tools/list" || call.method == "tools/call";
  if (!is_known) return SendText(RpcErrorText(NoSuchMethod(call)));
  if (!is_initialized_) return Refuse(call, kInvalidRequest, "the session begins with initialize");
  if (call.method == "tools/call") return StartTool(call);
  SendResult(call, ToolsListResult(call, tools_));
}

void MessageHandler::Refuse(const RpcCall& call, int code, std::string message) {
  SendText(RpcErrorText({call.id, code, std::move(message)}));
}

void MessageHandler::SendResult(const RpcCall& call, const MethodResult& result) {
  const auto* problem = std::get_if<RpcProblem>(&result);
  SendText(problem != nullptr ? RpcErrorText(*problem)
                              : RpcResultText(call.id, std::get<json>(result)));
}

void MessageHandler::StartTool(const RpcCall& call) {
  auto read = ReadToolCall(call, tools_);
  if (const auto* problem = std::get_if<RpcProblem>(&read)) return SendText(RpcErrorText(*problem));
  const auto added =
      calls_.Add(KeyOf(call.id), [this, id = call.id, params = std::get<ToolCallParams>(read)](
                                     CallQueue::State& state) { PerformTool(id, params, state); });
  if (added == CallQueue::Added::kKeyInUse)
    Refuse(call, kInvalidRequest, "a request with this id is not answered yet");
  if (added == CallQueue::Added::kFull)
    Refuse(call, kInternalError,
           fmt::format("{} calls are waiting: send it again later", CallQueue::kMaxWaiting));
}

void MessageHandler::PerformTool(const json& id, const ToolCallParams& params,
                                 CallQueue::State& state) {
  const auto send = [this, &state](const std::string& message) {
    if (!state.is_cancelled) SendText(message);
  };
  CallProgress progress(params.progress_token, send);
  api::Context context = context_;
  context.progress = &progress;
  context.interrupts = [&state]() -> os::Interrupts& { return state.interrupts; };
  send(RpcResultText(id, CallResult(CallTool(*params.tool, params.arguments, context))));
}

}  // namespace xsp::mcp
