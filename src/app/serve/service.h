#ifndef XSP_APP_SERVE_SERVICE_H_
#define XSP_APP_SERVE_SERVICE_H_

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "api/operation.h"
#include "api/request_policy.h"
#include "app/mcp/tool_list.h"
#include "app/serve/access.h"
#include "app/serve/answer_cache.h"
#include "app/serve/assets.h"
#include "app/serve/job_queue.h"
#include "app/serve/message.h"
#include "app/serve/otlp_spool.h"
#include "app/serve/router.h"
#include "app/serve/routes.h"
#include "app/serve/store_state.h"
#include "app/serve/uploads.h"
#include "core/result.h"

namespace xsp::serve {

/// What the server knows, whatever brings the requests to it. Threading: Handle() from any thread.
class Service {
 public:
  struct Settings {
    api::Context context;  ///< Its store exists.
    Access::Settings access;
    std::vector<std::string> hosts;             ///< That the server is known by, in lower case.
    std::vector<std::filesystem::path> models;  ///< Folders that models may be taken from.
    bool model_uploads = false;                 ///< Models may also be uploads.
    std::int64_t upload_bytes = std::int64_t{8} << 30;  ///< Of all uploads together.
    std::chrono::milliseconds otlp_silence{30'000};     ///< After which spans are imported.
    AnswerCache::Settings answers = {};
    mcp::ToolPermissions tools = {};     ///< Of agents, besides those that read.
    std::filesystem::path application;   ///< Folder of the web application.
    std::filesystem::path machine_lock;  ///< See StartJob().
    std::filesystem::path program;       ///< xsp itself, which performs jobs.
  };

  explicit Service(Settings settings);

  /// The route that reads the body of a request itself, as it arrives: then Request::read_body is
  /// set and `body` stays empty.
  bool ReadsBodyItself(const Request& request) const;

  /// Answers one request.
  Reply Handle(Request request);

 private:
  Reply Dispatch(Request& request);
  Reply Answer(Request& request);
  Reply Refusal(const Request& request, int status, std::string_view kind, std::string_view what,
                std::string_view hint) const;
  Reply LogInByAddress(const Request& request);

  const Settings settings_;
  const api::ReachableFiles files_;
  Access access_;
  StoreState store_;
  AnswerCache answers_;
  Uploads uploads_;
  JobQueue jobs_;
  OtlpSpool otlp_;
  const Assets assets_;
  const ServiceParts parts_;
  Router router_;
};

}  // namespace xsp::serve

#endif  // XSP_APP_SERVE_SERVICE_H_
