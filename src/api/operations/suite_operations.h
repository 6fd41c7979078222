#ifndef XSP_API_OPERATIONS_SUITE_OPERATIONS_H_
#define XSP_API_OPERATIONS_SUITE_OPERATIONS_H_

#include <vector>

#include "api/operation.h"

namespace xsp::api {

/// The commands of `xsp suite` of this build as operations suite/NAME, in the order of their names.
/// Each has its own fields, and those of all: `table` (only this table of the answer), `rows` (at
/// most so many of each table) and `output` (the answer becomes a page in this file). Their
/// document is suite::AnswerJson(), each table with `rows_left_out`; with `output` it names only
/// the page. The exit status states why a part is missing.
std::vector<Operation> SuiteOperations();

}  // namespace xsp::api

#endif  // XSP_API_OPERATIONS_SUITE_OPERATIONS_H_
