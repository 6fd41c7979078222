#include "openvino/model.h"

#include <algorithm>
#include <openvino/op/parameter.hpp>
#include <openvino/op/relu.hpp>
#include <openvino/op/result.hpp>
#include <string_view>

#include "capture/wire/xsp.h"
#include "openvino/errors.h"
#include "openvino/model_file.h"
#include "protobuf/onnx_inputs.h"

namespace xsp::worker_openvino {
namespace {

constexpr const char* kManifestHint =
    "list the model's inputs with their shapes in its manifest (name, dtype, shape)";

ov::element::Type TypeOf(xsp_worker_dtype dtype) {
  switch (dtype) {
    case XSP_FLOAT32:
      return ov::element::f32;
    case XSP_FLOAT64:
      return ov::element::f64;
    case XSP_FLOAT16:
      return ov::element::f16;
    case XSP_BFLOAT16:
      return ov::element::bf16;
    case XSP_INT64:
      return ov::element::i64;
    case XSP_INT32:
      return ov::element::i32;
    case XSP_INT16:
      return ov::element::i16;
    case XSP_INT8:
      return ov::element::i8;
    case XSP_UINT8:
      return ov::element::u8;
    case XSP_BOOL:
      return ov::element::boolean;
  }
  return ov::element::dynamic;
}

template <typename Port>
std::string NameOf(const Port& port) {
  return port.get_names().empty() ? port.get_node()->get_friendly_name() : port.get_any_name();
}

bool HasName(const ov::Output<ov::Node>& port, std::string_view name) {
  const auto& names = port.get_names();
  return std::any_of(names.begin(), names.end(), [&](const auto& own) { return own == name; }) ||
         port.get_node()->get_friendly_name() == name;
}

/// The shape with the batch put for a free first dimension.
ov::PartialShape WithBatch(ov::PartialShape shape, std::int64_t batch) {
  if (shape.rank().is_static() && shape.size() > 0 && shape[0].is_dynamic()) shape[0] = batch;
  return shape;
}

/// Says how long compiling took: it happens while loading or, where shapes were open, afterwards.
class CompileSpan {
 public:
  CompileSpan()
      : span_(xsp_begin(XSP_LEVEL_APPLICATION, xsp_intern("range", 5), xsp_intern("compile", 7))) {}
  ~CompileSpan() { xsp_end(span_); }
  CompileSpan(const CompileSpan&) = delete;
  CompileSpan& operator=(const CompileSpan&) = delete;

 private:
  xsp_span span_;
};

/// A model of one operator: what its compiled form says of threads and precision holds for every
/// model with the same settings.
std::shared_ptr<ov::Model> Smallest() {
  auto input = std::make_shared<ov::op::v0::Parameter>(ov::element::f32, ov::PartialShape{1});
  auto relu = std::make_shared<ov::op::v0::Relu>(input);
  return std::make_shared<ov::Model>(ov::OutputVector{std::make_shared<ov::op::v0::Result>(relu)},
                                     ov::ParameterVector{input});
}

}  // namespace

ov::Core& TheCore() {
  static ov::Core* const core = new ov::Core;
  return *core;
}

xsp_worker_dtype DtypeOf(const ov::element::Type& type) {
  for (int dtype = XSP_FLOAT32; dtype <= XSP_BOOL; ++dtype) {
    if (TypeOf(static_cast<xsp_worker_dtype>(dtype)) == type)
      return static_cast<xsp_worker_dtype>(dtype);
  }
  throw WorkerError(
      ErrorKind::kNotPossible,
      "the model takes or gives an element type that is not known here: " + type.get_type_name(),
      "use a model whose inputs and results are numbers of 8 to 64 bits");
}

Model::Model(const xsp_worker_job& job) : path_(job.model_path), settings_(SettingsOf(job)) {
  CheckModelFile(job.model_path);
  original_ = TheCore().read_model(job.model_path);
  shaped_ = original_->clone();
  std::vector<ov::PartialShape> shapes;
  for (const auto& input : original_->inputs()) {
    shapes.push_back(WithBatch(input.get_partial_shape(), job.batch));
  }
  if (settings_.is_static) Reshape(shapes);
  if (settings_.is_static && shaped_->is_dynamic()) {
    // The shapes come with the inputs.
    ReadBack(TheCore().compile_model(Smallest(), settings_.device, settings_.properties));
  } else {
    CompileAnew();
  }
}

void Model::Reshape(const std::vector<ov::PartialShape>& shapes) {
  std::map<ov::Output<ov::Node>, ov::PartialShape> changes;
  auto fresh = original_->clone();
  const auto inputs = fresh->inputs();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].get_partial_shape() != shapes[i]) changes[inputs[i]] = shapes[i];
  }
  if (!changes.empty()) fresh->reshape(changes);
  shaped_ = std::move(fresh);
}

Model::Compiled Model::Compile(bool counting) const {
  const CompileSpan span;
  ov::AnyMap properties = settings_.properties;
  if (counting) properties.emplace(ov::enable_profiling(true));
  Compiled compiled;
  compiled.model = TheCore().compile_model(shaped_, settings_.device, properties);
  compiled.request = compiled.model.create_infer_request();
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    compiled.request.set_input_tensor(i, inputs_[i]);
  }
  return compiled;
}

