#include "onnxruntime/model.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "onnxruntime/session_options.h"

namespace xsp::worker_onnxruntime {
namespace {

constexpr const char* kInputHint =
    "compare the inputs (fact `inputs` of the recording) with the model's, and mend its manifest";

constexpr std::pair<ONNXTensorElementDataType, xsp_worker_dtype> kTypes[] = {
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, XSP_FLOAT32},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE, XSP_FLOAT64},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16, XSP_FLOAT16},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16, XSP_BFLOAT16},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64, XSP_INT64},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32, XSP_INT32},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_INT16, XSP_INT16},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8, XSP_INT8},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8, XSP_UINT8},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL, XSP_BOOL}};

std::optional<xsp_worker_dtype> DtypeOf(ONNXTensorElementDataType type) {
  for (const auto& [onnx, dtype] : kTypes) {
    if (onnx == type) return dtype;
  }
  return std::nullopt;
}

ONNXTensorElementDataType OnnxTypeOf(xsp_worker_dtype dtype) {
  for (const auto& [onnx, candidate] : kTypes) {
    if (candidate == dtype) return onnx;
  }
  return ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
}

/// The process's threads: the library tells neither their number nor their names.
int CountThreads() {
  int count = 0;
  std::error_code error;
  for ([[maybe_unused]] const auto& thread :
       std::filesystem::directory_iterator("/proc/self/task", error)) {
    ++count;
  }
  return count;
}

void CheckFile(const std::string& path) {
  struct stat status = {};
  if (stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) {
    throw WorkerError(ErrorKind::kBadInput, "the model is a directory, not a file: " + path,
                      "give the .onnx file itself");
  }
  if (status.st_size == 0) {
    throw WorkerError(ErrorKind::kBadInput, "the model file is empty: " + path, kExportHint);
  }
}

OrtEnv& Environment() {
  static const Env env = [] {
    OrtEnv* made = nullptr;
    Check(Api().CreateEnv(ORT_LOGGING_LEVEL_ERROR, "xsp", &made), "cannot start ONNX Runtime", "");
    return Env(made);
  }();
  return *env;
}

std::string TakeText(char* text) {
  OrtAllocator* allocator = nullptr;
  Check(Api().GetAllocatorWithDefaultOptions(&allocator), "cannot find the allocator", "");
  std::string copy = text;
  Check(Api().AllocatorFree(allocator, text), "cannot free a text", "");
  return copy;
}

std::string ShapeText(const std::vector<std::int64_t>& shape) {
  std::string text = "[";
  for (const std::int64_t size : shape) {
    if (text.size() > 1) text += ", ";
    text += size < 0 ? "any" : std::to_string(size);
  }
  return text + "]";
}

void CheckFits(const xsp_worker_tensor& tensor, const Input& input) {
  const std::vector<std::int64_t> shape(tensor.shape, tensor.shape + tensor.rank);
  if (!input.dtype || *input.dtype != tensor.dtype) {
    throw WorkerError(ErrorKind::kBadInput,
                      "the model's input " + input.name + " has elements of type " +
                          (input.dtype ? xsp_worker_dtype_name(*input.dtype) : "string or none") +
                          ", the job gives " + xsp_worker_dtype_name(tensor.dtype),
                      kInputHint);
  }
  bool fits = input.shape.size() == shape.size();
  for (std::size_t i = 0; fits && i < shape.size(); ++i) {
    fits = input.shape[i] < 0 || input.shape[i] == shape[i];
  }
  if (!fits) {
    throw WorkerError(ErrorKind::kBadInput,
                      "the model's input " + input.name + " has shape " + ShapeText(input.shape) +
                          ", the job gives " + ShapeText(shape),
                      kInputHint);
  }
}

}  // namespace

Model::Model(const xsp_worker_job& job) {
  CheckFile(job.model_path);
  OrtEnv& environment = Environment();
  const int before = CountThreads();
  // Nothing is fused in the graph `disabled`.
  if (job.rung == XSP_RUNG_DETAILS && std::strcmp(job.graph, "disabled") != 0) {
    ExplainedSession made = CreateExplainedSession(environment, job);
    session_ = std::move(made.session);
    explanation_ = std::move(made.explanation);
  } else {
    if (job.rung == XSP_RUNG_DETAILS) explanation_ = ExplainFile(job.model_path);
    session_ = CreateSession(environment, job, MakeSessionOptions(job).get());
  }
  threads_ = job.threads > 0 ? job.threads : CountThreads() - before + 1;
  ReadInputs();
  ReadOutputNames();
}

void Model::ReadInputs() {
  const OrtApi& api = Api();
  const auto check = [](OrtStatus* status) {
    Check(status, "cannot read the model's inputs", kExportHint);
  };
  OrtAllocator* allocator = nullptr;
  check(api.GetAllocatorWithDefaultOptions(&allocator));
  std::size_t count = 0;
  check(api.SessionGetInputCount(session_.get(), &count));
  for (std::size_t i = 0; i < count; ++i) {
    char* name = nullptr;
    check(api.SessionGetInputName(session_.get(), i, allocator, &name));
    Input input;
    input.name = TakeText(name);
    OrtTypeInfo* type = nullptr;
    check(api.SessionGetInputTypeInfo(session_.get(), i, &type));
    const TypeInfo owned(type);
    const OrtTensorTypeAndShapeInfo* tensor = nullptr;
    check(api.CastTypeInfoToTensorInfo(type, &tensor));
    if (tensor) {
      ONNXTensorElementDataType element = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
      check(api.GetTensorElementType(tensor, &element));
      input.dtype = DtypeOf(element);
      std::size_t rank = 0;
      check(api.GetDimensionsCount(tensor, &rank));
      input.shape.resize(rank);
      check(api.GetDimensions(tensor, input.shape.data(), rank));
      std::vector<const char*> symbols(rank);
      check(api.GetSymbolicDimensions(tensor, symbols.data(), rank));
      input.symbols.assign(symbols.begin(), symbols.end());
    }
    inputs_.push_back(std::move(input));
  }
}

