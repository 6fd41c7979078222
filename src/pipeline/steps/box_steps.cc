#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "pipeline/boxes/boxes.h"
#include "pipeline/boxes/mask_map.h"
#include "pipeline/boxes/priors.h"
#include "pipeline/image/image.h"
#include "pipeline/steps/output_step.h"

namespace xsp::pipeline {
namespace {

enum class BoxFormat { kXyxy, kYxyx, kXywh, kCxcywh, kCycxhw };
enum class Activation { kNone, kSoftmax, kSigmoid };

core::Box FromFormat(BoxFormat format, const double (&v)[4]) {
  switch (format) {
    case BoxFormat::kXyxy:
      return {v[0], v[1], v[2], v[3]};
    case BoxFormat::kYxyx:
      return {v[1], v[0], v[3], v[2]};
    case BoxFormat::kXywh:
      return {v[0], v[1], v[0] + v[2], v[1] + v[3]};
    case BoxFormat::kCxcywh:
      return {v[0] - v[2] / 2, v[1] - v[3] / 2, v[0] + v[2] / 2, v[1] + v[3] / 2};
    case BoxFormat::kCycxhw:
      return {v[1] - v[3] / 2, v[0] - v[2] / 2, v[1] + v[3] / 2, v[0] + v[2] / 2};
  }
  return {};
}

/// A box that may become a detection.
struct Candidate {
  core::Box box;
  double score = 0;
  std::int64_t row = 0;
  std::int64_t channel = 0;
};

class Boxes : public OutputStep {
 public:
  std::string boxes_name, scores_name, classes_name, count_name;
  BoxFormat format = BoxFormat::kXyxy;
  Activation activation = Activation::kNone;
  bool fractions = false;
  bool anchors_last = false;
  bool batched = true;
  double score_threshold = 0.05;
  double iou_threshold = 0.5;
  bool suppress = true;
  std::int64_t most = 100;
  std::int64_t candidates_per_class = 1000;
  std::int64_t background = -1;
  std::int64_t class_offset = 0;
  std::vector<Prior> priors;
  std::vector<double> variances = {0.1, 0.1, 0.2, 0.2};
  std::vector<std::string> labels;

  const char* Gives() const override { return "detections"; }

  Status Run(OutputState& state) const override {
    const TensorView *boxes = nullptr, *scores = nullptr, *classes = nullptr, *count = nullptr;
    XSP_RETURN_IF_ERROR(state.Find(boxes_name, boxes));
    XSP_RETURN_IF_ERROR(state.Find(scores_name, scores));
    if (!classes_name.empty()) {
      XSP_RETURN_IF_ERROR(state.Find(classes_name, classes));
    }
    if (!count_name.empty()) {
      XSP_RETURN_IF_ERROR(state.Find(count_name, count));
    }
    for (std::size_t i = 0; i < state.predictions.size(); ++i) {
      Parts parts;
      XSP_RETURN_IF_ERROR(PartOf(*boxes, batched, i, parts.boxes));
      XSP_RETURN_IF_ERROR(PartOf(*scores, batched, i, parts.scores));
      if (classes) {
        XSP_RETURN_IF_ERROR(PartOf(*classes, batched, i, parts.classes));
      }
      if (count) {
        XSP_RETURN_IF_ERROR(PartOf(*count, batched, i, parts.count));
      }
      XSP_RETURN_IF_ERROR(CheckShapes(parts));
      Detect(parts, state.placements[i], state.predictions[i]);
    }
    return Ok{};
  }

 private:
  struct Parts {
    Part boxes, scores, classes, count;
    std::int64_t rows = 0;     ///< Boxes.
    std::int64_t columns = 0;  ///< Scores per box.
  };

