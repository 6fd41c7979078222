#include "app/serve/queued_import.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "api/operations/operation_list.h"
#include "api/request_json.h"
#include "app/serve/served_operation.h"

namespace xsp::serve {

Status QueueImport(const std::filesystem::path& file, const std::string& name, Uploads* uploads,
                   JobQueue* jobs) {
  const auto& served = ServedOperations();
  const auto import = std::ranges::find_if(
      served, [](const ServedOperation& one) { return one.operation->name == "import"; });
  XSP_CHECK(import != served.end());
  XSP_TRY(const Uploads::Upload upload, uploads->Adopt(file));
  XSP_TRY(const std::filesystem::path adopted, uploads->FileOf(upload.reference));
  Job job;
  job.operation = "import";
  job.request = {{"file", nlohmann::json::array({upload.reference})}, {"name", name}};
  job.command = api::CommandLine(
      *import->operation,
      {{"file", nlohmann::json::array({adopted.filename().string()})}, {"name", name}});
  job.user = "otlp";
  const auto added = jobs->Add(
      std::move(job), {{"file", nlohmann::json::array({adopted.string()})}, {"name", name}});
  if (added.ok()) return Ok{};
  uploads->Remove(upload.reference);
  return added.error();
}

}  // namespace xsp::serve
