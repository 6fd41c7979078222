#include "mxnet/model.h"

#include <algorithm>
#include <utility>

#include "mxnet/model_file.h"
#include "mxnet/symbol_graph.h"

namespace xsp::worker_mxnet {
namespace {

constexpr const char* kCompareHint =
    "compare the inputs (fact `inputs` of the recording) with what the model takes, and list them "
    "in its manifest";
constexpr const char* kExport = "it may be damaged: export the model again";

std::vector<std::string> Texts(std::uint32_t count, const char** texts) {
  return {texts, texts + count};
}

}  // namespace

Model::Model(const std::string& path) {
  const ModelFile file = FindModelFile(path);
  SymbolHandle symbol = nullptr;
  Check(MXSymbolCreateFromJSON(file.json.c_str(), &symbol), "cannot load the symbol " + file.symbol,
        kExport);
  symbol_.reset(symbol);
  LoadParameters(file.parameters);
  std::uint32_t count = 0;
  const char** texts = nullptr;
  Check(MXSymbolListArguments(symbol, &count, &texts), "cannot read the symbol", kExport);
  arguments_ = Texts(count, texts);
  Check(MXSymbolListAuxiliaryStates(symbol, &count, &texts), "cannot read the symbol", kExport);
  states_ = Texts(count, texts);
  Check(MXSymbolListOutputs(symbol, &count, &texts), "cannot read the symbol", kExport);
  result_names_ = Texts(count, texts);
  FindInputs(file.json);
}

Model::~Model() {
  executor_.reset();
  monitored_executor_.reset();
}

void Model::LoadParameters(const std::string& path) {
  std::uint32_t count = 0, name_count = 0;
  NDArrayHandle* arrays = nullptr;
  const char** names = nullptr;
  Check(MXNDArrayLoad(path.c_str(), &count, &arrays, &name_count, &names),
        "cannot load the parameters " + path, kExport);
  for (std::uint32_t i = 0; i < count; ++i)
    parameters_.push_back({i < name_count ? names[i] : "", Array(arrays[i])});
}

const Array* Model::Parameter(const std::string& kind, const std::string& name) const {
  for (const NamedArray& parameter : parameters_)
    if (parameter.name == kind + name || parameter.name == name) return &parameter.array;
  return nullptr;
}

void Model::FindInputs(const std::string& json) {
  const auto shapes = ShapesOf(json);
  for (const std::string& argument : arguments_) {
    if (Parameter("arg:", argument) || argument.ends_with("_label") || argument == "label")
      continue;
    const auto shape = shapes.find(argument);
    inputs_.push_back(
        {argument, shape == shapes.end() ? std::vector<std::int64_t>() : shape->second});
  }
  if (inputs_.empty()) {
    throw WorkerError(ErrorKind::kBadInput, "the model takes no input: the parameters give all",
                      kExport);
  }
}

void Model::Bind(const xsp_worker_tensor* inputs, std::size_t count) {
  if (count != inputs_.size()) {
    throw WorkerError(ErrorKind::kBadInput,
                      "the model takes " + std::to_string(inputs_.size()) +
                          " inputs, the job gives " + std::to_string(count),
                      kCompareHint);
  }
  const auto named = [&](const Port& port) {
    return std::find_if(inputs, inputs + count,
                        [&](const xsp_worker_tensor& input) { return port.name == input.name; });
  };
  // Names are the manifest's, and the symbol's may be others: then the order counts.
  const bool by_name = std::all_of(inputs_.begin(), inputs_.end(),
                                   [&](const Port& port) { return named(port) != inputs + count; });
  std::vector<const xsp_worker_tensor*> ordered;
  for (std::size_t i = 0; i < count; ++i)
    ordered.push_back(by_name ? named(inputs_[i]) : inputs + i);
  executor_.reset();
  monitored_executor_.reset();
  monitor_.reset();
  MakeArguments(ordered);
  executor_ = MakeExecutor();
  last_ = executor_.get();
}

void Model::MakeArguments(const std::vector<const xsp_worker_tensor*>& inputs) {
  std::vector<const char*> keys;
  std::vector<std::uint32_t> starts = {0};
  std::vector<int> sizes;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    keys.push_back(inputs_[i].name.c_str());
    for (int d = 0; d < inputs[i]->rank; ++d)
      sizes.push_back(static_cast<int>(inputs[i]->shape[d]));
    starts.push_back(static_cast<std::uint32_t>(sizes.size()));
  }
  std::uint32_t in_count = 0, out_count = 0, aux_count = 0;
  const int *in_ranks = nullptr, *out_ranks = nullptr, *aux_ranks = nullptr;
  const int **in_shapes = nullptr, **out_shapes = nullptr, **aux_shapes = nullptr;
  int complete = 0;
  Check(MXSymbolInferShapeEx(symbol_.get(), static_cast<std::uint32_t>(keys.size()), keys.data(),
                             starts.data(), sizes.data(), &in_count, &in_ranks, &in_shapes,
                             &out_count, &out_ranks, &out_shapes, &aux_count, &aux_ranks,
                             &aux_shapes, &complete),
        "the model does not take these inputs", kCompareHint);
  if (!complete || in_count != arguments_.size()) {
    throw WorkerError(ErrorKind::kBadInput, "the shapes of the inputs do not tell all others",
                      kCompareHint);
  }
  made_.clear();
  argument_arrays_.clear();
  state_arrays_.clear();
  const auto shape_at = [](const int* sizes_at, int rank) {
    return std::vector<std::int64_t>(sizes_at, sizes_at + rank);
  };
  for (std::uint32_t i = 0; i < in_count; ++i) {
    const auto shape = shape_at(in_shapes[i], in_ranks[i]);
    const auto port = std::find_if(inputs_.begin(), inputs_.end(),
                                   [&](const Port& input) { return input.name == arguments_[i]; });
    const Array* parameter = Parameter("arg:", arguments_[i]);
    if (port == inputs_.end() && parameter) {
      if (ShapeOf(parameter->get()) != shape) {
        throw WorkerError(ErrorKind::kBadInput,
                          "the inputs ask for other weights than the model has: " + arguments_[i] +
                              " " + ShapeText(shape) + ", not " +
                              ShapeText(ShapeOf(parameter->get())),
                          kCompareHint);
      }
      argument_arrays_.push_back(parameter->get());
      continue;
    }
    const bool is_input = port != inputs_.end();
    const auto* input =
        is_input ? inputs[static_cast<std::size_t>(port - inputs_.begin())] : nullptr;
    made_.push_back(MakeArray(shape, input ? input->dtype : XSP_FLOAT32));
    argument_arrays_.push_back(made_.back().get());
    if (input) {
      const std::size_t elements = input->bytes / xsp_worker_dtype_bytes(input->dtype);
      Check(MXNDArraySyncCopyFromCPU(made_.back().get(), input->data, elements),
            "MXNet does not take input " + port->name, kCompareHint);
    }
  }
  for (std::uint32_t i = 0; i < aux_count; ++i) {
    if (const Array* parameter = Parameter("aux:", states_[i])) {
      state_arrays_.push_back(parameter->get());
      continue;
    }
    made_.push_back(MakeArray(shape_at(aux_shapes[i], aux_ranks[i]), XSP_FLOAT32));
    state_arrays_.push_back(made_.back().get());
  }
}

