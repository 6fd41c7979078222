#include "measure/workers/model_fit.h"

#include <fmt/format.h>

#include "measure/manifest/version_constraint.h"

namespace xsp::workers {

std::vector<std::string> FormatsOf(const WorkerProgram& worker) {
  std::vector<std::string> formats = worker.formats;
  formats.insert(formats.end(), worker.extensions.begin(), worker.extensions.end());
  return formats;
}

Status CheckFrameworkVersion(const manifest::Manifest& manifest, const WorkerProgram& worker) {
  const manifest::Framework& wanted = manifest.framework;
  if (wanted.version.empty() || wanted.name != worker.name) return Ok{};
  // "PyTorch 2.15.0": the version is the last word.
  const std::string version = worker.framework.substr(worker.framework.rfind(' ') + 1);
  if (manifest::Satisfies(version, wanted.version)) return Ok{};
  return Error{ErrorKind::kNotPossible,
               fmt::format("model {} needs another version of {}: {}, installed is {}",
                           manifest.name, wanted.name, wanted.version, worker.framework),
               "Install such a version and rebuild its worker, or change framework.version in the "
               "manifest."};
}

}  // namespace xsp::workers
