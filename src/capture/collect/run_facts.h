#ifndef XSP_CAPTURE_COLLECT_RUN_FACTS_H_
#define XSP_CAPTURE_COLLECT_RUN_FACTS_H_

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "capture/collect/collector.h"

namespace xsp::collect {

/// The stack in `document` (run.json, or what `xsp system --format json` writes), which is an
/// object. Empty: it has none.
std::vector<Fact> StackOf(const nlohmann::json& document);

/// What the worker of the run in `document` (run.json) reported of its framework and libraries:
/// "backend.torch.framework.version". Empty: it was not measured by a worker.
std::vector<Fact> BackendOf(const nlohmann::json& document);

}  // namespace xsp::collect

#endif  // XSP_CAPTURE_COLLECT_RUN_FACTS_H_
