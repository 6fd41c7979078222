#include <memory>
#include <utility>

#include "app/serve/answer_cache.h"
#include "app/serve/conditional_reply.h"
#include "app/serve/gzip.h"
#include "app/serve/openapi.h"
#include "app/serve/routes.h"
#include "app/serve/served_operation.h"
#include "os/sha256.h"

namespace xsp::serve {
namespace {

using Answer = std::shared_ptr<const StoredAnswer>;

/// A document that never changes.
Answer Constant(const nlohmann::json& document) {
  auto answer = std::make_shared<StoredAnswer>();
  answer->reply = JsonReply(document);
  answer->etag = "\"" + os::Sha256(answer->reply.body).substr(0, 32) + "\"";
  answer->compressed = Gzip(answer->reply.body);
  return answer;
}

Answer OperationsAnswer() {
  nlohmann::json operations = nlohmann::json::array();
  for (const ServedOperation& served : ServedOperations()) operations.push_back(ToJson(served));
  return Constant(operations);
}

void Add(const char* pattern, const Answer& answer, Router* router) {
  router->Add({.method = "GET", .pattern = pattern, .answer = [answer](const Request& request) {
                 return ConditionalReply(request, *answer);
               }});
}

}  // namespace

void AddDescriptionRoutes(Router* router) {
  // The same for every service of the process.
  static const Answer kOperations = OperationsAnswer();
  static const Answer kOpenApi = Constant(OpenApi());
  Add("/api/v1/operations", kOperations, router);
  Add("/api/v1/openapi.json", kOpenApi, router);
}

}  // namespace xsp::serve
