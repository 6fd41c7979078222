#include "measure/sessions/described_model.h"

#include <fmt/format.h>

#include <cctype>
#include <chrono>
#include <nlohmann/json.hpp>

#include "core/json_text.h"
#include "measure/models/model_format.h"
#include "measure/protocols/plan.h"
#include "measure/requests/request_check.h"
#include "os/files.h"
#include "os/scratch_folder.h"
#include "os/subprocess.h"

namespace xsp::sessions {

using nlohmann::json;

namespace {

constexpr auto kLoading = std::chrono::seconds(600);

/// "error: WHAT" and "hint: HINT" of a worker's stderr, at its end.
Error FromStderr(const os::Completed& done) {
  const auto after = [&](std::string_view mark) {
    const std::size_t at = done.stderr_tail.rfind(mark);
    if (at == std::string::npos) return std::string();
    const std::size_t from = at + mark.size();
    return done.stderr_tail.substr(from, done.stderr_tail.find('\n', from) - from);
  };
  std::string what = after("error: ");
  if (what.empty()) what = fmt::format("worker {}", os::ToString(done.exit));
  const bool is_known = done.exit.signal == 0 && done.exit.code >= 2 && done.exit.code <= 5;
  return {is_known ? static_cast<ErrorKind>(done.exit.code) : ErrorKind::kEnvironment,
          std::move(what), after("hint: ")};
}

manifest::Tensor TensorOf(const json& input) {
  manifest::Tensor tensor;
  tensor.name = input.value("name", "");
  tensor.dtype = input.value("dtype", "");
  tensor.fill = input.value("fill", "");
  for (const json& size : input.value("shape", json::array()))
    tensor.shape.push_back(size.is_number_integer() ? size.get<std::int64_t>() : manifest::kBatch);
  if (const auto range = input.find("range"); range != input.end())
    tensor.range = {range->at(0).get<std::int64_t>(), range->at(1).get<std::int64_t>()};
  if (const auto value = input.find("value"); value != input.end())
    tensor.value = value->get<double>();
  return tensor;
}

/// The format to name in the manifest: as a manifest said, as the file shows, else the worker's
/// first.
std::string FormatFor(const workers::Backend& backend) {
  if (!backend.model.format.empty()) return backend.model.format;
  const std::string shown = models::FormatOfModel(backend.model.path).name;
  if (!shown.empty()) return shown;
  return backend.worker.formats.empty() ? backend.worker.name : backend.worker.formats.front();
}

/// Letters of the file's name that a model's name may have.
std::string NameFor(std::string name) {
  for (char& c : name) {
    const bool is_fine = std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                         std::string_view("._+-").find(c) != std::string_view::npos;
    if (!is_fine) c = '_';
  }
  return name;
}

}  // namespace

Result<DescribedModel> DescribeModel(const requests::ExperimentRequest& request) {
  XSP_RETURN_IF_ERROR(requests::CheckRequest(request));
  core::NoProgress nobody;
  core::Progress& progress = request.progress != nullptr ? *request.progress : nobody;
  XSP_TRY(const std::vector<workers::Backend> backends,
          workers::ChooseBackends(request, progress, -1));
  const workers::Backend& backend = backends.front();
  if (backend.refused) return *backend.refused;
  XSP_TRY(os::ScratchFolder scratch, os::ScratchFolder::Create());
  requests::ExperimentRequest one = request;
  one.batches.resize(1);
  one.depth = "model";
  XSP_TRY(const protocols::Plan plan, protocols::MakePlan(one, {backend}, 1, scratch.path()));
  const workers::SessionPlan& session = plan.groups.front().front().session;
  XSP_RETURN_IF_ERROR(os::WriteFileAtomically(session.job_file, core::JsonText(session.job, 1)));
  os::SpawnOptions options;
  options.argv = {session.program.string(), "inputs", "--job", session.job_file.string()};
  XSP_TRY(const os::Completed done, os::RunToEnd(options, kLoading));
  if (!done.exit.success()) return FromStderr(done);
  // Frameworks may write to stdout, too: the document is the last line.
  std::string_view text = done.out;
  while (text.ends_with('\n')) text.remove_suffix(1);
  const json document = core::ParseJson(text.substr(text.rfind('\n') + 1));
  if (!document.is_object() || !document.contains("inputs"))
    return Error{ErrorKind::kEnvironment,
                 fmt::format("worker does not list a model's inputs: {}", session.program.string()),
                 "It may have another version; rebuild it: `tools/build`."};
  DescribedModel described;
  described.manifest = backend.model.manifest;
  manifest::Manifest& manifest = described.manifest;
  if (manifest.name.empty()) manifest.name = NameFor(backend.model.name);
  manifest.is_mlmodelscope = false;
  const bool is_folder = std::filesystem::is_directory(backend.model.path);
  manifest.files = {
      {FormatFor(backend), backend.model.path.string(), is_folder ? "" : backend.model.sha256}};
  manifest.inputs.clear();
  for (const json& input : document["inputs"]) manifest.inputs.push_back(TensorOf(input));
  for (const json& guess : document.value("guessed", json::array()))
    described.guesses.push_back(guess.get<std::string>());
  described.refused = document.value("refused", "");
  return described;
}

}  // namespace xsp::sessions
