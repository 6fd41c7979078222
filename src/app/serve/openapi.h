#ifndef XSP_APP_SERVE_OPENAPI_H_
#define XSP_APP_SERVE_OPENAPI_H_

#include <nlohmann/json.hpp>

namespace xsp::serve {

/// The description of the API in OpenAPI 3.1: every operation that is served, from its declaration,
/// and the addresses of jobs, uploads and the session.
nlohmann::json OpenApi();

}  // namespace xsp::serve

#endif  // XSP_APP_SERVE_OPENAPI_H_
