#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "api/operations/copied_experiments.h"
#include "core/counted.h"
#include "core/nearest_word.h"
#include "store/experiment_archive.h"

namespace xsp::api::store_import_operation {
namespace {

struct Request {
  std::filesystem::path file;
  std::vector<std::string> only;
};

/// Those of `all` with the names `only`; no names: all. Errors: kBadInput.
Result<std::vector<store::ArchivedExperiment>> Chosen(std::vector<store::ArchivedExperiment> all,
                                                      const Request& request) {
  if (request.only.empty()) return all;
  std::vector<std::string_view> names;
  for (const store::ArchivedExperiment& one : all) names.emplace_back(one.name);
  for (const std::string& name : request.only) {
    if (std::ranges::find(names, name) != names.end()) continue;
    const std::string_view nearest = core::NearestWord(name, names);
    return Error{.kind = ErrorKind::kBadInput,
                 .what = fmt::format("no such experiment in {}: {}", request.file.string(), name),
                 .hint = nearest.empty()
                             ? fmt::format("It holds {}.", core::Counted(all.size(), "experiment"))
                             : fmt::format("Did you mean {}?", nearest),
                 .field = "only"};
  }
  std::erase_if(all, [&](const store::ArchivedExperiment& one) {
    return std::ranges::find(request.only, one.name) == request.only.end();
  });
  return all;
}

Result<Document> Import(const Context& context, const Request& request) {
  XSP_TRY(std::vector<store::ArchivedExperiment> all, store::ListArchive(request.file));
  XSP_TRY(const std::vector<store::ArchivedExperiment> wanted, Chosen(std::move(all), request));
  os::Interrupts& interrupts = context.interrupts();
  XSP_TRY(const std::vector<store::Arrival> arrivals,
          store::ReadArchive(request.file, wanted, context.store, *context.progress,
                             [&] { return interrupts.stop(); }));
  store::Table table{{"experiment", "name", "done"}, {}};
  for (std::size_t i = 0; i < arrivals.size(); ++i)
    table.rows.push_back({wanted[i].name, arrivals[i].name,
                          std::string(arrivals[i].was_there ? "was there" : "imported")});
  return Document{.content = std::move(table)};
}

Action Declare(core::RequestFields& fields, const Context& context) {
  auto request = std::make_shared<Request>();
  fields.Add("file", &request->file,
             {.help = "An archive of `xsp store export`",
              .value_name = "FILE",
              .refers = core::Refers::kInput,
              .required = true,
              .positional = true});
  fields.Add("only", &request->only,
             {.help = "Only these experiments of the archive",
              .value_name = "NAME,...",
              .list = core::ListStyle::kCommas});
  return [&context, request] { return Import(context, *request); };
}

}  // namespace

extern const OperationSpec kOperation;
constinit const OperationSpec kOperation = {
    .name = "store/import",
    .summary = "Brings the experiments of an archive into the store, each file checked",
    .example = "xsp store import resnet50.zip",
    .effect = Effect::kChanges,
    .result = kArrivalsSchema,
    .declare = Declare,
    .served_as = ServedAs::kNothing,
};

}  // namespace xsp::api::store_import_operation
