#ifndef XSP_APP_SERVE_OPERATION_REQUEST_H_
#define XSP_APP_SERVE_OPERATION_REQUEST_H_

#include <nlohmann/json.hpp>
#include <string>

#include "api/operation.h"
#include "app/serve/answer_cache.h"
#include "app/serve/job.h"
#include "app/serve/routes.h"
#include "app/serve/served_operation.h"
#include "core/result.h"

namespace xsp::serve {

/// A context for one request: nobody sees its progress, nothing interrupts it.
api::Context ContextOf(const ServiceParts& parts);

/// Performs the operation for who knows names in the store, and not where it lies: its document and
/// its errors name no path of the store. Errors: the operation's.
Result<api::Document> DocumentFor(const ServiceParts& parts, const api::Operation& operation,
                                  const nlohmann::json& fields);

/// Where a request waits for its turn: with SQL of its own, behind others that have it.
AnswerCache::Lane LaneOf(const api::Operation& operation, const nlohmann::json& fields);

/// The stamp (StoreState) of what the answer to a request depends on: the experiments that it
/// names, or all of the store. Errors: kEnvironment (the store is gone).
Result<std::string> StampOf(const ServiceParts& parts, const api::Operation& operation,
                            const nlohmann::json& fields);

/// The request as a process performs it: with each upload that it names replaced by its file,
/// after a check of what it reaches and that it can be read. Errors: kUsage, kBadInput (no such
/// upload).
Result<nlohmann::json> CheckedRequest(const ServiceParts& parts, const api::Operation& operation,
                                      const nlohmann::json& fields);

/// Adds the job that performs `fields` for `user`. `checked`: CheckedRequest() of them. Errors:
/// kEnvironment (the queue is full; no space).
Result<Job> AddJob(const ServiceParts& parts, const ServedOperation& served,
                   const std::string& user, const nlohmann::json& fields,
                   const nlohmann::json& checked);

}  // namespace xsp::serve

#endif  // XSP_APP_SERVE_OPERATION_REQUEST_H_
