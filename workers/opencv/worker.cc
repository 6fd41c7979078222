// xsp-worker-opencv: OpenCV's DNN module behind the harness.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>

#include "harness/worker.h"
#include "opencv/describe.h"
#include "opencv/errors.h"
#include "opencv/model.h"
#include "protobuf/onnx_inputs.h"

namespace xsp::worker_opencv {
namespace {

constexpr const char* kInputHint =
    "compare the inputs (fact `inputs` of the recording) with what the model takes, and list them "
    "in "
    "its manifest";

/// What the harness holds as the model.
struct State {
  std::unique_ptr<Model> model;
  xsp_worker_rung rung = XSP_RUNG_MODEL;
  std::uint64_t start_ns = 0, end_ns = 0;  ///< Of the last call.
};

State& StateOf(void* model) { return *static_cast<State*>(model); }

void CopyText(char (&to)[32], const std::string& text) {
  std::snprintf(to, sizeof to, "%s", text.c_str());
}

const char* OpenCvDescribe() {
  static const std::string text = Describe();
  return text.c_str();
}

int OpenCvLoad(const xsp_worker_job* job, void** model, xsp_worker_ran* ran,
               xsp_worker_error* error) {
  return Guarded(error, "cannot load the model", "check the file, or export the model again", [&] {
    if (job->rung != XSP_RUNG_MODEL && std::string(job->device) != "cpu") {
      throw WorkerError(
          ErrorKind::kNotPossible,
          std::string("OpenCV times layers on the CPU only; elsewhere what it times is their "
                      "launch: ") +
              job->device,
          "use the rung model");
    }
    if (job->threads > 0) cv::setNumThreads(job->threads);
    auto state = std::make_unique<State>();
    state->model = std::make_unique<Model>(*job);
    ran->threads = cv::getNumThreads();
    CopyText(ran->graph, state->model->graph());
    CopyText(ran->precision, state->model->precision());
    RecordBuildFacts();
    *model = state.release();
  });
}

int OpenCvInferInputs(void*, const xsp_worker_job* job, xsp_worker_input* inputs,
                      std::size_t capacity, std::size_t* count, xsp_worker_error* error) {
  return Guarded(error, "cannot read the model's inputs", "", [&] {
    // OpenCV does not tell which inputs a model takes: of ONNX files the file does.
    const auto known = protobuf::OnnxInputsOfFile(job->model_path);
    *count = std::min(capacity, known.size());
    std::copy_n(known.begin(), *count, inputs);
  });
}

int OpenCvBind(void* model, const xsp_worker_tensor* inputs, std::size_t count,
               xsp_worker_error* error) {
  return Guarded(error, "the model does not take these inputs", kInputHint,
                 [&] { StateOf(model).model->Bind(inputs, count); });
}

int OpenCvProfile(void* model, xsp_worker_rung rung, xsp_worker_error*) {
  // OpenCV times every layer always: rungs differ in what is recorded after the call.
  StateOf(model).rung = rung;
  return XSP_WORKER_OK;
}

int OpenCvPredict(void* model, xsp_span, xsp_worker_error* error) {
  State& state = StateOf(model);
  return Guarded(error, "the model failed on these inputs", kInputHint, [&] {
    state.start_ns = xsp_now_ns();
    state.model->Call();
    state.end_ns = xsp_now_ns();
  });
}

int OpenCvCollect(void* model, xsp_span call, xsp_worker_error* error) {
  State& state = StateOf(model);
  if (state.rung == XSP_RUNG_MODEL) return XSP_WORKER_OK;
  return Guarded(error, "cannot read the times of the layers", "", [&] {
    state.model->RecordLayers(call, state.start_ns, state.end_ns, state.rung == XSP_RUNG_DETAILS);
  });
}

xsp_worker_dtype DtypeOf(const cv::Mat& result) {
  switch (result.type()) {
    case CV_32F:
      return XSP_FLOAT32;
    case CV_8S:
      return XSP_INT8;
    case CV_8U:
      return XSP_UINT8;
    case CV_32S:
      return XSP_INT32;
    default:
      throw WorkerError(
          ErrorKind::kNotPossible,
          "a result has an element type that is not known here: " + cv::typeToString(result.type()),
          "");
  }
}

int OpenCvOutputs(void* model, xsp_worker_tensor* outputs, std::size_t capacity, std::size_t* count,
                  xsp_worker_error* error) {
  return Guarded(error, "cannot read the model's results", "", [&] {
    const Model& net = *StateOf(model).model;
    *count = std::min(capacity, net.outputs().size());
    for (std::size_t i = 0; i < *count; ++i) {
      const cv::Mat& result = net.outputs()[i];
      if (result.dims > XSP_WORKER_MAX_RANK || !result.isContinuous()) {
        throw WorkerError(
            ErrorKind::kNotPossible,
            "a result has more than 8 dimensions, or gaps: " + std::to_string(result.dims), "");
      }
      std::snprintf(outputs[i].name, sizeof outputs[i].name, "%s", net.output_names()[i].c_str());
      outputs[i].dtype = DtypeOf(result);
      outputs[i].rank = result.dims;
      for (int d = 0; d < result.dims; ++d) outputs[i].shape[d] = result.size[d];
      outputs[i].data = result.data;
      outputs[i].bytes = result.total() * result.elemSize();
    }
  });
}

void OpenCvUnload(void* model) { delete &StateOf(model); }

}  // namespace
}  // namespace xsp::worker_opencv

int main(int argc, char** argv) {
  using namespace xsp::worker_opencv;
  static const xsp_worker worker = {
      .abi = XSP_WORKER_ABI,
      .name = "opencv",
      .describe = OpenCvDescribe,
      .load = OpenCvLoad,
      .infer_inputs = OpenCvInferInputs,
      .bind = OpenCvBind,
      .profile = OpenCvProfile,
      .end_block = nullptr,
      .predict = OpenCvPredict,
      .collect = OpenCvCollect,
      .outputs = OpenCvOutputs,
      .unload = OpenCvUnload,
  };
  return xsp_worker_main(argc, argv, &worker);
}