void Model::ReadOutputNames() {
  const OrtApi& api = Api();
  OrtAllocator* allocator = nullptr;
  Check(api.GetAllocatorWithDefaultOptions(&allocator), "cannot find the allocator", "");
  std::size_t count = 0;
  Check(api.SessionGetOutputCount(session_.get(), &count), "cannot read the model's results", "");
  for (std::size_t i = 0; i < count; ++i) {
    char* name = nullptr;
    Check(api.SessionGetOutputName(session_.get(), i, allocator, &name),
          "cannot read the model's results", "");
    output_names_.push_back(TakeText(name));
  }
  for (const std::string& name : output_names_) result_names_.push_back(name.c_str());
  results_.assign(count, nullptr);
}

const Input& Model::InputFor(const xsp_worker_tensor& tensor, std::size_t index,
                             bool by_name) const {
  if (!by_name) return inputs_[index];
  const auto it = std::find_if(inputs_.begin(), inputs_.end(),
                               [&](const Input& input) { return input.name == tensor.name; });
  if (it != inputs_.end()) return *it;
  throw WorkerError(ErrorKind::kBadInput,
                    std::string("the model has no input of that name: ") + tensor.name, kInputHint);
}

void Model::Bind(const xsp_worker_tensor* tensors, std::size_t count) {
  if (count != inputs_.size()) {
    throw WorkerError(ErrorKind::kBadInput,
                      "the model takes " + std::to_string(inputs_.size()) +
                          " inputs, the job gives " + std::to_string(count),
                      kInputHint);
  }
  const auto is_ours = [&](const xsp_worker_tensor& tensor) {
    return std::any_of(inputs_.begin(), inputs_.end(),
                       [&](const Input& input) { return input.name == tensor.name; });
  };
  const bool by_name = std::any_of(tensors, tensors + count, is_ours);
  OrtMemoryInfo* made = nullptr;
  Check(Api().CreateCpuMemoryInfo(OrtArenaAllocator, OrtMemTypeDefault, &made),
        "cannot bind inputs", "");
  const MemoryInfo memory(made);
  bound_.clear();
  bound_names_.clear();
  bound_values_.clear();
  for (std::size_t i = 0; i < count; ++i) {
    const xsp_worker_tensor& tensor = tensors[i];
    const Input& input = InputFor(tensor, i, by_name);
    CheckFits(tensor, input);
    OrtValue* value = nullptr;
    Check(Api().CreateTensorWithDataAsOrtValue(memory.get(), tensor.data, tensor.bytes,
                                               tensor.shape, static_cast<std::size_t>(tensor.rank),
                                               OnnxTypeOf(tensor.dtype), &value),
          "cannot bind the input " + input.name, kInputHint);
    bound_.emplace_back(value);
    bound_names_.push_back(input.name.c_str());
    bound_values_.push_back(value);
  }
}

void Model::Call(const OrtRunOptions* options) {
  owned_results_.clear();
  std::fill(results_.begin(), results_.end(), nullptr);
  OrtStatus* status =
      Api().Run(session_.get(), options, bound_names_.data(), bound_values_.data(),
                bound_values_.size(), result_names_.data(), result_names_.size(), results_.data());
  for (OrtValue* result : results_) owned_results_.emplace_back(result);
  Check(status, "the model failed on these inputs", kInputHint);
}

std::size_t Model::Outputs(xsp_worker_tensor* tensors, std::size_t capacity) const {
  const OrtApi& api = Api();
  const auto check = [](OrtStatus* status) {
    Check(status, "cannot read the model's results", "");
  };
  const std::size_t count = std::min(capacity, owned_results_.size());
  for (std::size_t i = 0; i < count; ++i) {
    OrtTensorTypeAndShapeInfo* made = nullptr;
    check(api.GetTensorTypeAndShape(owned_results_[i].get(), &made));
    const ShapeInfo info(made);
    ONNXTensorElementDataType element = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
    check(api.GetTensorElementType(made, &element));
    const auto dtype = DtypeOf(element);
    std::size_t rank = 0, elements = 0;
    check(api.GetDimensionsCount(made, &rank));
    check(api.GetTensorShapeElementCount(made, &elements));
    if (!dtype || rank > XSP_WORKER_MAX_RANK) {
      throw WorkerError(ErrorKind::kNotPossible,
                        "a result has an element type or a number of dimensions that is not known "
                        "here: " +
                            output_names_[i],
                        "");
    }
    xsp_worker_tensor& tensor = tensors[i];
    std::snprintf(tensor.name, sizeof tensor.name, "%s", output_names_[i].c_str());
    tensor.dtype = *dtype;
    tensor.rank = static_cast<int>(rank);
    check(api.GetDimensions(made, tensor.shape, rank));
    check(api.GetTensorMutableData(owned_results_[i].get(), &tensor.data));
    tensor.bytes = elements * xsp_worker_dtype_bytes(*dtype);
  }
  return count;
}

}  // namespace xsp::worker_onnxruntime
