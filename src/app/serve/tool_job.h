#ifndef XSP_APP_SERVE_TOOL_JOB_H_
#define XSP_APP_SERVE_TOOL_JOB_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "app/mcp/bounded_answer.h"
#include "app/mcp/protocol_methods.h"
#include "app/serve/job.h"
#include "app/serve/routes.h"

namespace xsp::serve {

/// A call of an agent's tool that a job performs, as server-sent events: notifications about its
/// progress, then the answer. The job goes on if the client leaves. Threading: one thread.
class ToolJob {
 public:
  /// `job`: its id. `request`: the id of the client's message. `parts` outlive this.
  ToolJob(const ServiceParts& parts, std::string job, nlohmann::json request,
          mcp::ToolCallParams params, mcp::AnswerPage page);

  /// As Reply::stream.
  bool Next(std::string* piece);

 private:
  /// The result of `tools/call`.
  nlohmann::json ResultOf(const Job& job) const;

  const ServiceParts& parts_;
  const std::string job_;
  const nlohmann::json request_;
  const mcp::ToolCallParams params_;
  const mcp::AnswerPage page_;
  std::uint64_t seen_ = 0;
  int percent_ = -1;  ///< That the client knows of.
  int quiet_ = 0;     ///< Waits without news.
};

}  // namespace xsp::serve

#endif  // XSP_APP_SERVE_TOOL_JOB_H_
