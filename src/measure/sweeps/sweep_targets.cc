#include "measure/sweeps/sweep_targets.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "core/json_text.h"
#include "measure/models/model.h"
#include "measure/models/zoo.h"
#include "measure/sessions/session_documents.h"
#include "measure/workers/model_fit.h"
#include "measure/workers/worker_program.h"

namespace xsp::sweeps {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using workers::WorkerProgram;

bool IsFile(const std::string& model) {
  std::error_code error;
  return fs::exists(model, error);
}

/// The file of a zoo model that a worker takes, and the worker. Without a worker's name that of the
/// manifest, else the first that takes a format, in the manifest's order.
struct ZooChoice {
  const models::ZooFile* file = nullptr;
  WorkerProgram worker;
};

bool Takes(const WorkerProgram& worker, const models::ZooFile& file) {
  return std::ranges::find(worker.formats, file.format) != worker.formats.end();
}

Result<ZooChoice> ChooseInZoo(const models::ZooModel& zoo, const std::string& backend) {
  ZooChoice choice;
  const std::string& name = backend.empty() ? zoo.manifest.framework.name : backend;
  std::vector<WorkerProgram> known;
  if (name.empty()) {
    known = workers::ListWorkers().workers;
  } else {
    XSP_TRY(WorkerProgram worker, workers::FindWorker(name));
    known.push_back(std::move(worker));
  }
  for (const models::ZooFile& file : zoo.files) {
    for (const WorkerProgram& worker : known)
      if (choice.file == nullptr && Takes(worker, file)) choice = {&file, worker};
  }
  return choice;
}

}  // namespace

Result<Target> SweepTargets::Look(const requests::ExperimentRequest& request, bool make) {
  Target target;
  if (!make && !IsFile(request.model)) {
    XSP_TRY(const std::optional<models::ZooModel> zoo, models::FindInZoo(request.model));
    if (zoo) {
      XSP_TRY(const ZooChoice choice,
              ChooseInZoo(*zoo, request.backends.empty() ? "" : request.backends.front()));
      target.is_made = choice.file == nullptr || choice.file->made;
      if (!target.is_made) {
        target.backend.name = choice.worker.name;
        target.backend.worker = choice.worker;
        target.backend.model.name = zoo->manifest.name;
        return target;
      }
    }
  }
  XSP_TRY(std::vector<workers::Backend> backends,
          workers::ChooseBackends(request, progress_, wake_fd_));
  target.backend = std::move(backends.front());
  return target;
}

Result<Target> SweepTargets::Find(const requests::ExperimentRequest& request, bool make) {
  const Key key = {request.model, request.backends,  request.device,
                   request.graph, request.precision, request.options,
                   make};
  if (const auto found = targets_.find(key); found != targets_.end()) return found->second;
  Target target;
  auto looked = Look(request, make);
  if (looked.ok()) {
    target = std::move(looked).value();
  } else if (looked.error().kind == ErrorKind::kInterrupted) {
    return looked.error();
  } else {
    target.refused = looked.error();
  }
  return targets_.emplace(key, std::move(target)).first->second;
}

Status CheckModelExists(const std::string& model) {
  if (IsFile(model)) return Ok{};
  if (model.find('/') != std::string::npos)
    return Error{ErrorKind::kBadInput, "no such model file: " + model,
                 "Paths of a sweep are relative to its file."};
  XSP_TRY(const std::optional<models::ZooModel> zoo, models::FindInZoo(model));
  if (zoo) return Ok{};
  return models::NoSuchZooModel(model, "model");
}

Subject SubjectOf(const requests::ExperimentRequest& request, const Target& target) {
  const models::Model& model = target.backend.model;
  return {model.name, model.sha256, model.inputs, target.backend.name,
          target.backend.worker.framework, request.batches,
          // What the store gives back: numbers as its text has them, and U+FFFD for what is not
          // UTF-8.
          SettingsOf(core::ParseJson(core::JsonText(sessions::RequestJson(request))))};
}

}  // namespace xsp::sweeps
