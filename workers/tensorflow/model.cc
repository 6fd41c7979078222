#include "tensorflow/model.h"

#include <algorithm>
#include <utility>

#include "protobuf/message.h"
#include "tensorflow/element_type.h"
#include "tensorflow/model_file.h"

namespace xsp::worker_tensorflow {
namespace {

using protobuf::MessageWriter;

constexpr const char* kInputHint =
    "compare the inputs (fact `inputs` of the recording) with what the model takes, and list them "
    "in its manifest";

/// RunOptions of tensorflow/core/protobuf/config.proto.
constexpr std::uint32_t kTraceLevel = 1, kOutputPartitionGraphs = 5;
constexpr std::int64_t kSoftwareTrace = 1;

Buffer BufferOf(const std::string& bytes) {
  return Buffer(TF_NewBufferFromString(bytes.data(), bytes.size()));
}

std::string ShapeText(const std::int64_t* shape, std::size_t rank) {
  std::string text = "[";
  for (std::size_t i = 0; i < rank; ++i)
    text += (i > 0 ? "," : "") + (shape[i] < 0 ? std::string("any") : std::to_string(shape[i]));
  return text + "]";
}

void CheckFits(const Port& port, const xsp_worker_tensor& input) {
  if (port.type != DataTypeOf(input.dtype)) {
    throw WorkerError(ErrorKind::kBadInput,
                      "input " + port.name + " has another element type: the model takes " +
                          TypeName(port.type) + ", the job gives " +
                          xsp_worker_dtype_name(input.dtype),
                      kInputHint);
  }
  const auto rank = static_cast<std::size_t>(input.rank);
  bool fits = port.rank < 0 || port.shape.size() == rank;
  for (std::size_t i = 0; fits && i < port.shape.size(); ++i)
    fits = port.shape[i] < 0 || port.shape[i] == input.shape[i];
  if (fits) return;
  throw WorkerError(ErrorKind::kBadInput,
                    "input " + port.name + " has another shape: the model takes " +
                        ShapeText(port.shape.data(), port.shape.size()) + ", the job gives " +
                        ShapeText(input.shape, rank),
                    kInputHint);
}

}  // namespace

Model::Model(const std::string& path, const Settings& settings) : graph_(TF_NewGraph()) {
  const ModelFile file = ReadModelFile(path);
  const SessionOptions options(TF_NewSessionOptions());
  const std::string config = SessionConfig(settings);
  const Status status = NewStatus();
  TF_SetConfig(options.get(), config.data(), config.size(), status.get());
  Check(*status, "cannot configure a session", "");
  if (file.format == ModelFormat::kSavedModel) {
    LoadSavedModel(file.path, options.get(), settings);
  } else {
    LoadGraph(file.graph, options.get(), settings);
  }
  for (const Port& port : ports_.inputs) input_places_.push_back(port.at);
  for (const Port& port : ports_.outputs) output_places_.push_back(port.at);
  output_values_.resize(output_places_.size());
  trace_options_ = BufferOf(MessageWriter().Integer(kTraceLevel, kSoftwareTrace).text());
}

Model::~Model() {
  if (!session_) return;
  const Status status = NewStatus();
  TF_CloseSession(session_, status.get());
  TF_DeleteSession(session_, status.get());
}

void Model::LoadSavedModel(const std::string& folder, TF_SessionOptions* options,
                           const Settings& settings) {
  const Buffer meta_graph(TF_NewBuffer());
  const Status status = NewStatus();
  const char* const tags[] = {"serve"};
  session_ = TF_LoadSessionFromSavedModel(options, nullptr, folder.c_str(), tags, 1, graph_.get(),
                                          meta_graph.get(), status.get());
  Check(*status, "cannot load the SavedModel " + folder,
        "it may be damaged, or of a newer TensorFlow: export it again");
  ports_ = PortsOfSignature(graph_.get(), TextOf(*meta_graph), settings.signature);
}

void Model::LoadGraph(const std::string& bytes, TF_SessionOptions* options,
                      const Settings& settings) {
  const Status status = NewStatus();
  const Buffer definition = BufferOf(bytes);
  TF_ImportGraphDefOptions* import = TF_NewImportGraphDefOptions();
  TF_GraphImportGraphDef(graph_.get(), definition.get(), import, status.get());
  TF_DeleteImportGraphDefOptions(import);
  Check(*status, "cannot import the graph",
        "it may be damaged, or of a newer TensorFlow: export it again");
  ports_ = PortsOfGraph(graph_.get(), settings.outputs);
  session_ = TF_NewSession(graph_.get(), options, status.get());
  Check(*status, "cannot make a session", "");
}

void Model::Bind(const xsp_worker_tensor* inputs, std::size_t count) {
  if (count != ports_.inputs.size()) {
    throw WorkerError(ErrorKind::kBadInput,
                      "the model takes " + std::to_string(ports_.inputs.size()) +
                          " inputs, the job gives " + std::to_string(count),
                      kInputHint);
  }
  const auto named = [&](const Port& port) {
    return std::find_if(inputs, inputs + count,
                        [&](const xsp_worker_tensor& input) { return port.name == input.name; });
  };
  // Names are the manifest's, and the signature's may be others: then the order counts.
  const bool by_name = std::all_of(ports_.inputs.begin(), ports_.inputs.end(),
                                   [&](const Port& port) { return named(port) != inputs + count; });
  inputs_.clear();
  input_values_.clear();
  for (std::size_t i = 0; i < count; ++i) {
    const Port& port = ports_.inputs[i];
    const xsp_worker_tensor& input = by_name ? *named(port) : inputs[i];
    CheckFits(port, input);
    inputs_.emplace_back(TF_NewTensor(
        port.type, input.shape, input.rank, input.data, input.bytes,
        [](void*, std::size_t, void*) { /* The harness's memory. */ }, nullptr));
    if (!inputs_.back())
      throw WorkerError(ErrorKind::kBadInput, "TensorFlow does not take input " + port.name,
                        kInputHint);
    input_values_.push_back(inputs_.back().get());
  }
}

void Model::Run(const TF_Buffer* options, TF_Buffer* metadata, TF_Status& status) {
  results_.clear();
  std::fill(output_values_.begin(), output_values_.end(), nullptr);
  TF_SessionRun(session_, options, input_places_.data(), input_values_.data(),
                static_cast<int>(input_places_.size()), output_places_.data(),
                output_values_.data(), static_cast<int>(output_places_.size()), nullptr, 0,
                metadata, &status);
  for (TF_Tensor* value : output_values_)
    if (value) results_.emplace_back(value);
}

void Model::Call() {
  const Status status = NewStatus();
  Run(nullptr, nullptr, *status);
  Check(*status, "the model failed on these inputs", kInputHint);
}

void Model::CallTraced() {
  const Status status = NewStatus();
  metadata_.reset(TF_NewBuffer());
  Run(trace_options_.get(), metadata_.get(), *status);
  Check(*status, "the model failed on these inputs", kInputHint);
}

std::string Model::RewrittenGraphs() {
  const Status status = NewStatus();
  const Buffer options = BufferOf(MessageWriter().Integer(kOutputPartitionGraphs, 1).text());
  const Buffer metadata(TF_NewBuffer());
  Run(options.get(), metadata.get(), *status);
  return TF_GetCode(status.get()) == TF_OK ? std::string(TextOf(*metadata)) : std::string();
}

std::string_view Model::run_metadata() const {
  return metadata_ ? TextOf(*metadata_) : std::string_view();
}

}  // namespace xsp::worker_tensorflow
