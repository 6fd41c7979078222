#include "measure/workers/backends.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "measure/models/model_format.h"
#include "measure/models/zoo.h"
#include "measure/requests/backend_option.h"
#include "measure/workers/model_fit.h"

namespace xsp::workers {

namespace fs = std::filesystem;

namespace {

Status CheckOffered(const WorkerProgram& worker, const char* what, const std::string& asked,
                    const std::vector<std::string>& offered) {
  if (asked == "default" || std::find(offered.begin(), offered.end(), asked) != offered.end())
    return Ok{};
  return Error{ErrorKind::kNotPossible,
               fmt::format("worker {} has no {} {} (it has {})", worker.name, what, asked,
                           fmt::join(offered, ", ")),
               fmt::format("Choose one of these with --{}.", what)};
}

/// A device that is not there, with the worker's own reason where it has one.
Status CheckDevice(const WorkerProgram& worker, const std::string& asked) {
  const Status offered = CheckOffered(worker, "device", DeviceFor(worker, asked), worker.devices);
  if (offered.ok()) return offered;
  Error error = offered.error();
  const std::string kind = asked.substr(0, asked.find(':'));
  for (const auto& [device, why] : worker.missing_devices)
    if (device == kind && !why.empty()) error.what += ": " + why;
  return error;
}

Status CheckOffers(const WorkerProgram& worker, const requests::ExperimentRequest& request) {
  XSP_RETURN_IF_ERROR(CheckDevice(worker, request.device));
  XSP_RETURN_IF_ERROR(CheckOffered(worker, "graph", request.graph, worker.graphs));
  return CheckOffered(worker, "precision", request.precision, worker.precisions);
}

/// What is wrong with a backend although worker and model are there.
Status CheckBackend(const Backend& backend, const requests::ExperimentRequest& request) {
  XSP_RETURN_IF_ERROR(CheckOffers(backend.worker, request));
  return CheckFrameworkVersion(backend.model.manifest, backend.worker);
}

/// The formats to make a model in when no backend is named: of a zoo model, the first in its
/// manifest's order that a worker here takes; empty: as the model is.
Result<std::vector<std::string>> FormatsHere(const requests::ExperimentRequest& request) {
  XSP_TRY(const std::optional<models::ZooModel> zoo, models::FindInZoo(request.model));
  if (!zoo || !zoo->manifest.framework.name.empty()) return std::vector<std::string>();
  const WorkerList list = ListWorkers();
  for (const models::ZooFile& file : zoo->files) {
    for (const WorkerProgram& worker : list.workers) {
      const std::vector<std::string> formats = FormatsOf(worker);
      if (std::find(formats.begin(), formats.end(), file.format) != formats.end())
        return std::vector<std::string>{file.format};
    }
  }
  return std::vector<std::string>();
}

/// A worker program that was named by its path, or the one that the model asks for.
Result<Backend> OnlyBackend(const requests::ExperimentRequest& request, core::Progress& progress,
                            int wake_fd, models::ZooMaking making) {
  Backend backend;
  if (request.worker.empty()) {
    XSP_TRY(const std::vector<std::string> formats, FormatsHere(request));
    XSP_TRY(backend.model, models::ResolveModel(request.model, request.manifest, formats, progress,
                                                wake_fd, making));
    XSP_TRY(backend.worker, ChooseWorker(backend.model.path, backend.model.framework));
  } else {
    XSP_TRY(backend.worker, DescribeWorker(request.worker));
    XSP_TRY(backend.model,
            models::ResolveModel(request.model, request.manifest, FormatsOf(backend.worker),
                                 progress, wake_fd, making));
  }
  backend.name = backend.worker.name;
  XSP_RETURN_IF_ERROR(CheckBackend(backend, request));
  return backend;
}

Result<Backend> NamedBackend(const std::string& name, const requests::ExperimentRequest& request,
                             core::Progress& progress, int wake_fd, models::ZooMaking making) {
  Backend backend;
  backend.name = name;
  XSP_TRY(backend.worker, FindWorker(name));
  XSP_RETURN_IF_ERROR(CheckOffers(backend.worker, request));
  XSP_TRY(backend.model,
          models::ResolveModel(request.model, request.manifest, FormatsOf(backend.worker), progress,
                               wake_fd, making));
  XSP_RETURN_IF_ERROR(CheckFrameworkVersion(backend.model.manifest, backend.worker));
  return backend;
}

/// The manifest that a request's model is named by: of the zoo, or itself; nothing: a model file.
Result<std::optional<manifest::Manifest>> ManifestNamed(const std::string& model) {
  XSP_TRY(const std::optional<models::ZooModel> zoo, models::FindInZoo(model));
  if (zoo) return std::optional(zoo->manifest);
  if (fs::path(model).extension() != ".yaml") return std::optional<manifest::Manifest>();
  XSP_TRY(manifest::Manifest read, manifest::ReadManifest(model));
  return std::optional(std::move(read));
}

/// The workers here that take a format of the model.
Result<std::vector<std::string>> WorkersForModel(const requests::ExperimentRequest& request) {
  XSP_TRY(const std::optional<manifest::Manifest> named, ManifestNamed(request.model));
  if (!named) {
    const fs::path model = models::ModelPath(request.model);
    std::vector<std::string> names;
    for (const WorkerProgram& worker : WorkersFor(model, ListWorkers().workers))
      names.push_back(worker.name);
    if (!names.empty()) return names;
    XSP_TRY(const WorkerProgram none, ChooseWorker(model, ""));
    return std::vector<std::string>{none.name};
  }
  // The format that the manifest names first is the model's own: its framework is the reference.
  const std::string own = !named->files.empty() ? named->files.front().format : "";
  std::vector<std::string> names;
  for (const WorkerProgram& worker : ListWorkers().workers) {
    const std::vector<std::string> formats = FormatsOf(worker);
    const bool takes = models::ChooseFile(*named, formats) != nullptr;
    const bool is_own = std::find(formats.begin(), formats.end(), own) != formats.end();
    if (takes) names.insert(is_own ? names.begin() : names.end(), worker.name);
  }
  if (!names.empty()) return names;
  return Error{ErrorKind::kNotPossible,
               fmt::format("no installed worker reads this model: {}", request.model),
               "`xsp doctor` lists the workers and the formats that they read."};
}

/// A misspelt backend before an option would have it ignored.
Status CheckOptionsFor(const requests::ExperimentRequest& request,
                       const std::vector<std::string>& backends) {
  for (const std::string& text : request.options) {
    const auto option = requests::ParseOption(text);
    if (!option || option->backend.empty()) continue;
    if (std::find(backends.begin(), backends.end(), option->backend) == backends.end())
      return Error{ErrorKind::kUsage,
                   fmt::format("option is for a backend that is not measured: {}", text),
                   fmt::format("Measured are {}.", fmt::join(backends, ", "))};
  }
  return Ok{};
}

/// Each name once, `all` taken apart.
Result<std::vector<std::string>> NamesOfBackends(const requests::ExperimentRequest& request) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const std::string& name : request.backends) {
    if (name != "all") {
      add(name);
      continue;
    }
    XSP_TRY(const std::vector<std::string> takers, WorkersForModel(request));
    for (const std::string& taker : takers) add(taker);
  }
  return names;
}

}  // namespace

