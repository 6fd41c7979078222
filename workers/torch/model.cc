#include "torch/model.h"

#include <c10/core/InferenceMode.h>
#include <torch/csrc/inductor/aoti_package/model_package_loader.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/script.h>

#include <algorithm>
#include <exception>
#include <new>
#include <optional>
#include <string_view>
#include <utility>

#include "torch/describe.h"
#include "torch/errors.h"
#include "torch/layer_observer.h"
#include "torch/model_file.h"
#include "torch/operator_library.h"

namespace xsp::worker_torch {
namespace {

at::ScalarType ScalarTypeOf(xsp_worker_dtype dtype) {
  switch (dtype) {
    case XSP_FLOAT32:
      return at::kFloat;
    case XSP_FLOAT64:
      return at::kDouble;
    case XSP_FLOAT16:
      return at::kHalf;
    case XSP_BFLOAT16:
      return at::kBFloat16;
    case XSP_INT64:
      return at::kLong;
    case XSP_INT32:
      return at::kInt;
    case XSP_INT16:
      return at::kShort;
    case XSP_INT8:
      return at::kChar;
    case XSP_UINT8:
      return at::kByte;
    case XSP_BOOL:
      return at::kBool;
  }
  return at::kFloat;
}

/// What the module and its inputs are converted to; nothing: the file's own types stay.
std::optional<at::ScalarType> ConvertedTo(const std::string& precision) {
  if (precision == "bfloat16") return at::kBFloat16;
  if (precision == "float16") return at::kHalf;
  return std::nullopt;
}

void AddTensors(const c10::IValue& value, std::vector<at::Tensor>& tensors) {
  if (value.isTensor()) {
    tensors.push_back(value.toTensor().to(at::kCPU).contiguous());
  } else if (value.isTensorList()) {
    for (const at::Tensor& tensor : value.toTensorList()) AddTensors(tensor, tensors);
  } else if (value.isList()) {
    for (const c10::IValue& item : value.toListRef()) AddTensors(item, tensors);
  } else if (value.isTuple()) {
    for (const c10::IValue& item : value.toTupleRef().elements()) AddTensors(item, tensors);
  } else if (value.isGenericDict()) {
    for (const auto& item : value.toGenericDict()) AddTensors(item.value(), tensors);
  }
}

/// The input as forward() takes it: arguments that are plain numbers come as tensors of one.
at::IValue AsArgument(const at::Tensor& input, const c10::Type& type) {
  switch (type.kind()) {
    case c10::TypeKind::IntType:
      return input.item<std::int64_t>();
    case c10::TypeKind::FloatType:
      return input.item<double>();
    case c10::TypeKind::BoolType:
      return input.item<bool>();
    default:
      return input;
  }
}

class ScriptModel : public Model {
 public:
  ScriptModel(torch::jit::Module module, c10::Device device, std::string graph,
              std::string precision)
      : Model(device, std::move(graph), std::move(precision)), module_(std::move(module)) {
    module_.eval();
    original_ = module_;
    if (const auto type = ConvertedTo(this->precision())) module_.to(*type);
    if (!device.is_cpu()) module_.to(device);
    if (this->graph() == "frozen") module_ = torch::jit::freeze(module_);
    if (this->graph() == "optimised") module_ = torch::jit::optimize_for_inference(module_);
    forward_.emplace(module_.get_method("forward"));
  }

  std::vector<xsp_worker_input> Inputs() const override { return InferInputs(original_); }

  std::vector<at::Tensor> Prepare(const std::vector<at::Tensor>& inputs) const override {
    const auto& arguments = forward_->function().getSchema().arguments();
    std::size_t needed = 0;
    for (std::size_t i = 1; i < arguments.size(); ++i) needed += !arguments[i].default_value();
    if (inputs.size() < needed || inputs.size() + 1 > arguments.size()) {
      throw WorkerError(ErrorKind::kBadInput,
                        "the model takes " + std::to_string(needed) + " inputs, the job gives " +
                            std::to_string(inputs.size()),
                        "list every input of the model in its manifest, in the order of forward()");
    }
    const auto type = ConvertedTo(precision());
    std::vector<at::Tensor> prepared;
    for (const at::Tensor& input : inputs) {
      at::Tensor moved = input.to(device());
      if (type && moved.is_floating_point()) moved = moved.to(*type);
      prepared.push_back(std::move(moved));
    }
    return prepared;
  }

