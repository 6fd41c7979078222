#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <numeric>

#include "pipeline/base/text_file.h"
#include "pipeline/steps/output_step.h"
#include "pipeline/text/vocabulary.h"

namespace xsp::pipeline {
namespace {

/// exp(x - max) / sum over the last axis; in double precision, rounded once to float32.
class Softmax : public OutputStep {
 public:
  std::string output_name;

  Status Run(OutputState& state) const override {
    const TensorView* output = nullptr;
    XSP_RETURN_IF_ERROR(state.Find(output_name, output));
    const std::int64_t count = *ElementCount(output->shape);
    const std::int64_t classes = output->shape.empty() ? 1 : output->shape.back();
    Tensor tensor;
    tensor.name = output->name;
    tensor.shape.assign(output->shape.begin(), output->shape.end());
    tensor.data.resize(static_cast<std::size_t>(count) * sizeof(float));
    auto* out = reinterpret_cast<float*>(tensor.data.data());
    std::vector<double> row(static_cast<std::size_t>(classes));
    for (std::int64_t at = 0; classes > 0 && at < count; at += classes) {
      double most = -INFINITY;
      for (std::int64_t i = 0; i < classes; ++i) {
        row[i] = ElementAt(output->data, output->dtype, at + i);
        most = std::max(most, row[i]);
      }
      double sum = 0;
      for (double& value : row) sum += value = std::exp(value - most);
      for (std::int64_t i = 0; i < classes; ++i) out[at + i] = static_cast<float>(row[i] / sum);
    }
    const auto index = output - state.outputs.data();
    state.made.push_back(std::move(tensor));
    // The name must outlive this view: it is now the tensor's.
    state.outputs[static_cast<std::size_t>(index)] = ViewOf(state.made.back());
    return Ok{};
  }
};

class TopK : public OutputStep {
 public:
  std::string output_name;
  std::int64_t k = 5;
  std::int64_t first_class = 0;
  bool batched = true;
  std::vector<std::string> labels;

  Status Run(OutputState& state) const override {
    const TensorView* output = nullptr;
    XSP_RETURN_IF_ERROR(state.Find(output_name, output));
    for (std::size_t i = 0; i < state.predictions.size(); ++i) {
      Part part;
      XSP_RETURN_IF_ERROR(PartOf(*output, batched, i, part));
      FillIn(part, state.predictions[i]);
    }
    return Ok{};
  }

 private:
  void FillIn(const Part& part, Prediction& prediction) const {
    const std::int64_t classes = *ElementCount(part.shape) - first_class;
    std::vector<ClassScore> scores(static_cast<std::size_t>(std::max<std::int64_t>(classes, 0)));
    for (std::size_t i = 0; i < scores.size(); ++i) {
      scores[i].index = static_cast<std::int64_t>(i);
      scores[i].score = part.At(first_class + scores[i].index);
    }
    // What is not a number comes last; equal scores in the order of their classes.
    const auto better = [](const ClassScore& a, const ClassScore& b) {
      const double left = std::isnan(a.score) ? -INFINITY : a.score;
      const double right = std::isnan(b.score) ? -INFINITY : b.score;
      return left != right ? left > right : a.index < b.index;
    };
    const std::size_t kept = std::min(scores.size(), static_cast<std::size_t>(k));
    std::partial_sort(scores.begin(), scores.begin() + static_cast<std::ptrdiff_t>(kept),
                      scores.end(), better);
    scores.resize(kept);
    for (ClassScore& score : scores) score.label = LabelOf(labels, score.index);
    prediction.classes = std::move(scores);
    prediction.has_classes = true;
  }
};

class Text : public OutputStep {
 public:
  std::string output_name;
  Vocabulary vocabulary;
  bool scores = false;
  bool pieces = true;
  bool batched = true;
  std::string end;
  std::vector<std::string> skipped;

