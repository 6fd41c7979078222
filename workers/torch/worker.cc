// xsp-worker-torch: PyTorch behind the harness.
#include <ATen/Parallel.h>
#include <ATen/native/verbose_wrapper.h>

#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <string>

#include "capture/record/cpu_capture.h"
#include "harness/cuda_recording.h"
#include "harness/fact.h"
#include "harness/worker.h"
#include "torch/counter_observer.h"
#include "torch/describe.h"
#include "torch/detail_observer.h"
#include "torch/errors.h"
#include "torch/layer_observer.h"
#include "torch/model.h"

namespace xsp::worker_torch {
namespace {

constexpr const char* kInputHint =
    "compare the inputs (fact `inputs` of the recording) with what the model's forward() takes, "
    "and "
    "list them in its manifest";

/// What the harness holds as the model.
struct State {
  std::unique_ptr<Model> model;
  std::optional<LayerObserver> layers;
  std::optional<DetailObserver> details;
  std::optional<CounterObserver> counters;
  bool captures = false;            ///< Primitives of the CPU.
  bool has_captured = false;        ///< At any time so far.
  bool records_cuda = false;        ///< The job is to record kernels of a CUDA device.
  std::vector<at::Tensor> outputs;  ///< Handed out last.
};

State& StateOf(void* model) { return *static_cast<State*>(model); }

void CopyText(char (&to)[32], const std::string& text) {
  std::snprintf(to, sizeof to, "%s", text.c_str());
}

void SwitchCapture(State& state, bool on) {
  if (state.captures == on) return;
  // The libraries speak only while somebody listens.
  if (on) record::StartCpuCapture();
  torch::verbose::_mkldnn_set_verbose(on);
  torch::verbose::_mkl_set_verbose(on);
  if (!on) record::StopCpuCapture();
  state.captures = on;
  state.has_captured = true;
}

/// Once, at the end: profiling is switched between two timed calls, and must cost next to nothing.
void RecordCaptureFacts() {
  const record::CpuCaptureCounts counts = record::CpuCaptureCountsSoFar();
  worker::RecordFact("cpu_capture.kernels", std::to_string(counts.kernels));
  worker::RecordFact("cpu_capture.other_lines", std::to_string(counts.other_lines));
  worker::RecordFact("cpu_capture.truncated_lines", std::to_string(counts.truncated_lines));
}

/// Makes sure that kernels of the job's device can be recorded.
void RecordCuda(State& state, const xsp_worker_job& job) {
  if (!state.model->device().is_cuda()) {
    throw WorkerError(ErrorKind::kNotPossible,
                      std::string("this worker records kernels of the CPU and of CUDA devices, not "
                                  "of ") +
                          job.device,
                      "use the rungs model, layer and details");
  }
  if (const std::string missing = worker::SwitchCudaRecording(true); !missing.empty()) {
    throw WorkerError(ErrorKind::kNotPossible,
                      std::string("kernels of ") + job.device + " cannot be recorded: " + missing,
                      "`xsp run` has them recorded where libxsp-cuda.so is built (tools/setup "
                      "--cuda, tools/build); see docs/cuda.md. The rungs model, layer and details "
                      "need none");
  }
  state.records_cuda = true;
}

/// The job setting cuda_graph; true: calls replay a graph.
bool TakeCudaGraph(State& state, const xsp_worker_job& job) {
  const std::string asked = xsp_worker_option_value(&job, "cuda_graph", "0");
  if (asked != "0" && asked != "1") {
    throw WorkerError(ErrorKind::kBadInput, "the option cuda_graph cannot be: " + asked,
                      "it is 0 or 1");
  }
  if (asked == "0") return false;
  // Operators run when a graph is captured, never when it is replayed: where they are what is
  // looked at, they run.
  const bool is_replayed = job.rung == XSP_RUNG_MODEL || job.rung == XSP_RUNG_KERNEL;
  state.model->CheckCudaGraph();
  if (is_replayed) state.model->UseCudaGraph();
  const std::string fact = is_replayed ? "replayed" : "not in this rung: operators run one by one";
  xsp_attribute(0, xsp_intern("torch.cuda_graph", 16), fact.data(), fact.size());
  return is_replayed;
}

const char* TorchDescribe() {
  static const std::string text = Describe();
  return text.c_str();
}

int TorchLoad(const xsp_worker_job* job, void** model, xsp_worker_ran* ran,
              xsp_worker_error* error) {
  return Guarded(error, "cannot load the model", "export the model again", [&] {
    if (job->threads > 0) at::set_num_threads(job->threads);
    auto state = std::make_unique<State>();
    state->model = LoadModel(*job);
    if (job->rung == XSP_RUNG_KERNEL && !state->model->device().is_cpu()) RecordCuda(*state, *job);
    const bool is_replayed = TakeCudaGraph(*state, *job);
    ran->threads = at::get_num_threads();
    CopyText(ran->graph, state->model->graph() + (is_replayed ? ", CUDA graph" : ""));
    CopyText(ran->device, state->model->device().str());
    CopyText(ran->precision, state->model->precision());
    RecordBuildFacts();
    *model = state.release();
  });
}

int TorchInferInputs(void* model, const xsp_worker_job*, xsp_worker_input* inputs,
                     std::size_t capacity, std::size_t* count, xsp_worker_error* error) {
  return Guarded(error, "cannot infer the model's inputs", kInputHint, [&] {
    const auto known = StateOf(model).model->Inputs();
    *count = std::min(capacity, known.size());
    std::copy_n(known.begin(), *count, inputs);
  });
}

int TorchBind(void* model, const xsp_worker_tensor* inputs, std::size_t count,
              xsp_worker_error* error) {
  return Guarded(error, "the model does not take these inputs", kInputHint, [&] {
    std::vector<at::Tensor> tensors;
    for (std::size_t i = 0; i < count; ++i) tensors.push_back(Wrap(inputs[i]));
    StateOf(model).model->Bind(tensors);
  });
}

int TorchProfile(void* model, xsp_worker_rung rung, xsp_worker_error* error) {
  return Guarded(error, "cannot switch profiling", "", [&] {
    State& state = StateOf(model);
    state.layers.reset();
    state.details.reset();
    state.counters.reset();
    if (state.records_cuda) {
      worker::SwitchCudaRecording(rung == XSP_RUNG_KERNEL);
    } else {
      SwitchCapture(state, rung == XSP_RUNG_KERNEL);
    }
    if (rung == XSP_RUNG_LAYER || rung == XSP_RUNG_KERNEL) {
      state.layers.emplace(state.model->device());
    }
    if (rung == XSP_RUNG_COUNTERS) state.counters.emplace(state.model->device());
    if (rung == XSP_RUNG_DETAILS) state.details.emplace(state.model->device());
  });
}

int TorchPredict(void* model, xsp_span call, xsp_worker_error* error) {
  State& state = StateOf(model);
  return Guarded(error, "the model failed on these inputs", kInputHint, [&] {
    if (state.details) state.details->BeginCall(call);
    state.model->Call();
    Synchronise(state.model->device());
    if (state.details) state.details->EndCall();
  });
}

int TorchOutputs(void* model, xsp_worker_tensor* outputs, std::size_t capacity, std::size_t* count,
                 xsp_worker_error* error) {
  return Guarded(error, "cannot read the model's results", "", [&] {
    State& state = StateOf(model);
    state.outputs = state.model->Outputs();
    *count = std::min(capacity, state.outputs.size());
    for (std::size_t i = 0; i < *count; ++i) {
      const at::Tensor& tensor = state.outputs[i];
      if (tensor.dim() > XSP_WORKER_MAX_RANK) {
        throw WorkerError(ErrorKind::kNotPossible,
                          "a result has more than 8 dimensions: " + std::to_string(tensor.dim()),
                          "");
      }
      std::snprintf(outputs[i].name, sizeof outputs[i].name, "output%zu", i);
      outputs[i].dtype = DtypeOf(tensor);
      outputs[i].rank = static_cast<int>(tensor.dim());
      std::copy(tensor.sizes().begin(), tensor.sizes().end(), outputs[i].shape);
      outputs[i].data = tensor.data_ptr();
      outputs[i].bytes = tensor.nbytes();
    }
  });
}

void TorchUnload(void* model) {
  State& state = StateOf(model);
  xsp_worker_error ignored = {};
  Guarded(&ignored, "cannot read the allocator", "",
          [&] { RecordMemoryFacts(state.model->device()); });
  if (state.has_captured) RecordCaptureFacts();
  delete &state;
}

}  // namespace
}  // namespace xsp::worker_torch

int main(int argc, char** argv) {
  static const xsp_worker worker = {
      .abi = XSP_WORKER_ABI,
      .name = "torch",
      .describe = xsp::worker_torch::TorchDescribe,
      .load = xsp::worker_torch::TorchLoad,
      .infer_inputs = xsp::worker_torch::TorchInferInputs,
      .bind = xsp::worker_torch::TorchBind,
      .profile = xsp::worker_torch::TorchProfile,
      .end_block = nullptr,
      .predict = xsp::worker_torch::TorchPredict,
      .collect = nullptr,
      .outputs = xsp::worker_torch::TorchOutputs,
      .unload = xsp::worker_torch::TorchUnload,
  };
  return xsp_worker_main(argc, argv, &worker);
}
