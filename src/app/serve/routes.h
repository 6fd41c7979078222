#ifndef XSP_APP_SERVE_ROUTES_H_
#define XSP_APP_SERVE_ROUTES_H_

#include <string>
#include <vector>

#include "api/operation.h"
#include "api/request_policy.h"
#include "app/mcp/tool_list.h"
#include "app/serve/access.h"
#include "app/serve/answer_cache.h"
#include "app/serve/assets.h"
#include "app/serve/job_queue.h"
#include "app/serve/otlp_spool.h"
#include "app/serve/router.h"
#include "app/serve/store_state.h"
#include "app/serve/uploads.h"

namespace xsp::serve {

/// What routes work with. Outlives them.
struct ServiceParts {
  const api::Context& context;
  const api::ReachableFiles& files;
  Access& access;
  StoreState& store;
  AnswerCache& answers;
  JobQueue& jobs;
  Uploads& uploads;
  OtlpSpool& otlp;
  const Assets& assets;
  const mcp::ToolPermissions& tools;  ///< Of agents, besides those that read.
  bool model_uploads;                 ///< Models may be uploads.
};

/// The API's operations: GET of what reads, POST of all; jobs for what takes minutes.
void AddOperationRoutes(const ServiceParts& parts, Router* router);

/// /pages/OPERATION: the page that an operation writes.
void AddPageRoutes(const ServiceParts& parts, Router* router);

/// /api/v1/jobs: the queue, one job, its log, result and events.
void AddJobRoutes(const ServiceParts& parts, Router* router);

/// /api/v1/uploads.
void AddUploadRoutes(const ServiceParts& parts, Router* router);

/// /v1/traces: spans of OpenTelemetry.
void AddOtlpRoutes(const ServiceParts& parts, Router* router);

/// /api/v1/session: who is logged in; log in, log out.
void AddSessionRoutes(const ServiceParts& parts, Router* router);

/// /mcp: the tools of agents, over the Model Context Protocol.
void AddMcpRoutes(const ServiceParts& parts, Router* router);

/// /api/v1/openapi.json and /api/v1/operations.
void AddDescriptionRoutes(Router* router);

/// /assets: the files of the web application.
void AddApplicationRoutes(const ServiceParts& parts, Router* router);

}  // namespace xsp::serve

#endif  // XSP_APP_SERVE_ROUTES_H_
