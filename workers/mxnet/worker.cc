// xsp-worker-mxnet: MXNet's C API behind the harness.
#include <stdlib.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "harness/announced_kernels.h"
#include "harness/fact.h"
#include "harness/guarded.h"
#include "harness/worker.h"
#include "mxnet/describe.h"
#include "mxnet/model.h"

namespace xsp::worker_mxnet {

using worker::Intern;
using worker::RecordFact;

namespace {

using worker::AnnouncedKernels;
using worker::Guarded;

constexpr const char* kInputHint = "list the inputs in the model's manifest (name, dtype, shape)";

/// What the harness holds as the model.
struct State {
  /// The engine's threads free operators and arrays after their handles: a process that ended
  /// before they did would abort.
  ~State() {
    results.clear();
    model.reset();
    MXNDArrayWaitAll();
  }

  std::unique_ptr<Model> model;
  bool announces = false;  ///< oneDNN prints its primitives, for as long as the process lives.
  xsp_worker_rung rung = XSP_RUNG_MODEL;
  std::vector<Array> results;  ///< Handed out last.
  std::vector<std::string> copies;
};

State& StateOf(void* model) { return *static_cast<State*>(model); }

void CopyText(char (&to)[32], const std::string& text) {
  std::snprintf(to, sizeof to, "%s", text.c_str());
}

/// MXNet reads these from the environment when it needs them first: before any call of it.
void PrepareEnvironment(const xsp_worker_job& job) {
  std::string engine = xsp_worker_option_value(&job, "engine", "default");
  if (engine != "default" && engine != "threaded" && engine != "naive") {
    throw WorkerError(ErrorKind::kBadInput, "the option engine does not take this value: " + engine,
                      "engine takes default, threaded or naive");
  }
  const bool profiles = job.rung != XSP_RUNG_MODEL;
  if (profiles && engine == "threaded") {
    throw WorkerError(
        ErrorKind::kNotPossible,
        "operators of the threaded engine cannot be timed from outside: engine " + engine,
        "leave the option engine at default, or measure the rung model alone");
  }
  if (engine == "naive" || profiles) {
    setenv("MXNET_ENGINE_TYPE", "NaiveEngine", 1);
    engine = "naive";
  } else if (engine == "threaded") {
    setenv("MXNET_ENGINE_TYPE", "ThreadedEnginePerDevice", 1);
  } else {
    const char* chosen = getenv("MXNET_ENGINE_TYPE");
    engine = chosen ? chosen : "threaded";
  }
  RecordFact("mxnet.engine", engine);
  if (std::string_view(job.graph) == "disabled") setenv("MXNET_SUBGRAPH_BACKEND", "NONE", 1);
  if (job.rung == XSP_RUNG_KERNEL) {
    // The name that its oneDNN 1.x and older ones know.
    setenv("MKLDNN_VERBOSE", "1", 1);
    setenv("DNNL_VERBOSE", "1", 1);
  }
}

const char* MxnetDescribe() {
  static const std::string text = Describe();
  return text.c_str();
}

int MxnetLoad(const xsp_worker_job* job, void** model, xsp_worker_ran* ran,
              xsp_worker_error* error) {
  return Guarded(error, "cannot load the model", "export the model again", [&] {
    PrepareEnvironment(*job);
    auto state = std::make_unique<State>();
    state->announces = job->rung == XSP_RUNG_KERNEL;
    if (state->announces) AnnouncedKernels::Start();
    if (job->threads > 0)
      Check(MXSetNumOMPThreads(job->threads), "cannot set the number of threads", "");
    state->model = std::make_unique<Model>(job->model_path);
    ran->threads =
        job->threads > 0 ? job->threads : static_cast<int>(std::thread::hardware_concurrency());
    CopyText(ran->graph, std::string_view(job->graph) == "disabled" ? "disabled" : "optimised");
    RecordBuildFacts();
    *model = state.release();
  });
}

int MxnetInferInputs(void* model, const xsp_worker_job*, xsp_worker_input* inputs,
                     std::size_t capacity, std::size_t* count, xsp_worker_error* error) {
  return Guarded(error, "cannot infer the model's inputs", kInputHint, [&] {
    const auto& ports = StateOf(model).model->inputs();
    *count = std::min(capacity, ports.size());
    for (std::size_t i = 0; i < *count; ++i) {
      const Port& port = ports[i];
      if (port.shape.size() > XSP_WORKER_MAX_RANK) {
        throw WorkerError(ErrorKind::kNotPossible,
                          "input " + port.name + " has more than 8 dimensions", "");
      }
      std::snprintf(inputs[i].name, sizeof inputs[i].name, "%s", port.name.c_str());
      inputs[i].dtype = XSP_FLOAT32;
      if (port.shape.empty()) continue;
      inputs[i].rank = static_cast<int>(port.shape.size());
      // A symbol runs with any batch: what its author gave was his own. 0: not known.
      for (std::size_t d = 1; d < port.shape.size(); ++d)
        inputs[i].shape[d] = port.shape[d] > 0 ? port.shape[d] : XSP_WORKER_UNKNOWN;
    }
  });
}

int MxnetBind(void* model, const xsp_worker_tensor* inputs, std::size_t count,
              xsp_worker_error* error) {
  return Guarded(error, "the model does not take these inputs", kInputHint, [&] {
    State& state = StateOf(model);
    state.results.clear();
    state.model->Bind(inputs, count);
    if (state.rung != XSP_RUNG_MODEL) state.model->PrepareMonitored();
  });
}

int MxnetProfile(void* model, xsp_worker_rung rung, xsp_worker_error* error) {
  return Guarded(error, "cannot switch profiling", "", [&] {
    State& state = StateOf(model);
    if (state.rung == XSP_RUNG_KERNEL && rung != XSP_RUNG_KERNEL) AnnouncedKernels::RecordFacts();
    state.rung = rung;
    if (state.announces) AnnouncedKernels::Keep(rung == XSP_RUNG_KERNEL);
    if (rung == XSP_RUNG_MODEL) return;
    state.model->PrepareMonitored();
    state.model->monitor().ReadDetails(rung == XSP_RUNG_DETAILS);
  });
}

int MxnetPredict(void* model, xsp_span, xsp_worker_error* error) {
  State& state = StateOf(model);
  return Guarded(error, "the model failed on these inputs", kInputHint, [&] {
    const bool monitored = state.rung != XSP_RUNG_MODEL;
    if (monitored) state.model->monitor().Begin();
    state.model->Call(monitored);
  });
}

void RecordDetails(xsp_span span, const Operator& op, const MonitoredOperator& call) {
  static const xsp_string input_shapes = Intern("input_shapes"),
                          input_types = Intern("input_types"),
                          output_shapes = Intern("output_shapes"), fused = Intern("fused_from");
  const auto attribute = [&](xsp_string key, const std::string& value) {
    xsp_attribute(span, key, value.data(), value.size());
  };
  attribute(input_shapes, "[" + call.input_shapes + "]");
  attribute(input_types, "[" + call.input_types + "]");
  attribute(output_shapes, "[" + call.output_shapes + "]");
  if (op.fused_from.empty()) return;
  std::string parts;
  for (const std::string& part : op.fused_from) parts += (parts.empty() ? "" : ",") + part;
  attribute(fused, parts);
}

/// The operator's name; of a fusion those of its parts, joined.
std::string NameOf(const Operator& op) {
  if (op.fused_from.empty()) return op.name;
  std::string joined;
  for (const std::string& part : op.fused_from) joined += (joined.empty() ? "" : " + ") + part;
  return joined;
}

int MxnetCollect(void* model, xsp_span call, xsp_worker_error* error) {
  State& state = StateOf(model);
  if (state.rung == XSP_RUNG_MODEL) return XSP_WORKER_OK;
  return Guarded(error, "cannot record the operators", "", [&] {
    const OperatorMonitor& monitor = state.model->monitor();
    std::vector<worker::RecordedLayer> layers;
    for (std::size_t i = 0; i < monitor.calls().size(); ++i) {
      const Operator& op = monitor.operators()[i];
      const MonitoredOperator& done = monitor.calls()[i];
      if (!done.seen) continue;
      const xsp_span span =
          xsp_complete_in(call, XSP_LEVEL_LAYER, Intern(op.type), Intern(NameOf(op)), done.start_ns,
                          done.end_ns - done.start_ns);
      if (!span) continue;
      layers.push_back({span, done.start_ns, done.end_ns});
      if (state.rung == XSP_RUNG_DETAILS) RecordDetails(span, op, done);
    }
    if (layers.size() < monitor.operators().size()) {
      throw WorkerError(ErrorKind::kInternal,
                        "MXNet told of " + std::to_string(layers.size()) + " operators of " +
                            std::to_string(monitor.operators().size()),
                        "");
    }
    if (state.rung == XSP_RUNG_KERNEL) AnnouncedKernels::File(call, layers);
  });
}

int MxnetOutputs(void* model, xsp_worker_tensor* outputs, std::size_t capacity, std::size_t* count,
                 xsp_worker_error* error) {
  return Guarded(error, "cannot read the model's results", "", [&] {
    State& state = StateOf(model);
    const auto results = state.model->Results();
    *count = std::min(capacity, results.size());
    state.results.clear();
    for (const NDArrayHandle result : results) state.results.emplace_back(result);
    state.copies.assign(*count, "");
    for (std::size_t i = 0; i < *count; ++i) {
      const auto shape = ShapeOf(results[i]);
      const auto dtype = ElementTypeOf(TypeFlagOfArray(results[i]));
      const std::string& name = state.model->result_names()[i];
      if (!dtype || shape.size() > XSP_WORKER_MAX_RANK)
        throw WorkerError(ErrorKind::kNotPossible, "a result cannot be handed out: " + name, "");
      std::size_t elements = 1;
      for (const std::int64_t size : shape) elements *= static_cast<std::size_t>(size);
      // oneDNN may keep a result in a layout of its own: only a copy has the usual one.
      state.copies[i].resize(elements * xsp_worker_dtype_bytes(*dtype));
      Check(MXNDArraySyncCopyToCPU(results[i], state.copies[i].data(), elements),
            "cannot read the result " + name, "");
      std::snprintf(outputs[i].name, sizeof outputs[i].name, "%s", name.c_str());
      outputs[i].dtype = *dtype;
      outputs[i].rank = static_cast<int>(shape.size());
      std::copy(shape.begin(), shape.end(), outputs[i].shape);
      outputs[i].data = state.copies[i].data();
      outputs[i].bytes = state.copies[i].size();
    }
  });
}

void MxnetUnload(void* model) { delete static_cast<State*>(model); }

}  // namespace
}  // namespace xsp::worker_mxnet

int main(int argc, char** argv) {
  static const xsp_worker worker = {
      .abi = XSP_WORKER_ABI,
      .name = "mxnet",
      .describe = xsp::worker_mxnet::MxnetDescribe,
      .load = xsp::worker_mxnet::MxnetLoad,
      .infer_inputs = xsp::worker_mxnet::MxnetInferInputs,
      .bind = xsp::worker_mxnet::MxnetBind,
      .profile = xsp::worker_mxnet::MxnetProfile,
      .end_block = nullptr,
      .predict = xsp::worker_mxnet::MxnetPredict,
      .collect = xsp::worker_mxnet::MxnetCollect,
      .outputs = xsp::worker_mxnet::MxnetOutputs,
      .unload = xsp::worker_mxnet::MxnetUnload,
  };
  return xsp_worker_main(argc, argv, &worker);
}
