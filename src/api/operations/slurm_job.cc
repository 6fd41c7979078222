#include "api/operations/slurm_job.h"

#include <memory>
#include <string>
#include <utility>

#include "api/operations/operation_list.h"
#include "api/operations/slurm_fields.h"
#include "api/request_json.h"
#include "core/field_values.h"
#include "measure/slurm/operation_job.h"
#include "measure/slurm/slurm_programs.h"
#include "os/paths.h"

namespace xsp::api {
namespace {

using nlohmann::json;

Result<Document> PerformOnNode(const Context& context, const std::string& operation,
                               const json& request, const SlurmFields& fields) {
  XSP_RETURN_IF_ERROR(slurm::CheckInstalled());
  XSP_TRY(const std::filesystem::path store, StoreForNodes(context.store));
  const slurm::OperationJob job{.name = CommandLine(*FindOperation(operation), request),
                                .operation = operation,
                                .request = request,
                                .store = store,
                                .program = (os::ExecutableFolder() / "xsp").string(),
                                .options = fields.options,
                                .progress = context.progress,
                                .interrupts = &context.interrupts()};
  XSP_TRY(slurm::JobAnswer answer, slurm::PerformOnNode(job));
  return Document{.content = std::move(answer.document),
                  .notes = std::move(answer.notes),
                  .exit_status = answer.exit_status};
}

}  // namespace

void PerformOnNodesToo(Operation& operation) {
  operation.declare = [declare = std::move(operation.declare), name = operation.name,
                       answers_if = operation.answers_if](core::RequestFields& fields,
                                                          const Context& context) -> Action {
    auto values = std::make_shared<core::FieldValues>(fields);
    Action here = declare(*values, context);
    auto request = std::make_shared<SlurmFields>();
    DeclareSlurmFields(fields, *request, "this is");
    return [=, &context]() -> Result<Document> {
      XSP_RETURN_IF_ERROR(CheckSlurmFields(*request));
      const json changed = values->Changed();
      const bool is_here = !answers_if.empty() && changed.value(answers_if, false);
      if (!request->is_slurm() || is_here) return here();
      return PerformOnNode(context, name, changed, *request);
    };
  };
}

}  // namespace xsp::api