  Status CheckShapes(Parts& parts) const {
    const std::span<const std::int64_t> box = parts.boxes.shape;
    const std::span<const std::int64_t> score = parts.scores.shape;
    const std::string found =
        "boxes " + ShapeText(box) + ", scores " + ShapeText(score) +
        (parts.classes.output ? ", classes " + ShapeText(parts.classes.shape) : "");
    if (box.size() != 2 || box[anchors_last ? 0 : 1] != 4) {
      return BadInput(std::string("the boxes of a sample must be [") +
                          (anchors_last ? "4, boxes" : "boxes, 4") + "]: " + found,
                      "see `anchors_last` and `batched`");
    }
    parts.rows = box[anchors_last ? 1 : 0];
    const bool given = parts.classes.output != nullptr;
    if (given) {
      parts.columns = 1;
      if (*ElementCount(score) != parts.rows || *ElementCount(parts.classes.shape) != parts.rows) {
        return BadInput("there must be one score and one class for each box: " + found);
      }
    } else {
      if (score.size() != 2 || score[anchors_last ? 1 : 0] != parts.rows) {
        return BadInput("there must be a score of each class for each box: " + found,
                        "name the output of classes as `classes` if the model gives them");
      }
      parts.columns = score[anchors_last ? 0 : 1];
    }
    if (!priors.empty() && static_cast<std::int64_t>(priors.size()) != parts.rows) {
      return BadInput("there must be one prior for each box: " + std::to_string(priors.size()) +
                      " priors, " + std::to_string(parts.rows) + " boxes");
    }
    if (parts.count.output && *ElementCount(parts.count.shape) != 1) {
      return BadInput("the number of boxes must be one number for each sample: " +
                      ShapeText(parts.count.shape));
    }
    return Ok{};
  }

  /// The box in pixels of the original image, cut to it.
  core::Box BoxAt(const Parts& parts, std::int64_t row, const Placement& placement) const {
    double values[4];
    for (std::int64_t i = 0; i < 4; ++i) {
      values[i] = parts.boxes.At(anchors_last ? i * parts.rows + row : row * 4 + i);
    }
    core::Box box;
    if (priors.empty()) {
      box = FromFormat(format, values);
    } else {
      const bool y_first = format == BoxFormat::kCycxhw;
      const double offsets[4] = {values[y_first ? 1 : 0], values[y_first ? 0 : 1],
                                 values[y_first ? 3 : 2], values[y_first ? 2 : 3]};
      const double spread[4] = {variances[0], variances[1], variances[2], variances[3]};
      box = DecodeOffsets(priors[static_cast<std::size_t>(row)], offsets, spread);
    }
    if (placement.original_width < 1) return box;
    const double unit_x = fractions ? placement.input_width : 1;
    const double unit_y = fractions ? placement.input_height : 1;
    const auto x = [&](double v) {
      return std::clamp((v * unit_x - placement.offset_x) / placement.scale_x, 0.0,
                        static_cast<double>(placement.original_width));
    };
    const auto y = [&](double v) {
      return std::clamp((v * unit_y - placement.offset_y) / placement.scale_y, 0.0,
                        static_cast<double>(placement.original_height));
    };
    return {x(box.x1), y(box.y1), x(box.x2), y(box.y2)};
  }

  /// The scores of a row's classes, activated.
  void ScoresAt(const Parts& parts, std::int64_t row, std::vector<double>& scores) const {
    scores.resize(static_cast<std::size_t>(parts.columns));
    double best = -INFINITY;
    for (std::int64_t c = 0; c < parts.columns; ++c) {
      scores[c] = parts.scores.At(anchors_last ? c * parts.rows + row : row * parts.columns + c);
      best = std::max(best, scores[c]);
    }
    if (activation == Activation::kSigmoid) {
      for (double& score : scores) score = 1 / (1 + std::exp(-score));
    } else if (activation == Activation::kSoftmax) {
      double sum = 0;
      for (double& score : scores) sum += score = std::exp(score - best);
      for (double& score : scores) score /= sum;
    }
  }

