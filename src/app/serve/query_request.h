#ifndef XSP_APP_SERVE_QUERY_REQUEST_H_
#define XSP_APP_SERVE_QUERY_REQUEST_H_

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "core/result.h"

namespace xsp::serve {

/// The request that an address's query states: each field as its schema (api::RequestSchema) types
/// it; a list is a repeated field. A name that the schema lacks stays a text, for api::ReadRequest
/// to refuse. Errors: kUsage naming the field (not a number, not true or false, given twice).
Result<nlohmann::json> RequestOfQuery(const nlohmann::json& schema,
                                      const std::multimap<std::string, std::string>& query);

}  // namespace xsp::serve

#endif  // XSP_APP_SERVE_QUERY_REQUEST_H_
