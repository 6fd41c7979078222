#include "harness/dataset_pass.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/json_text.h"
#include "harness/range.h"
#include "pipeline/steps/prediction.h"
#include "pipeline/tensor/tensor.h"

namespace xsp::worker {
namespace {

using nlohmann::json;

pipeline::TensorView ViewOf(const xsp_worker_tensor& tensor) {
  return {tensor.name,
          CoreDtype(tensor.dtype),
          {tensor.shape, static_cast<std::size_t>(tensor.rank)},
          tensor.data};
}

/// The tensor for an input: that of its name, or an image's, which has none, for the first.
const pipeline::Tensor* TensorFor(const std::vector<pipeline::Tensor>& tensors,
                                  const InputSpec& input, bool first) {
  for (const pipeline::Tensor& tensor : tensors)
    if (tensor.name == input.name || (tensor.name.empty() && first)) return &tensor;
  return nullptr;
}

}  // namespace

Status DatasetPass::Open(const DatasetSpec& spec, const std::vector<InputSpec>& inputs,
                         std::int64_t batch, std::unique_ptr<DatasetPass>& pass) {
  std::unique_ptr<DatasetPass> made(new DatasetPass());
  made->specs_ = inputs;
  made->batch_ = static_cast<std::size_t>(batch);
  for (const InputSpec& input : inputs) {
    if (input.shape.empty() || input.shape.front() != batch) {
      return Error{
          ErrorKind::kBadInput,
          "a data set needs inputs whose first dimension is the batch, unlike " + input.name,
          "say so in the model's manifest"};
    }
  }
  XSP_RETURN_IF_ERROR(pipeline::OpenDataset(spec.description, spec.folder, made->dataset_));
  const std::size_t all = made->dataset_->size();
  made->size_ = spec.samples > 0 ? std::min(all, static_cast<std::size_t>(spec.samples)) : all;
  XSP_RETURN_IF_ERROR(
      pipeline::PreProcessing::Build(spec.preprocess, spec.steps_folder, made->before_));
  if (!spec.postprocess.empty()) {
    XSP_RETURN_IF_ERROR(
        pipeline::PostProcessing::Build(spec.postprocess, spec.steps_folder, made->after_));
  }
  for (Inputs& buffer : made->buffers_) XSP_RETURN_IF_ERROR(buffer.Make(inputs, 0));
  made->path_ = spec.predictions;
  made->file_.open(spec.predictions);
  pass = std::move(made);
  return pass->Flush();
}

Status DatasetPass::Prepare(std::size_t first, std::size_t count) {
  const Range range("preprocess");
  turn_ = 1 - turn_;
  positions_.clear();
  names_.clear();
  samples_.clear();
  placements_.clear();
  for (std::size_t i = first; i < first + count; ++i) XSP_RETURN_IF_ERROR(Take(i));
  if (samples_.empty()) return Ok{};
  return Stack();
}

Status DatasetPass::Take(std::size_t position) {
  pipeline::Sample sample;
  Status taken = Ok{};
  {
    const Range range("read");
    taken = dataset_->Read(pipeline::SpreadIndex(position, size_, dataset_->size()), sample);
  }
  pipeline::Prepared prepared;
  if (taken.ok()) taken = before_.Run(sample.Raw(), prepared);
  if (!taken.ok() && taken.error().kind != ErrorKind::kBadInput) return taken;
  const std::string why = taken.ok() ? Misfit(prepared) : taken.error().what;
  if (!why.empty()) {
    Refuse(position, sample.name, why);
    return Ok{};
  }
  positions_.push_back(position);
  names_.push_back(std::move(sample.name));
  samples_.push_back(std::move(prepared.tensors));
  placements_.push_back(prepared.placement);
  return Ok{};
}

std::string DatasetPass::Misfit(const pipeline::Prepared& prepared) const {
  for (const InputSpec& input : specs_) {
    const auto* tensor = TensorFor(prepared.tensors, input, &input == &specs_.front());
    if (tensor == nullptr) return "the steps give nothing for the model's input " + input.name;
    const std::vector<std::int64_t> wanted(input.shape.begin() + 1, input.shape.end());
    if (tensor->shape == wanted && static_cast<int>(tensor->dtype) == input.dtype) continue;
    return "the steps give " + std::string(core::DtypeName(tensor->dtype)) + " " +
           pipeline::ShapeText(tensor->shape) + ", the model's input " + input.name + " takes " +
           xsp_worker_dtype_name(input.dtype) + " " + pipeline::ShapeText(wanted);
  }
  return "";
}

Status DatasetPass::Stack() {
  const Range range("stack");
  for (std::size_t i = 0; i < specs_.size(); ++i) {
    std::vector<const pipeline::Tensor*> column;
    for (const auto& sample : samples_) column.push_back(TensorFor(sample, specs_[i], i == 0));
    column.resize(batch_, column.back());
    const xsp_worker_tensor& target = inputs()[i];
    XSP_RETURN_IF_ERROR(pipeline::StackInto(column, target.data, target.bytes));
  }
  return Ok{};
}

Status DatasetPass::Keep(std::span<const xsp_worker_tensor> outputs) {
  std::vector<pipeline::Prediction> predictions;
  {
    const Range range("postprocess");
    std::vector<pipeline::TensorView> views;
    for (const xsp_worker_tensor& tensor : outputs) views.push_back(ViewOf(tensor));
    XSP_RETURN_IF_ERROR(after_.Run(views, placements_, predictions));
  }
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    const json line = {{"position", positions_[i]},
                       {"sample", names_[i]},
                       {"prediction", pipeline::ToJson(predictions[i])}};
    file_ << core::AsciiJsonText(line) << '\n';
  }
  return Flush();
}

void DatasetPass::Refuse(std::size_t position, const std::string& name, const std::string& why) {
  const json line = {{"position", position}, {"sample", name}, {"error", why}};
  file_ << core::AsciiJsonText(line) << '\n';
}

Status DatasetPass::Flush() {
  file_.flush();
  if (file_) return Ok{};
  return Error{ErrorKind::kEnvironment, "cannot write the predictions: " + path_,
               "check the folder, its permissions and the free space of the disk"};
}

}  // namespace xsp::worker