  /// What passes the score threshold, by class; of each class the best ones.
  std::map<std::int64_t, std::vector<Candidate>> CandidatesOf(const Parts& parts) const {
    std::map<std::int64_t, std::vector<Candidate>> by_class;
    std::int64_t rows = parts.rows;
    if (parts.count.output) {
      const double valid = parts.count.At(0);
      rows = valid > 0 ? static_cast<std::int64_t>(std::min<double>(valid, rows)) : 0;
    }
    std::vector<double> scores;
    for (std::int64_t row = 0; row < rows; ++row) {
      ScoresAt(parts, row, scores);
      for (std::size_t c = 0; c < scores.size(); ++c) {
        auto channel = static_cast<std::int64_t>(c);
        if (parts.classes.output) {
          const double value = parts.classes.At(row);
          channel = std::abs(value) < 0x1p53 ? static_cast<std::int64_t>(value) : -1;
        }
        // Not "below": what is not a number must not pass.
        if (channel == background || !(scores[c] >= score_threshold)) continue;
        by_class[channel].push_back({{}, scores[c], row, channel});
      }
    }
    for (auto& [channel, candidates] : by_class) {
      std::stable_sort(candidates.begin(), candidates.end(),
                       [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
      const auto kept = static_cast<std::size_t>(candidates_per_class);
      if (candidates.size() > kept) candidates.resize(kept);
    }
    return by_class;
  }

  void Detect(const Parts& parts, const Placement& placement, Prediction& prediction) const {
    std::vector<core::Box> boxes;
    std::vector<double> scores;
    std::vector<std::int64_t> classes;
    std::vector<Candidate> all;
    for (const auto& [channel, candidates] : CandidatesOf(parts)) {
      for (const Candidate& candidate : candidates) {
        boxes.push_back(BoxAt(parts, candidate.row, placement));
        scores.push_back(candidate.score);
        classes.push_back(channel);
        all.push_back(candidate);
      }
    }
    // An IoU is never above 1, so nothing is suppressed by the threshold 1.
    const std::vector<std::size_t> kept =
        NonMaximumSuppression(boxes, scores, classes, suppress ? iou_threshold : 1);
    prediction.has_detections = true;
    for (std::size_t i = 0; i < kept.size() && i < static_cast<std::size_t>(most); ++i) {
      const Candidate& candidate = all[kept[i]];
      Detection detection;
      detection.box = boxes[kept[i]];
      detection.score = candidate.score;
      detection.row = candidate.row;
      detection.channel = candidate.channel;
      detection.index = candidate.channel + class_offset;
      detection.label = LabelOf(labels, detection.index);
      prediction.detections.push_back(std::move(detection));
    }
  }
};

class Masks : public OutputStep {
 public:
  std::string output_name;
  bool whole_image = false;
  bool batched = true;
  double threshold = 0.5;

  const char* Needs() const override { return "detections"; }

  Status Run(OutputState& state) const override {
    const TensorView* output = nullptr;
    XSP_RETURN_IF_ERROR(state.Find(output_name, output));
    for (std::size_t i = 0; i < state.predictions.size(); ++i) {
      Part part;
      XSP_RETURN_IF_ERROR(PartOf(*output, batched, i, part));
      const std::span<const std::int64_t> shape = part.shape;
      if (shape.size() < 3 || shape.size() > 4 || shape.back() < 1 || shape[shape.size() - 2] < 1 ||
          *ElementCount(shape.last(2)) > kMaxPixels) {
        return BadInput(
            "the masks of a sample must be [boxes, height, width] or [boxes, classes, "
            "height, width]: " +
            ShapeText(shape));
      }
      if (state.placements[i].original_width < 1) {
        return BadInput("masks need to know the image, and this sample has none");
      }
      for (Detection& detection : state.predictions[i].detections) {
        MaskMap map;
        XSP_RETURN_IF_ERROR(MapOf(part, detection, map));
        detection.mask = MaskOf(map, detection, state.placements[i]);
      }
    }
    return Ok{};
  }

 private:
  static Status MapOf(const Part& part, const Detection& detection, MaskMap& map) {
    const std::span<const std::int64_t> shape = part.shape;
    const std::int64_t channels = shape.size() == 4 ? shape[1] : 1;
    const std::int64_t channel = channels == 1 ? 0 : detection.channel;
    if (detection.row >= shape[0] || channel < 0 || channel >= channels) {
      return BadInput("there is no mask for box " + std::to_string(detection.row) + ", class " +
                      std::to_string(detection.channel) + ": " + ShapeText(shape));
    }
    map.height = static_cast<int>(shape[shape.size() - 2]);
    map.width = static_cast<int>(shape.back());
    const std::int64_t size = std::int64_t{map.width} * map.height;
    map.values.resize(static_cast<std::size_t>(size));
    for (std::int64_t i = 0; i < size; ++i) {
      map.values[static_cast<std::size_t>(i)] =
          static_cast<float>(part.At((detection.row * channels + channel) * size + i));
    }
    return Ok{};
  }

  core::Mask MaskOf(const MaskMap& map, const Detection& detection,
                    const Placement& placement) const {
    if (!whole_image) {
      return PasteMask(map, detection.box, placement.original_width, placement.original_height,
                       threshold);
    }
    const auto axis = [](double scale, double offset, int values, int input) {
      const double unit = static_cast<double>(values) / input;
      return MaskAxis{static_cast<float>(scale * unit), static_cast<float>(offset * unit)};
    };
    return StretchMask(
        map, axis(placement.scale_x, placement.offset_x, map.width, placement.input_width),
        axis(placement.scale_y, placement.offset_y, map.height, placement.input_height),
        placement.original_width, placement.original_height, threshold);
  }
};

}  // namespace

Status MakeBoxes(Parameters& parameters, const std::string& folder,
                 std::unique_ptr<OutputStep>& step) {
  auto made = std::make_unique<Boxes>();
  parameters.Text("boxes", made->boxes_name, true);
  parameters.Text("scores", made->scores_name, true);
  parameters.Text("classes", made->classes_name);
  parameters.Text("count", made->count_name);
  XSP_RETURN_IF_ERROR(About("priors", ReadPriors(parameters, folder, made->priors)));
  const bool offsets = !made->priors.empty();
  made->fractions = offsets;
  if (offsets) made->format = BoxFormat::kCxcywh;
  parameters.Choice<BoxFormat>("format", made->format,
                               {{"xyxy", BoxFormat::kXyxy},
                                {"yxyx", BoxFormat::kYxyx},
                                {"xywh", BoxFormat::kXywh},
                                {"cxcywh", BoxFormat::kCxcywh},
                                {"cycxhw", BoxFormat::kCycxhw}});
  if (offsets && made->format != BoxFormat::kCxcywh && made->format != BoxFormat::kCycxhw) {
    parameters.Fail("offsets from priors are cxcywh or cycxhw", "", "format");
  }
  parameters.Choice<bool>("unit", made->fractions, {{"pixels", false}, {"fraction", true}});
  if (offsets && !made->fractions) parameters.Fail("priors are fractions of the input", "", "unit");
  parameters.Choice<Activation>("activation", made->activation,
                                {{"none", Activation::kNone},
                                 {"softmax", Activation::kSoftmax},
                                 {"sigmoid", Activation::kSigmoid}});
  parameters.Flag("anchors_last", made->anchors_last);
  parameters.Flag("batched", made->batched);
  parameters.Flag("suppress", made->suppress);
  parameters.Number("score_threshold", made->score_threshold, -1e30, 1e30);
  parameters.Number("iou_threshold", made->iou_threshold, 0, 1);
  parameters.Integer("max_detections", made->most, 1, 100000);
  parameters.Integer("candidates", made->candidates_per_class, 1, 100000);
  parameters.Integer("background", made->background, -1, 1 << 20);
  parameters.Integer("class_offset", made->class_offset, -(1 << 20), 1 << 20);
  parameters.Numbers("variances", made->variances, 4);
  XSP_RETURN_IF_ERROR(ReadLabels(parameters, folder, made->labels));
  step = std::move(made);
  return Ok{};
}

Status MakeMasks(Parameters& parameters, const std::string&, std::unique_ptr<OutputStep>& step) {
  auto made = std::make_unique<Masks>();
  parameters.Text("output", made->output_name, true);
  parameters.Choice<bool>("cover", made->whole_image, {{"box", false}, {"image", true}});
  parameters.Flag("batched", made->batched);
  parameters.Number("threshold", made->threshold, -1e30, 1e30);
  step = std::move(made);
  return Ok{};
}

}  // namespace xsp::pipeline
