#ifndef XSP_PIPELINE_STEPS_PREDICTION_H_
#define XSP_PIPELINE_STEPS_PREDICTION_H_

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/box.h"
#include "core/mask.h"

namespace xsp::pipeline {

struct ClassScore {
  std::int64_t index = 0;
  std::string label;  ///< Empty without a labels file.
  double score = 0;   ///< A probability after `softmax`, else what the model gave.
};

struct Detection {
  core::Box box;           ///< In pixels of the original image.
  std::int64_t index = 0;  ///< Class.
  std::string label;
  double score = 0;
  std::int64_t row = 0;      ///< Row of the model's output, from which `masks` takes the mask.
  std::int64_t channel = 0;  ///< The class in the model's own numbering.
  core::Mask mask;           ///< Over the original image; width 0 without `masks`.
};

/// What post-processing makes of the outputs for one sample. Parts that no step fills stay empty.
struct Prediction {
  std::vector<ClassScore> classes;    ///< Best first.
  std::vector<Detection> detections;  ///< Best first.
  std::vector<std::int64_t> ids;
  std::vector<std::string> tokens;
  std::string text;
  bool has_classes = false;
  bool has_detections = false;
  bool has_text = false;
};

/// {"classes": [{"index", "label", "score"}], "detections": [{"box": [x1, y1, x2, y2], "index",
/// "label", "score", "mask": {"size": [height, width], "counts": [...]}}], "text": "...",
/// "tokens": [...], "ids": [...]}; only the parts that a step filled in. A score that is not finite
/// is null.
nlohmann::json ToJson(const Prediction& prediction);

}  // namespace xsp::pipeline

#endif  // XSP_PIPELINE_STEPS_PREDICTION_H_