Result<std::vector<Backend>> ChooseBackends(const requests::ExperimentRequest& request,
                                            core::Progress& progress, int wake_fd,
                                            models::ZooMaking making) {
  if (!request.worker.empty() || request.backends.empty()) {
    XSP_TRY(Backend backend, OnlyBackend(request, progress, wake_fd, making));
    return std::vector<Backend>{std::move(backend)};
  }
  XSP_TRY(const std::vector<std::string> names, NamesOfBackends(request));
  XSP_RETURN_IF_ERROR(CheckOptionsFor(request, names));
  std::vector<Backend> backends;
  for (const std::string& name : names) {
    auto backend = NamedBackend(name, request, progress, wake_fd, making);
    if (backend.ok()) {
      backends.push_back(std::move(backend).value());
    } else if (names.size() == 1 || backend.error().kind == ErrorKind::kInterrupted) {
      return backend.error();
    } else {
      backends.push_back({name, {}, {}, backend.error()});
    }
    const auto& asked = request.backends;
    backends.back().is_optional = std::find(asked.begin(), asked.end(), name) == asked.end();
  }
  for (const Backend& backend : backends)
    if (!backend.refused) return backends;
  return *backends.front().refused;
}

std::string DeviceFor(const workers::WorkerProgram& worker, const std::string& asked) {
  const auto has = [&](const std::string& device) {
    return std::find(worker.devices.begin(), worker.devices.end(), device) != worker.devices.end();
  };
  if (has(asked) || !asked.ends_with(":0")) return asked;
  const std::string kind = asked.substr(0, asked.size() - 2);
  return has(kind) ? kind : asked;
}

}  // namespace xsp::workers
