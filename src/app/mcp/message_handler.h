#ifndef XSP_APP_MCP_MESSAGE_HANDLER_H_
#define XSP_APP_MCP_MESSAGE_HANDLER_H_

#include <functional>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "api/operation.h"
#include "app/mcp/call_queue.h"
#include "app/mcp/json_rpc.h"
#include "app/mcp/protocol_methods.h"
#include "app/mcp/tool_list.h"

namespace xsp::mcp {

/// One session with a client of the Model Context Protocol, over one pair of streams.
/// Handle(), RefuseTooLong(), Finish() and Stop() are called from one thread; messages are sent
/// from that one and from another, one at a time.
class MessageHandler {
 public:
  /// Sends one message: JSON without the end of a line.
  using Send = std::function<void(const std::string& message)>;

  /// Copies `context`, of which progress and interrupts are not used: each call has its own.
  MessageHandler(api::Context context, const ToolPermissions& permissions, Send send);

  /// Handles one message. Calls of tools are answered later.
  void Handle(std::string_view message);

  /// Answers a message that was not even read.
  void RefuseTooLong();

  /// No message will come. Answers the calls that came; a measurement among them stops early.
  void Finish() { calls_.Finish(); }

  /// Ends without answering what is not answered yet.
  void Stop() { calls_.Stop(); }

 private:
  void SendText(const std::string& message);
  void Answer(const RpcCall& call);
  void Notice(const RpcCall& notification);
  void Refuse(const RpcCall& call, int code, std::string message);
  void SendResult(const RpcCall& call, const MethodResult& result);
  void StartTool(const RpcCall& call);

  /// On the thread of the calls.
  void PerformTool(const nlohmann::json& id, const ToolCallParams& params, CallQueue::State& state);

  const api::Context context_;
  const std::vector<const ToolSpec*> tools_;
  const Send send_;
  std::mutex send_mutex_;
  bool is_initialized_ = false;
  CallQueue calls_;  ///< Last: its thread uses the others until it is gone.
};

}  // namespace xsp::mcp

#endif  // XSP_APP_MCP_MESSAGE_HANDLER_H_
