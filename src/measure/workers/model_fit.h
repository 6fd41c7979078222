#ifndef XSP_MEASURE_WORKERS_MODEL_FIT_H_
#define XSP_MEASURE_WORKERS_MODEL_FIT_H_

#include <string>
#include <vector>

#include "core/result.h"
#include "measure/manifest/manifest.h"
#include "measure/workers/worker_program.h"

namespace xsp::workers {

/// What a worker takes, for models::ResolveModel: the names of its formats, then their extensions.
std::vector<std::string> FormatsOf(const WorkerProgram& worker);

/// Refuses a worker whose framework is of a version that the manifest does not allow; the
/// manifest's constraint speaks of the worker that it names alone. Errors: kNotPossible.
Status CheckFrameworkVersion(const manifest::Manifest& manifest, const WorkerProgram& worker);

}  // namespace xsp::workers

#endif  // XSP_MEASURE_WORKERS_MODEL_FIT_H_
