#ifndef XSP_WORKERS_ONNXRUNTIME_FUSED_FROM_H_
#define XSP_WORKERS_ONNXRUNTIME_FUSED_FROM_H_

#include <string>
#include <unordered_map>

#include "harness/worker.h"
#include "onnxruntime/runtime.h"

namespace xsp::worker_onnxruntime {

/// A session, and what each node of its optimised graph was made of.
struct ExplainedSession {
  Session session;
  /// By the node's name: the nodes of the model's file that are in it, with commas.
  std::unordered_map<std::string, std::string> fused_from;
};

/// Makes the job's session. The library does not tell what it fuses, so it is made to write its
/// optimised graph, and the one of the level `extended` where more was asked for, into a folder
/// beside the recording, and these are laid beside the model's file (FindParts). Where the library
/// cannot write a graph the session is made without, and the fact `onnxruntime.fused_from` says
/// why. Throws WorkerError when there is no session.
ExplainedSession CreateExplainedSession(OrtEnv& environment, const xsp_worker_job& job);

}  // namespace xsp::worker_onnxruntime

#endif  // XSP_WORKERS_ONNXRUNTIME_FUSED_FROM_H_
