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

/// A document that never changes.
void AddConstant(const char* pattern, const nlohmann::json& document, Router* router) {
  auto answer = std::make_shared<StoredAnswer>();
  answer->reply = JsonReply(document);
  answer->etag = "\"" + os::Sha256(answer->reply.body).substr(0, 32) + "\"";
  answer->compressed = Gzip(answer->reply.body);
  router->Add({.method = "GET", .pattern = pattern, .answer = [answer](const Request& request) {
                 return ConditionalReply(request, *answer);
               }});
}

}  // namespace

void AddDescriptionRoutes(Router* router) {
  nlohmann::json operations = nlohmann::json::array();
  for (const ServedOperation& served : ServedOperations()) operations.push_back(ToJson(served));
  AddConstant("/api/v1/operations", operations, router);
  AddConstant("/api/v1/openapi.json", OpenApi(), router);
}

}  // namespace xsp::serve