Executor Model::MakeExecutor() {
  std::vector<NDArrayHandle> gradients(argument_arrays_.size(), nullptr);
  std::vector<std::uint32_t> no_gradients(argument_arrays_.size(), 0);
  ExecutorHandle executor = nullptr;
  Check(MXExecutorBindEX(symbol_.get(), kCpu, 0, 0, nullptr, nullptr, nullptr,
                         static_cast<std::uint32_t>(argument_arrays_.size()),
                         argument_arrays_.data(), gradients.data(), no_gradients.data(),
                         static_cast<std::uint32_t>(state_arrays_.size()), state_arrays_.data(),
                         nullptr, &executor),
        "cannot bind the model to these inputs", kCompareHint);
  return Executor(executor);
}

void Model::PrepareMonitored() {
  if (monitored_executor_) return;
  monitored_executor_ = MakeExecutor();
  SymbolHandle optimised = nullptr;
  Check(MXExecutorGetOptimizedSymbol(monitored_executor_.get(), &optimised),
        "cannot read the optimised symbol", "");
  const Symbol owned(optimised);
  const char* json = nullptr;
  Check(MXSymbolSaveToJSON(optimised, &json), "cannot read the optimised symbol", "");
  monitor_ = std::make_unique<OperatorMonitor>(OperatorsOf(json));
  monitor_->Watch(monitored_executor_.get());
}

void Model::Call(bool monitored) {
  last_ = monitored ? monitored_executor_.get() : executor_.get();
  Check(MXExecutorForward(last_, 0), "the model failed on these inputs", kCompareHint);
  for (const NDArrayHandle result : Results()) {
    const Array owned(result);
    Check(MXNDArrayWaitToRead(result), "the model failed on these inputs", kCompareHint);
  }
}

std::vector<NDArrayHandle> Model::Results() const {
  std::uint32_t count = 0;
  NDArrayHandle* results = nullptr;
  Check(MXExecutorOutputs(last_, &count, &results), "cannot read the results", "");
  return std::vector<NDArrayHandle>(results, results + count);
}

}  // namespace xsp::worker_mxnet
