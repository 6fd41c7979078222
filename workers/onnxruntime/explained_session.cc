#include "onnxruntime/explained_session.h"

#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include "capture/wire/xsp.h"
#include "harness/fact.h"
#include "onnxruntime/fused_nodes.h"
#include "onnxruntime/onnx_graph.h"
#include "onnxruntime/scratch_folder.h"
#include "onnxruntime/session_options.h"

namespace xsp::worker_onnxruntime {

using worker::RecordFact;

namespace {

namespace fs = std::filesystem;

/// Makes a session that writes its graph into `file`. Null: it cannot, `problem` says why.
Session CreateWriting(OrtEnv& environment, const xsp_worker_job& job, OrtSessionOptions* options,
                      const fs::path& file, std::string& problem) {
  OrtSession* session = nullptr;
  OrtStatus* status = Api().SetOptimizedModelFilePath(options, file.c_str());
  if (!status) status = Api().CreateSession(&environment, job.model_path, options, &session);
  if (!status) return Session(session);
  problem = Api().GetErrorMessage(status);
  problem = problem.substr(0, problem.find('\n'));
  Api().ReleaseStatus(status);
  return nullptr;
}

/// Only the last step, to the level `all`, gives other names to the values between nodes.
bool IsInTwoSteps(std::string_view graph) { return graph == "default" || graph == "all"; }

/// Writes the graph of the level `extended` and forgets its session.
void WriteExtended(OrtEnv& environment, const xsp_worker_job& job, const fs::path& file,
                   std::string& problem) {
  const SessionOptions options = MakeSessionOptions(job);
  Check(Api().SetSessionGraphOptimizationLevel(options.get(), ORT_ENABLE_EXTENDED),
        "cannot set a session option", "");
  CreateWriting(environment, job, options.get(), file, problem);
}

/// Lays the graphs beside each other. Nothing when one is not there or cannot be read.
std::optional<Explanation> Explain(const fs::path& model, const fs::path& extended,
                                   const fs::path& optimised) {
  const auto first = ReadGraphFile(model), last = ReadGraphFile(optimised);
  if (!first || !last) return std::nullopt;
  NodeParts parts;
  if (extended.empty()) {
    parts = FindParts(*first, *last);
  } else {
    const auto middle = ReadGraphFile(extended);
    if (!middle) return std::nullopt;
    parts = Compose(FindParts(*first, *middle), FindParts(*middle, *last));
  }
  if (parts.uncertain > 0) {
    RecordFact("onnxruntime.uncertain_nodes", std::to_string(parts.uncertain));
  }
  return Explanation{NamesOfParts(*first, *last, parts), PathsOfParts(*first, *last, parts),
                     FindUnpaddedSizes(*first, *last, parts)};
}

}  // namespace

Explanation ExplainFile(const fs::path& model) {
  Explanation explanation;
  const auto graph = ReadGraphFile(model);
  if (!graph) return explanation;
  for (const GraphNode& node : graph->nodes)
    if (!node.path.empty()) explanation.paths.emplace(node.name, node.path);
  return explanation;
}

ExplainedSession CreateExplainedSession(OrtEnv& environment, const xsp_worker_job& job) {
  const ScratchFolder scratch("graph");
  const fs::path optimised = scratch.path() / "optimised.onnx";
  fs::path extended;
  std::string problem;
  if (IsInTwoSteps(job.graph)) {
    extended = scratch.path() / "extended.onnx";
    WriteExtended(environment, job, extended, problem);
  }
  const SessionOptions options = MakeSessionOptions(job);
  ExplainedSession made;
  made.session = CreateWriting(environment, job, options.get(), optimised, problem);
  if (!made.session) {
    Check(Api().SetOptimizedModelFilePath(options.get(), ""), "cannot set a session option", "");
    made.session = CreateSession(environment, job, options.get());
  }
  if (auto explanation = Explain(job.model_path, extended, optimised)) {
    made.explanation = std::move(*explanation);
  } else {
    RecordFact("onnxruntime.fused_from",
               "not told: " + (problem.empty() ? "a graph cannot be read" : problem));
  }
  return made;
}

}  // namespace xsp::worker_onnxruntime