  void Take(const std::vector<at::Tensor>& prepared) override {
    const auto& arguments = forward_->function().getSchema().arguments();
    inputs_.clear();
    for (std::size_t i = 0; i < prepared.size(); ++i)
      inputs_.push_back(AsArgument(prepared[i], *arguments[i + 1].type()));
  }

  c10::IValue Forward() override {
    c10::InferenceMode inference;
    return (*forward_)(inputs_);
  }

 private:
  torch::jit::Module module_;
  torch::jit::Module original_;
  std::optional<torch::jit::Method> forward_;
  std::vector<at::IValue> inputs_;
};

class PackageModel : public Model {
 public:
  PackageModel(const std::string& path, c10::Device device)
      : Model(device, "compiled", "default"), loader_(path) {}

  std::vector<xsp_worker_input> Inputs() const override { return {}; }

  std::vector<at::Tensor> Prepare(const std::vector<at::Tensor>& inputs) const override {
    std::vector<at::Tensor> prepared;
    for (const at::Tensor& input : inputs) prepared.push_back(input.to(device()));
    return prepared;
  }

  void Take(const std::vector<at::Tensor>& prepared) override { inputs_ = prepared; }

  c10::IValue Forward() override {
    c10::InferenceMode inference;
    return c10::IValue(loader_.run(inputs_));
  }

