#ifndef XSP_WORKERS_ONNXRUNTIME_EXPLAINED_SESSION_H_
#define XSP_WORKERS_ONNXRUNTIME_EXPLAINED_SESSION_H_

#include <filesystem>
#include <string>
#include <unordered_map>

#include "harness/worker.h"
#include "onnxruntime/runtime.h"
#include "onnxruntime/unpadded_sizes.h"

namespace xsp::worker_onnxruntime {

/// What nodes of an optimised graph were made of, by their names.
struct Explanation {
  std::unordered_map<std::string, std::string> fused_from;  ///< The file's nodes, with commas.
  std::unordered_map<std::string, std::string> paths;       ///< Where the file tells modules.
  UnpaddedNodes unpadded;  ///< Whose shapes the blocked layout pads.
};

struct ExplainedSession {
  Session session;
  Explanation explanation;
};

/// Of a graph that is not optimised: only paths.
Explanation ExplainFile(const std::filesystem::path& model);

/// Makes the job's session. The library does not tell what it fuses, so it is made to write its
/// optimised graph, and the one of the level `extended` where more was asked for, into a folder
/// beside the recording, and these are aligned with the model's file (FindParts). Where the library
/// cannot write a graph the session is made without, and the fact `onnxruntime.fused_from` says
/// why. Throws WorkerError when there is no session.
ExplainedSession CreateExplainedSession(OrtEnv& environment, const xsp_worker_job& job);

}  // namespace xsp::worker_onnxruntime

#endif  // XSP_WORKERS_ONNXRUNTIME_EXPLAINED_SESSION_H_
