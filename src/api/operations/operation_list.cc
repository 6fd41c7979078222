#include "api/operations/operation_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/operations/operation_specs.h"
#include "api/operations/slurm_job.h"
#include "api/operations/suite_operations.h"
#include "store/mirror.h"

namespace xsp::api {
namespace {

/// `operation`, after which a store in object storage has what it wrote, also where it failed
/// later.
void PublishAfter(Operation& operation) {
  if (operation.effect == Effect::kReads) return;
  operation.declare = [declare = std::move(operation.declare)](core::RequestFields& fields,
                                                               const Context& context) -> Action {
    return [action = declare(fields, context), &context]() -> Result<Document> {
      Result<Document> document = action();
      const auto pushed = store::PushMirror(context.store);
      if (!document.ok()) return document;
      if (!pushed.ok()) {
        Error error = pushed.error();
        error.what = fmt::format("not published: {}", error.what);
        error.hint += fmt::format("{}What was written is kept here; `xsp store push` publishes it.",
                                  error.hint.empty() ? "" : " ");
        return error;
      }
      Document whole = std::move(document).value();
      whole.notes.insert(whole.notes.end(), pushed.value().notes.begin(),
                         pushed.value().notes.end());
      return whole;
    };
  };
}

}  // namespace

const std::vector<Operation>& AllOperations() {
  static const std::vector<Operation> all = [] {
    std::vector<Operation> operations;
    for (const OperationSpec* spec : AllOperationSpecs())
      operations.push_back({spec->name, spec->summary, spec->example, spec->effect, spec->result,
                            spec->declare, spec->served_as, spec->reads_named_only,
                            spec->answers_if == nullptr ? "" : spec->answers_if, spec->on_nodes});
    for (Operation& operation : SuiteOperations()) operations.push_back(std::move(operation));
    for (Operation& operation : operations)
      if (operation.on_nodes) PerformOnNodesToo(operation);
    std::ranges::for_each(operations, PublishAfter);
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
