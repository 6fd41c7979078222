// xsp-worker-tensorflow: TensorFlow's C API behind the harness.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "harness/announced_kernels.h"
#include "harness/fact.h"
#include "harness/guarded.h"
#include "harness/worker.h"
#include "tensorflow/describe.h"
#include "tensorflow/element_type.h"
#include "tensorflow/input_inference.h"
#include "tensorflow/layer_recorder.h"
#include "tensorflow/model.h"
#include "tensorflow/settings.h"

namespace xsp::worker_tensorflow {

using worker::RecordFact;

namespace {

using worker::AnnouncedKernels;
using worker::Guarded;

/// What the harness holds as the model.
struct State {
  std::unique_ptr<Model> model;
  Settings settings;
  bool announces = false;  ///< oneDNN prints its primitives, for as long as the process lives.
  xsp_worker_rung rung = XSP_RUNG_MODEL;
  std::optional<LayerRecorder> recorder;
  std::int64_t realtime_offset_ns = 0;  ///< Just after the last traced call.
};

State& StateOf(void* model) { return *static_cast<State*>(model); }

void CopyText(char (&to)[32], const std::string& text) {
  std::snprintf(to, sizeof to, "%s", text.c_str());
}

void RecordSettings(const Settings& settings) {
  RecordFact("tensorflow.inter_op_threads", std::to_string(ThreadsOf(settings.inter_op_threads)));
  RecordFact("tensorflow.onednn", settings.onednn);
  RecordFact("tensorflow.xla", settings.xla ? "on" : "off");
}

const char* TensorFlowDescribe() {
  static const std::string text = Describe();
  return text.c_str();
}

int TensorFlowLoad(const xsp_worker_job* job, void** model, xsp_worker_ran* ran,
                   xsp_worker_error* error) {
  return Guarded(error, "cannot load the model", "export the model again", [&] {
    auto state = std::make_unique<State>();
    state->settings = SettingsOf(*job);
    state->announces = job->rung == XSP_RUNG_KERNEL;
    if (state->announces) {
      AnnouncePrimitives();
      AnnouncedKernels::Start();
    }
    state->model = std::make_unique<Model>(job->model_path, state->settings);
    ran->threads = ThreadsOf(state->settings.intra_op_threads);
    CopyText(ran->graph, state->settings.rewrites ? "optimised" : "disabled");
    RecordSettings(state->settings);
    *model = state.release();
  });
}

int TensorFlowInferInputs(void* model, const xsp_worker_job* job, xsp_worker_input* inputs,
                          std::size_t capacity, std::size_t* count, xsp_worker_error* error) {
  return Guarded(error, "cannot infer the model's inputs", "", [&] {
    *count = InferInputs(StateOf(model).model->ports().inputs, job->batch, inputs, capacity);
  });
}

int TensorFlowBind(void* model, const xsp_worker_tensor* inputs, std::size_t count,
                   xsp_worker_error* error) {
  return Guarded(error, "the model does not take these inputs", "",
                 [&] { StateOf(model).model->Bind(inputs, count); });
}

int TensorFlowProfile(void* model, xsp_worker_rung rung, xsp_worker_error* error) {
  return Guarded(error, "cannot switch profiling", "", [&] {
    State& state = StateOf(model);
    if (state.rung == XSP_RUNG_KERNEL && rung != XSP_RUNG_KERNEL) AnnouncedKernels::RecordFacts();
    state.rung = rung;
    if (state.announces) AnnouncedKernels::Keep(rung == XSP_RUNG_KERNEL);
    state.recorder.reset();
    if (rung == XSP_RUNG_MODEL) return;
    LayerRecorder::Options options;
    options.all_nodes = state.settings.all_nodes;
    options.details = rung == XSP_RUNG_DETAILS;
    if (options.details) options.fused = ReadFusedOperators(state.model->RewrittenGraphs());
    state.recorder.emplace(std::move(options));
  });
}

int TensorFlowPredict(void* model, xsp_span, xsp_worker_error* error) {
  State& state = StateOf(model);
  return Guarded(error, "the model failed on these inputs", "", [&] {
    if (!state.recorder) return state.model->Call();
    state.model->CallTraced();
    state.realtime_offset_ns = RealtimeOffsetNs();
  });
}

int TensorFlowCollect(void* model, xsp_span call, xsp_worker_error* error) {
  State& state = StateOf(model);
  if (!state.recorder) return XSP_WORKER_OK;
  return Guarded(error, "cannot read TensorFlow's step statistics", "", [&] {
    const auto nodes = ReadStepStats(state.model->run_metadata());
    const auto layers = state.recorder->Record(call, nodes, state.realtime_offset_ns);
    if (state.rung == XSP_RUNG_KERNEL) AnnouncedKernels::File(call, layers);
  });
}

int TensorFlowOutputs(void* model, xsp_worker_tensor* outputs, std::size_t capacity,
                      std::size_t* count, xsp_worker_error* error) {
  return Guarded(error, "cannot read the model's results", "", [&] {
    const Model& loaded = *StateOf(model).model;
    *count = std::min(capacity, loaded.results().size());
    for (std::size_t i = 0; i < *count; ++i) {
      const TF_Tensor* tensor = loaded.results()[i].get();
      const std::string& name = loaded.ports().outputs[i].name;
      const auto dtype = ElementTypeOf(TF_TensorType(tensor));
      if (!dtype || TF_NumDims(tensor) > XSP_WORKER_MAX_RANK) {
        throw WorkerError(ErrorKind::kNotPossible,
                          "a result cannot be handed out: " + name + ", " +
                              TypeName(TF_TensorType(tensor)) + ", " +
                              std::to_string(TF_NumDims(tensor)) + " dimensions",
                          "");
      }
      std::snprintf(outputs[i].name, sizeof outputs[i].name, "%s", name.c_str());
      outputs[i].dtype = *dtype;
      outputs[i].rank = TF_NumDims(tensor);
      for (int d = 0; d < outputs[i].rank; ++d) outputs[i].shape[d] = TF_Dim(tensor, d);
      outputs[i].data = TF_TensorData(tensor);
      outputs[i].bytes = TF_TensorByteSize(tensor);
    }
  });
}

void TensorFlowUnload(void* model) { delete static_cast<State*>(model); }

}  // namespace
}  // namespace xsp::worker_tensorflow

int main(int argc, char** argv) {
  xsp::worker_tensorflow::RestartWithEnvironment(argc, argv);
  static const xsp_worker worker = {
      .abi = XSP_WORKER_ABI,
      .name = "tensorflow",
      .describe = xsp::worker_tensorflow::TensorFlowDescribe,
      .load = xsp::worker_tensorflow::TensorFlowLoad,
      .infer_inputs = xsp::worker_tensorflow::TensorFlowInferInputs,
      .bind = xsp::worker_tensorflow::TensorFlowBind,
      .profile = xsp::worker_tensorflow::TensorFlowProfile,
      .end_block = nullptr,
      .predict = xsp::worker_tensorflow::TensorFlowPredict,
      .collect = xsp::worker_tensorflow::TensorFlowCollect,
      .outputs = xsp::worker_tensorflow::TensorFlowOutputs,
      .unload = xsp::worker_tensorflow::TensorFlowUnload,
  };
  return xsp_worker_main(argc, argv, &worker);
}
