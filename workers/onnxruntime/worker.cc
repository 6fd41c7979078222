// xsp-worker-onnxruntime: ONNX Runtime behind the harness.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>

#include "harness/cuda_recording.h"
#include "harness/guarded.h"
#include "harness/worker.h"
#include "onnxruntime/describe.h"
#include "onnxruntime/layers.h"
#include "onnxruntime/model.h"
#include "onnxruntime/runtime.h"
#include "onnxruntime/session_options.h"

namespace xsp::worker_onnxruntime {
namespace {

/// What the harness holds as the model.
struct State {
  std::unique_ptr<Model> model;
  std::unique_ptr<LayerProfile> profile;  ///< Null until a rung asks for layers.
  xsp_worker_rung rung = XSP_RUNG_MODEL;  ///< In force.

  bool Profiles() const { return profile && rung != XSP_RUNG_MODEL; }
  bool records_cuda = false;  ///< Kernels of a CUDA device are what the job records.
};

State& StateOf(void* model) { return *static_cast<State*>(model); }

const char* OrtDescribe() {
  static std::string text;
  xsp_worker_error error = {};
  if (worker::Guarded(&error, "cannot describe", "", [] { text = Describe(); }) != XSP_WORKER_OK) {
    text = "";
  }
  return text.c_str();
}

int OrtLoad(const xsp_worker_job* job, void** model, xsp_worker_ran* ran, xsp_worker_error* error) {
  return worker::Guarded(error, "cannot load the model", "export the model again", [&] {
    const bool records_cuda = job->rung == XSP_RUNG_KERNEL && RunsOnCuda(job->device);
    if (job->rung != XSP_RUNG_MODEL && !records_cuda && !RunsNodesToTheirEnd(job->device)) {
      throw WorkerError(
          ErrorKind::kNotPossible,
          std::string("this worker times layers of synchronous devices only, not of ") +
              job->device,
          RunsOnCuda(job->device) ? "use the rungs model and kernel" : "use the rung model");
    }
    auto state = std::make_unique<State>();
    state->model = std::make_unique<Model>(*job);
    state->records_cuda = records_cuda;
    if (records_cuda) {
      if (const std::string missing = worker::SwitchCudaRecording(true); !missing.empty()) {
        throw WorkerError(
            ErrorKind::kNotPossible,
            std::string("kernels of ") + job->device + " cannot be recorded: " + missing,
            "`xsp run` has them recorded where libxsp-cuda.so is built (tools/setup "
            "--cuda, tools/build); see docs/cuda.md");
      }
    }
    ran->threads = state->model->threads();
    if (std::strcmp(job->graph, "default") == 0) std::strcpy(ran->graph, "all");
    RecordBuildFacts();
    *model = state.release();
  });
}

int OrtInferInputs(void* model, const xsp_worker_job*, xsp_worker_input* inputs,
                   std::size_t capacity, std::size_t* count, xsp_worker_error* error) {
  return worker::Guarded(error, "cannot infer the model's inputs", "", [&] {
    const auto& known = StateOf(model).model->inputs();
    *count = std::min(capacity, known.size());
    for (std::size_t i = 0; i < *count; ++i) {
      const Input& input = known[i];
      if (!input.dtype || input.shape.size() > XSP_WORKER_MAX_RANK) {
        throw WorkerError(
            ErrorKind::kNotPossible,
            "the model's input is no tensor of numbers that XSP can make: " + input.name,
            "export the model from where its inputs are numbers");
      }
      std::snprintf(inputs[i].name, sizeof inputs[i].name, "%s", input.name.c_str());
      inputs[i].dtype = *input.dtype;
      // An input of rank 0 and one of unknown rank look alike.
      inputs[i].rank = static_cast<int>(input.shape.size());
      for (std::size_t d = 0; d < input.shape.size(); ++d) {
        inputs[i].shape[d] = input.shape[d] < 0 ? XSP_WORKER_UNKNOWN : input.shape[d];
        std::snprintf(inputs[i].symbols[d], sizeof inputs[i].symbols[d], "%s",
                      input.symbols[d].c_str());
      }
    }
  });
}

int OrtBind(void* model, const xsp_worker_tensor* inputs, std::size_t count,
            xsp_worker_error* error) {
  return worker::Guarded(error, "the model does not take these inputs", "mend the model's manifest",
                         [&] { StateOf(model).model->Bind(inputs, count); });
}

int OrtProfile(void* model, xsp_worker_rung rung, xsp_worker_error* error) {
  return worker::Guarded(error, "cannot switch profiling", "", [&] {
    State& state = StateOf(model);
    if (state.records_cuda) {
      // Nodes only launch: their profile would time that.
      worker::SwitchCudaRecording(rung == XSP_RUNG_KERNEL);
      return;
    }
    state.rung = rung;
    // A run is profiled or not by its options: one profile serves all runs of the process, which
    // has one rung with layers.
    if (rung != XSP_RUNG_MODEL && !state.profile) {
      state.profile =
          std::make_unique<LayerProfile>(rung == XSP_RUNG_DETAILS, state.model->explanation());
    }
  });
}

int OrtPredict(void* model, xsp_span call, xsp_worker_error* error) {
  (void)call;
  State& state = StateOf(model);
  return worker::Guarded(error, "the model failed on these inputs", "", [&] {
    state.model->Call(state.Profiles() ? state.profile->BeginRun() : nullptr);
  });
}

int OrtCollect(void* model, xsp_span call, xsp_worker_error* error) {
  State& state = StateOf(model);
  if (!state.Profiles()) return XSP_WORKER_OK;
  return worker::Guarded(error, "cannot read the profile of the call", "",
                         [&] { state.profile->Keep(call); });
}

int OrtEndBlock(void* model, xsp_worker_error* error) {
  State& state = StateOf(model);
  return worker::Guarded(error, "cannot read the profiles of calls", "", [&] {
    if (state.profile) state.profile->Flush();
  });
}

int OrtOutputs(void* model, xsp_worker_tensor* outputs, std::size_t capacity, std::size_t* count,
               xsp_worker_error* error) {
  return worker::Guarded(error, "cannot read the model's results", "",
                         [&] { *count = StateOf(model).model->Outputs(outputs, capacity); });
}

void OrtUnload(void* model) { delete static_cast<State*>(model); }

}  // namespace
}  // namespace xsp::worker_onnxruntime

int main(int argc, char** argv) {
  static const xsp_worker worker = {
      .abi = XSP_WORKER_ABI,
      .name = "onnxruntime",
      .describe = xsp::worker_onnxruntime::OrtDescribe,
      .load = xsp::worker_onnxruntime::OrtLoad,
      .infer_inputs = xsp::worker_onnxruntime::OrtInferInputs,
      .bind = xsp::worker_onnxruntime::OrtBind,
      .profile = xsp::worker_onnxruntime::OrtProfile,
      .end_block = xsp::worker_onnxruntime::OrtEndBlock,
      .predict = xsp::worker_onnxruntime::OrtPredict,
      .collect = xsp::worker_onnxruntime::OrtCollect,
      .outputs = xsp::worker_onnxruntime::OrtOutputs,
      .unload = xsp::worker_onnxruntime::OrtUnload,
  };
  return xsp_worker_main(argc, argv, &worker);
}
