#include "app/serve/operation_request.h"

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "api/operations/operation_list.h"
#include "api/request_json.h"
#include "api/request_policy.h"
#include "api/stored_names.h"

namespace xsp::serve {
namespace {

using nlohmann::json;

using TextOfFile = std::function<std::string(const std::filesystem::path& file)>;

/// The request with each upload that it names replaced by a text of its file.
Result<json> WithFilesOfUploads(const json& fields, const Uploads& uploads,
                                const TextOfFile& text_of) {
  json replaced = fields;
  for (auto& value : replaced) {
    json* texts = &value;
    json one = json::array({value});
    if (!value.is_array()) texts = &one;
    for (json& text : *texts) {
      if (!text.is_string() || !IsUploadReference(text.get_ref<const std::string&>())) continue;
      XSP_TRY(const std::filesystem::path file, uploads.FileOf(text.get<std::string>()));
      text = text_of(file);
    }
    if (texts == &one) value = one[0];
  }
  return replaced;
}

}  // namespace

api::Context ContextOf(const ServiceParts& parts) {
  api::Context context = parts.context;
  context.progress = nullptr;
  context.interrupts = nullptr;
  context.command_line.clear();
  return context;
}

Result<api::Document> DocumentFor(const ServiceParts& parts, const api::Operation& operation,
                                  const json& fields) {
  auto document = api::Perform(operation.name, fields, ContextOf(parts));
  if (!document.ok()) return api::WithStoredNames(parts.context.store, document.error());
  api::ToStoredNames(parts.context.store, &document.value());
  return document;
}

AnswerCache::Lane LaneOf(const api::Operation& operation, const nlohmann::json& fields) {
  return api::StatesSql(operation, fields) ? AnswerCache::Lane::kSql : AnswerCache::Lane::kAnswer;
}

Result<std::string> StampOf(const ServiceParts& parts, const api::Operation& operation,
                            const json& fields) {
  if (!operation.reads_named_only) return parts.store.Stamp();
  const std::vector<std::string> names = api::NamedExperiments(operation, fields);
  return names.empty() ? parts.store.Stamp() : parts.store.StampOf(names);
}

Result<json> CheckedRequest(const ServiceParts& parts, const api::Operation& operation,
                            const json& fields) {
  XSP_TRY(json checked, WithFilesOfUploads(fields, parts.uploads,
                                           [](const auto& file) { return file.string(); }));
  XSP_RETURN_IF_ERROR(api::CheckReach(operation, checked, parts.files));
  const api::Context context = ContextOf(parts);
  const auto action = api::ReadRequest(operation, checked, context);
  if (!action.ok()) return action.error();
  return checked;
}

Result<Job> AddJob(const ServiceParts& parts, const ServedOperation& served,
                   const std::string& user, const json& fields, const json& checked) {
  Job job;
  job.operation = served.operation->name;
  job.request = fields;
  // As somebody types it who has the files.
  XSP_TRY(const json named, WithFilesOfUploads(fields, parts.uploads, [](const auto& file) {
            return file.filename().string();
          }));
  job.command = api::CommandLine(*served.operation, named);
  job.user = user;
  return parts.jobs.Add(std::move(job), checked);
}

}  // namespace xsp::serve
