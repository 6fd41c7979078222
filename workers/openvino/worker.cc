// xsp-worker-openvino: OpenVINO behind the harness.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "capture/record/cpu_capture.h"
#include "harness/fact.h"
#include "harness/worker.h"
#include "openvino/counters.h"
#include "openvino/describe.h"
#include "openvino/errors.h"
#include "openvino/model.h"
#include "openvino/task_observer.h"
#include "openvino/zeroed_new.h"

namespace xsp::worker_openvino {

using worker::RecordFact;

namespace {

constexpr const char* kInputHint =
    "compare the inputs (fact `inputs` of the recording) with what the model takes, and list them "
    "in "
    "its manifest";

/// Whether this program hears OpenVINO's tasks; else another listener was there first.
bool hears_tasks = false;

/// What the harness holds as the model.
struct State {
  std::unique_ptr<Model> model;
  xsp_worker_rung rung = XSP_RUNG_MODEL;
  bool announces = false;  ///< oneDNN announces primitives: in the process of the kernel rung.
  std::uint64_t start_ns = 0, end_ns = 0;                   ///< Of the last call.
  std::vector<std::pair<std::string, ov::Tensor>> outputs;  ///< Handed out last.
  const NodeTable* known_nodes = nullptr;                   ///< Those that the observer was given.