  Status Run(OutputState& state) const override {
    const TensorView* output = nullptr;
    XSP_RETURN_IF_ERROR(state.Find(output_name, output));
    for (std::size_t i = 0; i < state.predictions.size(); ++i) {
      Part part;
      XSP_RETURN_IF_ERROR(PartOf(*output, batched, i, part));
      if (scores && part.shape.size() < 2) {
        return BadInput(
            "scores of tokens need the axes position and token: " + ShapeText(output->shape),
            "say `from: ids` if these are numbers of tokens");
      }
      FillIn(part, state.predictions[i]);
    }
    return Ok{};
  }

 private:
  std::vector<std::int64_t> IdsOf(const Part& part) const {
    std::vector<std::int64_t> ids;
    const std::int64_t count = *ElementCount(part.shape);
    const std::int64_t width = scores ? part.shape.back() : 1;
    for (std::int64_t at = 0; width > 0 && at < count; at += width) {
      if (!scores) {
        const double value = part.At(at);
        // What is no number of a token becomes one that no vocabulary has.
        ids.push_back(value >= 0 && value < 0x1p53 ? static_cast<std::int64_t>(value) : -1);
        continue;
      }
      std::int64_t best = 0;
      for (std::int64_t i = 1; i < width; ++i) {
        if (part.At(at + i) > part.At(at + best)) best = i;
      }
      ids.push_back(best);
    }
    return ids;
  }

  void FillIn(const Part& part, Prediction& prediction) const {
    prediction.has_text = true;
    for (const std::int64_t id : IdsOf(part)) {
      const std::string token(vocabulary.Token(id).value_or("<" + std::to_string(id) + ">"));
      if (!end.empty() && token == end) break;
      if (std::find(skipped.begin(), skipped.end(), token) != skipped.end()) continue;
      prediction.ids.push_back(id);
      prediction.tokens.push_back(token);
      if (pieces && token.size() > 2 && token.substr(0, 2) == "##") {
        prediction.text += token.substr(2);
      } else {
        prediction.text += (prediction.text.empty() ? "" : " ") + token;
      }
    }
  }
};

}  // namespace

Status MakeSoftmax(Parameters& parameters, const std::string&, std::unique_ptr<OutputStep>& step) {
  auto made = std::make_unique<Softmax>();
  parameters.Text("output", made->output_name);
  step = std::move(made);
  return Ok{};
}

Status MakeTopK(Parameters& parameters, const std::string& folder,
                std::unique_ptr<OutputStep>& step) {
  auto made = std::make_unique<TopK>();
  parameters.Text("output", made->output_name);
  parameters.Integer("k", made->k, 1, 1 << 20);
  parameters.Integer("first_class", made->first_class, 0, 1 << 20);
  parameters.Flag("batched", made->batched);
  XSP_RETURN_IF_ERROR(ReadLabels(parameters, folder, made->labels));
  step = std::move(made);
  return Ok{};
}

Status MakeText(Parameters& parameters, const std::string& folder,
                std::unique_ptr<OutputStep>& step) {
  auto made = std::make_unique<Text>();
  std::string path;
  parameters.Text("output", made->output_name);
  parameters.Text("vocabulary", path, true);
  parameters.Choice<bool>("from", made->scores, {{"ids", false}, {"scores", true}});
  parameters.Choice<bool>("method", made->pieces, {{"wordpiece", true}, {"words", false}});
  parameters.Flag("batched", made->batched);
  made->end = made->pieces ? "[SEP]" : "</s>";
  made->skipped = made->pieces ? std::vector<std::string>{"[CLS]", "[PAD]"}
                               : std::vector<std::string>{"<s>", "<pad>"};
  parameters.Text("end", made->end);
  parameters.Texts("skip", made->skipped);
  XSP_RETURN_IF_ERROR(parameters.Finish());
  XSP_RETURN_IF_ERROR(About("vocabulary", made->vocabulary.Load(Below(folder, path))));
  step = std::move(made);
  return Ok{};
}

}  // namespace xsp::pipeline
