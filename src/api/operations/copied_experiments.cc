#include "api/operations/copied_experiments.h"

#include <fmt/format.h>

#include "store/experiment_changes.h"
#include "store/experiment_copy.h"
#include "store/mirror.h"

namespace xsp::api {

namespace fs = std::filesystem;

void AddCopyFields(core::RequestFields& fields, CopyRequest* request) {
  AddChoiceFields(fields, &request->choice);
  fields.Add("to", &request->to,
             {.help = "The other store: a folder, which is made, or s3://BUCKET/PREFIX",
              .value_name = "STORE",
              .refers = core::Refers::kOutput,
              .required = true});
}

Result<Document> CopyExperiments(const Context& context, const CopyRequest& request, bool moves) {
  XSP_TRY(const fs::path to, store::OpenStore(request.to));
  std::error_code error;
  if (fs::equivalent(context.store, to, error))
    return Error{.kind = ErrorKind::kUsage,
                 .what = "both are the same store: " + request.to,
                 .hint = "`xsp rename` gives an experiment another name.",
                 .field = "to"};
  XSP_TRY(const std::vector<std::string> names, ChosenNames(context.store, request.choice));
  // A slip of the pen is found before anything is done.
  if (moves) {
    for (const std::string& name : names) {
      XSP_TRY(const fs::path folder, store::FindRemovable(context.store, name));
    }
  }
  os::Interrupts& interrupts = context.interrupts();
  Document document{.content = store::Table{{"experiment", "name", "done"}, {}}};
  auto& rows = std::get<store::Table>(document.content).rows;
  for (const std::string& name : names) {
    if (interrupts.stop()) {
      document.notes.push_back(fmt::format("interrupted: {} of {} are not done",
                                           names.size() - rows.size(), names.size()));
      document.exit_status = static_cast<int>(ErrorKind::kInterrupted);
      break;
    }
    context.progress->Step(fmt::format("copying {}", name),
                           static_cast<double>(rows.size()) / static_cast<double>(names.size()),
                           -1);
    XSP_TRY(store::Arrival arrival, store::CopyExperiment(context.store, name, to));
    // The other store has it for good before it is gone here.
    const auto pushed = store::PushMirror(to);
    if (!pushed.ok()) {
      Error error = pushed.error();
      error.what = fmt::format("{} is copied, but not published: {}", name, error.what);
      error.hint = fmt::format("The copy is kept here: `xsp --store {} store push` publishes it.",
                               request.to);
      return error;
    }
    const std::vector<std::string>& notes = pushed.value().notes;
    document.notes.insert(document.notes.end(), notes.begin(), notes.end());
    if (moves) XSP_RETURN_IF_ERROR(store::RemoveExperiment(context.store, name));
    const std::string done = moves ? "moved" : arrival.was_there ? "was there" : "copied";
    rows.push_back({name, std::move(arrival.name), done});
  }
  return document;
}

}  // namespace xsp::api