 private:
  torch::inductor::AOTIModelPackageLoader loader_;
  std::vector<at::Tensor> inputs_;
};

/// PyTorch's own exceptions add a stack to what they say.
std::string MessageOf(const std::exception& failed) {
  const auto* error = dynamic_cast<const c10::Error*>(&failed);
  return error ? error->what_without_backtrace() : failed.what();
}

/// torch::jit::load(), with the library loaded whose operators the file calls.
torch::jit::Module LoadModule(const std::string& path) {
  while (true) {
    std::string message;
    try {
      return torch::jit::load(path);
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& failed) {
      message = MessageOf(failed);
      if (IsOutOfMemory(message)) throw;
    }
    const std::string missing = MissingOperator(message);
    if (missing.empty()) {
      throw WorkerError(ErrorKind::kBadInput,
                        "cannot load the TorchScript file " + path + ": " + Essence(message),
                        "it may be damaged, or of a newer PyTorch: export it again");
    }
    LoadLibraryOf(missing);
  }
}

c10::Device DeviceNamed(const std::string& name) {
  // Loads the CUDA library: without it PyTorch knows no such device.
  const bool is_cuda = name.starts_with("cuda");
  if (is_cuda && !Cuda().why_none.empty()) {
    throw WorkerError(ErrorKind::kNotPossible,
                      "there is no device " + name + ": " + Cuda().why_none,
                      "use --device cpu, or a machine whose driver `nvidia-smi` answers");
  }
  std::optional<c10::Device> device;
  try {
    device.emplace(name);
  } catch (const c10::Error&) {
    throw WorkerError(ErrorKind::kNotPossible, "PyTorch knows no such device: " + name,
                      "use cpu or cuda:N");
  }
  if (is_cuda && device->index() >= Cuda().devices) {
    throw WorkerError(ErrorKind::kNotPossible,
                      "there is no device " + name + ": PyTorch sees " +
                          std::to_string(Cuda().devices) + " CUDA devices",
                      "xsp doctor lists the devices");
  }
  return *device;
}

}  // namespace

void Model::Bind(const std::vector<at::Tensor>& inputs) {
  std::vector<at::Tensor> prepared = Prepare(inputs);
  const auto is_alike = [](const at::Tensor& a, const at::Tensor& b) {
    return a.sizes() == b.sizes() && a.scalar_type() == b.scalar_type();
  };
  if (cuda_graph_ &&
      std::equal(prepared.begin(), prepared.end(), bound_.begin(), bound_.end(), is_alike)) {
    c10::InferenceMode inference;
    // A graph reads the memory that it was captured with.
    for (std::size_t i = 0; i < bound_.size(); ++i) bound_[i].copy_(prepared[i]);
    return;
  }
  cuda_graph_.reset();
  bound_ = std::move(prepared);
  Take(bound_);
}

void Model::Call() {
  if (!uses_cuda_graph_) {
    result_ = Forward();
    return;
  }
  if (!cuda_graph_) CaptureGraph();
  cuda_graph_->Replay();
}

void Model::CheckCudaGraph() const {
  if (!device_.is_cuda()) {
    throw WorkerError(ErrorKind::kNotPossible,
                      "a CUDA graph needs a CUDA device, the job's is " + device_.str(),
                      "use --device cuda:0, or leave the option cuda_graph out");
  }
}

void Model::CaptureGraph() {
  // As PyTorch's documentation asks; TorchScript's executor has optimised by then, too.
  constexpr int kRehearsals = 3;
  std::unique_ptr<CudaGraph> made = MakeCudaGraph(device_.index());
  xsp_hold(XSP_HOLD_PROGRAM, 1);
  try {
    for (int i = 0; i < kRehearsals; ++i) made->Rehearse([this] { result_ = Forward(); });
  } catch (...) {
    xsp_hold(XSP_HOLD_PROGRAM, -1);
    throw;
  }
  xsp_hold(XSP_HOLD_PROGRAM, -1);
  try {
    const WithoutWaiting forbidden;
    made->Capture([this] { result_ = Forward(); });
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& failed) {
    const std::string message = MessageOf(failed);
    if (IsOutOfMemory(message)) throw;
    throw WorkerError(ErrorKind::kNotPossible,
                      "this model cannot be captured as a CUDA graph: " + Essence(message),
                      "a graph holds nothing that waits for the device or whose shapes depend on "
                      "data; leave the option cuda_graph out");
  }
  cuda_graph_ = std::move(made);
}

std::unique_ptr<Model> LoadModel(const xsp_worker_job& job) {
  const std::string path = job.model_path;
  const std::string graph = job.graph;
  const ModelFormat format = FormatOf(path);
  const c10::Device device = DeviceNamed(job.device);
  if (format == ModelFormat::kCompiledPackage) {
    if (graph != "default" || std::string_view(job.precision) != "default") {
      throw WorkerError(ErrorKind::kNotPossible,
                        "a compiled package runs only as it was compiled, not with graph " + graph +
                            " and precision " + job.precision,
                        "leave graph and precision at default");
    }
    return std::make_unique<PackageModel>(path, device);
  }
  torch::jit::Module module = LoadModule(path);
  if (!module.find_method("forward")) {
    throw WorkerError(ErrorKind::kBadInput, "the model has no forward(): " + path,
                      "export a torch.nn.Module with a forward()");
  }
  return std::make_unique<ScriptModel>(std::move(module), device,
                                       graph == "default" ? "eager" : graph, job.precision);
}

std::vector<at::Tensor> Model::Outputs() const {
  c10::InferenceMode inference;
  std::vector<at::Tensor> tensors;
  AddTensors(result_, tensors);
  return tensors;
}

xsp_worker_dtype DtypeOf(const at::Tensor& tensor) {
  for (int dtype = XSP_FLOAT32; dtype <= XSP_BOOL; ++dtype) {
    if (ScalarTypeOf(static_cast<xsp_worker_dtype>(dtype)) == tensor.scalar_type())
      return static_cast<xsp_worker_dtype>(dtype);
  }
  throw WorkerError(ErrorKind::kNotPossible,
                    std::string("a result has an element type that is not known here: ") +
                        c10::toString(tensor.scalar_type()),
                    "convert it in the model's forward()");
}

at::Tensor Wrap(const xsp_worker_tensor& tensor) {
  return at::from_blob(tensor.data,
                       at::IntArrayRef(tensor.shape, static_cast<std::size_t>(tensor.rank)),
                       at::TensorOptions().dtype(ScalarTypeOf(tensor.dtype)));
}

}  // namespace xsp::worker_torch
