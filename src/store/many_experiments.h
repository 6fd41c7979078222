#ifndef XSP_STORE_MANY_EXPERIMENTS_H_
#define XSP_STORE_MANY_EXPERIMENTS_H_

#include <filesystem>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "store/table.h"

namespace xsp::store {

/// Runs one SELECT over some experiment tables of thousands of experiments at once, for which
/// Database::Open, which looks at every file of every table, takes minutes. Each of `tables` is
/// there under its name, led by a column `experiment`: the index in `experiments`. An experiment
/// that lacks a table has no rows in it, a column that no file has is NULL. There are no views.
/// Errors: kBadInput with the engine's message, such as for a damaged file; kInternal for a name
/// that is no experiment table.
Result<Table> QueryExperiments(const std::vector<std::filesystem::path>& experiments,
                               const std::vector<std::string_view>& tables, std::string_view sql);

}  // namespace xsp::store

#endif  // XSP_STORE_MANY_EXPERIMENTS_H_