void Model::CompileAnew() {
  // The old one first: two of a large model may be more than there is memory for.
  compiled_.reset();
  counting_.reset();
  is_counting_ = false;
  compiled_ = Compile(false);
  nodes_ = std::make_shared<const NodeTable>(compiled_->model);
  ReadBack(compiled_->model);
}

void Model::ReadBack(const ov::CompiledModel& compiled) {
  const auto supported = compiled.get_property(ov::supported_properties);
  const auto has = [&](const char* name) {
    return std::find(supported.begin(), supported.end(), name) != supported.end();
  };
  if (has(ov::inference_num_threads.name())) {
    threads_ = compiled.get_property(ov::inference_num_threads);
  }
  precision_ = "default";
  if (has(ov::hint::inference_precision.name())) {
    const ov::element::Type type = compiled.get_property(ov::hint::inference_precision);
    // "dynamic" stands for the model's own.
    if (type != ov::element::dynamic) precision_ = TypeName(type);
  }
  if (precision_ == "default" && nodes_ && !nodes_->FloatingPoint().empty()) {
    precision_ = nodes_->FloatingPoint();
  }
  // The property is about what is not quantised.
  if (nodes_ && nodes_->IsQuantised()) precision_ = "int8";
}

std::vector<xsp_worker_input> Model::Inputs() const {
  std::vector<xsp_worker_input> inputs;
  // The library drops the names of sizes that an ONNX file leaves open.
  const auto of_file = protobuf::OnnxInputsOfFile(path_);
  for (const auto& port : original_->inputs()) {
    xsp_worker_input& input = inputs.emplace_back();
    for (const xsp_worker_input& named : of_file)
      if (HasName(port, named.name)) input = named;
    std::snprintf(input.name, sizeof input.name, "%s", NameOf(port).c_str());
    const ov::element::Type type = port.get_element_type();
    input.dtype = type.is_static() ? static_cast<int>(DtypeOf(type)) : XSP_WORKER_UNKNOWN;
    const ov::PartialShape shape = port.get_partial_shape();
    input.rank = XSP_WORKER_UNKNOWN;
    if (shape.rank().is_dynamic()) continue;
    if (shape.size() > XSP_WORKER_MAX_RANK) {
      throw WorkerError(ErrorKind::kNotPossible,
                        "an input has more than 8 dimensions: " + std::to_string(shape.size()), "");
    }
    input.rank = static_cast<int>(shape.size());
    for (std::size_t i = 0; i < shape.size(); ++i)
      input.shape[i] = shape[i].is_static() ? shape[i].get_length() : XSP_WORKER_UNKNOWN;
  }
  return inputs;
}

std::size_t Model::PlaceOf(const xsp_worker_tensor& input, std::size_t position,
                           std::size_t count) const {
  const auto& ports = original_->inputs();
  for (std::size_t i = 0; i < count; ++i) {
    if (HasName(ports[i], input.name)) return i;
  }
  return position;
}

bool Model::IsBoundTo(const std::vector<ov::Tensor>& tensors) const {
  if (!compiled_) return false;
  if (!settings_.is_static) return true;
  const auto& ports = compiled_->model.inputs();
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (ports[i].get_partial_shape() != ov::PartialShape(tensors[i].get_shape())) return false;
  }
  return true;
}

void Model::Bind(const xsp_worker_tensor* inputs, std::size_t count) {
  const auto& ports = original_->inputs();
  if (count != ports.size()) {
    throw WorkerError(ErrorKind::kBadInput,
                      "the model takes " + std::to_string(ports.size()) +
                          " inputs, the job gives " + std::to_string(count),
                      kManifestHint);
  }
  std::vector<ov::Tensor> tensors(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t place = PlaceOf(inputs[i], i, count);
    const ov::element::Type wanted = ports[place].get_element_type();
    if (tensors[place]) {
      throw WorkerError(ErrorKind::kBadInput,
                        "two inputs of the job go to one of the model: " + NameOf(ports[place]),
                        kManifestHint);
    }
    if (wanted.is_static() && wanted != TypeOf(inputs[i].dtype)) {
      throw WorkerError(ErrorKind::kBadInput,
                        "an input has another type than the model takes: " + NameOf(ports[place]) +
                            ": " + xsp_worker_dtype_name(inputs[i].dtype) + " for " +
                            TypeName(wanted),
                        kManifestHint);
    }
    const ov::Shape shape(inputs[i].shape, inputs[i].shape + inputs[i].rank);
    tensors[place] = ov::Tensor(TypeOf(inputs[i].dtype), shape, inputs[i].data);
  }
  inputs_ = tensors;
  if (!IsBoundTo(tensors)) {
    std::vector<ov::PartialShape> shapes;
    for (const ov::Tensor& tensor : tensors) shapes.emplace_back(tensor.get_shape());
    Reshape(shapes);
    CompileAnew();
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    compiled_->request.set_input_tensor(i, tensors[i]);
    if (counting_) counting_->request.set_input_tensor(i, tensors[i]);
  }
}

void Model::Count(bool counting) {
  if (counting && !counting_) counting_ = Compile(true);
  is_counting_ = counting;
}

std::vector<std::pair<std::string, ov::Tensor>> Model::Outputs() {
  std::vector<std::pair<std::string, ov::Tensor>> results;
  const auto& ports = Active().model.outputs();
  for (std::size_t i = 0; i < ports.size(); ++i) {
    results.emplace_back(NameOf(ports[i]), Active().request.get_output_tensor(i));
  }
  return results;
}

}  // namespace xsp::worker_openvino
