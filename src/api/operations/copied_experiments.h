#ifndef XSP_API_OPERATIONS_COPIED_EXPERIMENTS_H_
#define XSP_API_OPERATIONS_COPIED_EXPERIMENTS_H_

#include "api/operations/stored_choice.h"

namespace xsp::api {

/// The request of store/copy and of store/move.
struct CopyRequest {
  StoredChoice choice;
  std::string to;
};

/// JSON Schema of the document of both, and of store/import.
inline constexpr char kArrivalsSchema[] = R"({"type": "array", "items": {"type": "object",
    "required": ["experiment", "name", "done"], "properties": {
      "experiment": {"type": "string", "description": "Its name where it came from"},
      "name": {"type": "string",
        "description": "Its name where it is now: another, where it was taken"},
      "done": {"enum": ["copied", "moved", "imported", "was there"],
        "description": "was there: with the same data; nothing was written"}}}})";

/// Adds the fields of `request`, which outlives the visit.
void AddCopyFields(core::RequestFields& fields, CopyRequest* request);

/// Copies the chosen experiments to the other store and, where `moves`, removes each here once the
/// other store has it. Errors: kUsage (both are one store), as ChosenNames(), CopyExperiment(),
/// FindRemovable() and PushMirror(); what was done before one stays done.
Result<Document> CopyExperiments(const Context& context, const CopyRequest& request, bool moves);

}  // namespace xsp::api

#endif  // XSP_API_OPERATIONS_COPIED_EXPERIMENTS_H_
