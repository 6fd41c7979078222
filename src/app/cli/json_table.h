#ifndef XSP_APP_CLI_JSON_TABLE_H_
#define XSP_APP_CLI_JSON_TABLE_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "store/table.h"

namespace xsp::cli {

/// The array of objects `rows` as a table of `columns`, which a row may lack. What is no number,
/// text or truth value is NULL.
store::Table TableOf(std::vector<std::string> columns, const nlohmann::json& rows);

}  // namespace xsp::cli

#endif  // XSP_APP_CLI_JSON_TABLE_H_
