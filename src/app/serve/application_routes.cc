#include "app/serve/routes.h"

namespace xsp::serve {

void AddApplicationRoutes(const ServiceParts& parts, Router* router) {
  // The application holds nothing secret: whoever is not logged in sees a log-in.
  router->Add({.method = "GET",
               .pattern = "/assets/{name}",
               .role = Role::kNone,
               .answer = [&parts](const Request& request) {
                 return parts.assets.Asset(request.captured.at("name"));
               }});
}

}  // namespace xsp::serve