  bool CountsLayers() const { return model->settings().layers == LayerSource::kCounters; }
};

State& StateOf(void* model) { return *static_cast<State*>(model); }

void CopyText(char (&to)[32], const std::string& text) {
  std::snprintf(to, sizeof to, "%s", text.c_str());
}

void RecordKernels(bool on) {
  const std::uint32_t kernels = XSP_LEVEL_BIT(XSP_LEVEL_KERNEL);
  xsp_set_levels(on ? xsp_levels() | kernels : xsp_levels() & ~kernels);
}

/// oneDNN reads its environment once, when it is used first: in the process of the kernel rung it
/// announces every primitive from then on, in all others none.
void SetUpAnnouncements(State& state, const xsp_worker_job& job) {
  for (const char* variable : {"ONEDNN_VERBOSE", "DNNL_VERBOSE", "MKLDNN_VERBOSE"}) {
    unsetenv(variable);
  }
  if (job.rung != XSP_RUNG_KERNEL) return;
  setenv("ONEDNN_VERBOSE", "profile_exec", 1);
  ZeroSmallObjects();
  record::StartCpuCapture();
  RecordKernels(false);
  state.announces = true;
}

void CheckRung(const State& state, const xsp_worker_job& job) {
  if (job.rung == XSP_RUNG_KERNEL && (state.CountsLayers() || std::string(job.device) != "cpu")) {
    throw WorkerError(ErrorKind::kNotPossible,
                      std::string("this worker records kernels of the CPU only, with layers from "
                                  "tasks; not of ") +
                          job.device,
                      "use the rungs model, layer and details");
  }
  if (job.rung != XSP_RUNG_MODEL && !state.CountsLayers() && !hears_tasks) {
    throw WorkerError(ErrorKind::kNotPossible,
                      std::string("another profiler listens to OpenVINO's tasks: "
                                  "INTEL_LIBITTNOTIFY64=") +
                          std::getenv("INTEL_LIBITTNOTIFY64"),
                      "unset INTEL_LIBITTNOTIFY64, or give the option layer_times=counters");
  }
}

/// OpenVINO takes another precision by itself where the device has not the one it was asked for.
void CheckPrecision(const State& state, const xsp_worker_job& job) {
  const std::string& ran = state.model->precision();
  const std::string asked = job.precision;
  // The type is asked for what a model has not quantised.
  if (asked == "default" || ran == "default" || ran == asked || ran == "int8") return;
  throw WorkerError(ErrorKind::kNotPossible,
                    "this device does not compute in " + asked + ": OpenVINO would take " + ran,
                    "ask for " + ran + ", or leave the precision at default");
}

const char* OpenVinoDescribe() {
  static const std::string text = Describe();
  return text.c_str();
}

int OpenVinoLoad(const xsp_worker_job* job, void** model, xsp_worker_ran* ran,
                 xsp_worker_error* error) {
  return Guarded(error, "cannot load the model",
                 "check the file with the tool that made it; `benchmark_app -m FILE` of OpenVINO "
                 "reads it, too",
                 [&] {
                   auto state = std::make_unique<State>();
                   SetUpAnnouncements(*state, *job);
                   state->model = std::make_unique<Model>(*job);
                   CheckRung(*state, *job);
                   CheckPrecision(*state, *job);
                   const Settings& settings = state->model->settings();
                   ran->threads = state->model->threads();
                   CopyText(ran->graph, settings.is_static ? "static" : "dynamic");
                   CopyText(ran->precision, state->model->precision());
                   RecordBuildFacts(settings.device);
                   RecordFact("openvino.layer_times", state->CountsLayers() ? "counters" : "tasks");
                   *model = state.release();
                 });
}

int OpenVinoInferInputs(void* model, const xsp_worker_job*, xsp_worker_input* inputs,
                        std::size_t capacity, std::size_t* count, xsp_worker_error* error) {
  return Guarded(error, "cannot infer the model's inputs", kInputHint, [&] {
    const auto known = StateOf(model).model->Inputs();
    *count = std::min(capacity, known.size());
    std::copy_n(known.begin(), *count, inputs);
  });
}

int OpenVinoBind(void* model, const xsp_worker_tensor* inputs, std::size_t count,
                 xsp_worker_error* error) {
  return Guarded(error, "the model does not take these inputs", kInputHint, [&] {
    State& state = StateOf(model);
    state.model->Bind(inputs, count);
    RecordModelFacts(*state.model->compiled());
  });
}

LayerDetail DetailOf(xsp_worker_rung rung) {
  if (rung == XSP_RUNG_DETAILS) return LayerDetail::kShapes;
  return rung == XSP_RUNG_KERNEL ? LayerDetail::kImplementation : LayerDetail::kTimes;
}

int OpenVinoProfile(void* model, xsp_worker_rung rung, xsp_worker_error* error) {
  return Guarded(error, "cannot switch profiling", "", [&] {
    State& state = StateOf(model);
    StopLayers();
    if (state.CountsLayers()) {
      state.model->Count(rung != XSP_RUNG_MODEL);
    } else if (rung != XSP_RUNG_MODEL) {
      StartLayers(state.model->nodes(), DetailOf(rung));
    }
    if (state.announces) RecordKernels(rung == XSP_RUNG_KERNEL);
    state.rung = rung;
    state.known_nodes = state.model->nodes().get();
  });
}

int OpenVinoPredict(void* model, xsp_span call, xsp_worker_error* error) {
  State& state = StateOf(model);
  return Guarded(error, "the model failed on these inputs", kInputHint, [&] {
    if (state.rung == XSP_RUNG_MODEL) return state.model->Call();
    // After another bind() the model is another one.
    if (state.known_nodes != state.model->nodes().get() && !state.CountsLayers()) {
      StartLayers(state.model->nodes(), DetailOf(state.rung));
      state.known_nodes = state.model->nodes().get();
    }
    state.start_ns = xsp_now_ns();
    BeginCall(call);
    state.model->Call();
    EndCall();
    state.end_ns = xsp_now_ns();
  });
}

int OpenVinoCollect(void* model, xsp_span call, xsp_worker_error* error) {
  State& state = StateOf(model);
  if (state.rung == XSP_RUNG_MODEL || !state.CountsLayers()) return XSP_WORKER_OK;
  return Guarded(error, "cannot read the plugin's counters", "", [&] {
    RecordCounters(call, state.start_ns, state.end_ns, state.model->Counters(),
                   *state.model->nodes(), state.rung == XSP_RUNG_DETAILS);
  });
}

int OpenVinoOutputs(void* model, xsp_worker_tensor* outputs, std::size_t capacity,
                    std::size_t* count, xsp_worker_error* error) {
  return Guarded(error, "cannot read the model's results", "", [&] {
    State& state = StateOf(model);
    state.outputs = state.model->Outputs();
    *count = std::min(capacity, state.outputs.size());
    for (std::size_t i = 0; i < *count; ++i) {
      ov::Tensor& tensor = state.outputs[i].second;
      const ov::Shape& shape = tensor.get_shape();
      if (shape.size() > XSP_WORKER_MAX_RANK) {
        throw WorkerError(ErrorKind::kNotPossible,
                          "a result has more than 8 dimensions: " + std::to_string(shape.size()),
                          "");
      }
      std::snprintf(outputs[i].name, sizeof outputs[i].name, "%s", state.outputs[i].first.c_str());
      outputs[i].dtype = DtypeOf(tensor.get_element_type());
      outputs[i].rank = static_cast<int>(shape.size());
      std::copy(shape.begin(), shape.end(), outputs[i].shape);
      outputs[i].data = tensor.data();
      outputs[i].bytes = tensor.get_byte_size();
    }
  });
}

void OpenVinoUnload(void* model) {
  const State& state = StateOf(model);
  if (state.announces) {
    record::StopCpuCapture();
    const record::CpuCaptureCounts counts = record::CpuCaptureCountsSoFar();
    RecordFact("cpu_capture.kernels", std::to_string(counts.kernels));
    RecordFact("cpu_capture.other_lines", std::to_string(counts.other_lines));
    RecordFact("cpu_capture.truncated_lines", std::to_string(counts.truncated_lines));
  }
  delete &state;
}

}  // namespace
}  // namespace xsp::worker_openvino

int main(int argc, char** argv) {
  using namespace xsp::worker_openvino;
  hears_tasks = ListenToTasks();
  static const xsp_worker worker = {
      .abi = XSP_WORKER_ABI,
      .name = "openvino",
      .describe = OpenVinoDescribe,
      .load = OpenVinoLoad,
      .infer_inputs = OpenVinoInferInputs,
      .bind = OpenVinoBind,
      .profile = OpenVinoProfile,
      .end_block = nullptr,
      .predict = OpenVinoPredict,
      .collect = OpenVinoCollect,
      .outputs = OpenVinoOutputs,
      .unload = OpenVinoUnload,
  };
  return xsp_worker_main(argc, argv, &worker);
}
