#include "api/operations/operation_list.h"

#include <algorithm>
#include <utility>

#include "api/operations/operation_specs.h"
#include "api/operations/suite_operations.h"

namespace xsp::api {

const std::vector<Operation>& AllOperations() {
  static const std::vector<Operation> all = [] {
    std::vector<Operation> operations;
    for (const OperationSpec* spec : AllOperationSpecs())
      operations.push_back({spec->name, spec->summary, spec->example, spec->effect, spec->result,
                            spec->declare, spec->served_as, spec->reads_named_only,
                            spec->answers_if == nullptr ? "" : spec->answers_if});
    for (Operation& operation : SuiteOperations()) operations.push_back(std::move(operation));
    std::ranges::sort(operations, {}, &Operation::name);
    return operations;
  }();
  return all;
}

const Operation* FindOperation(std::string_view name) {
  const std::vector<Operation>& all = AllOperations();
  const auto found = std::ranges::find(all, name, &Operation::name);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace xsp::api
