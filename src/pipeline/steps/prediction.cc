#include "pipeline/steps/prediction.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace xsp::pipeline {
namespace {

using nlohmann::json;

/// JSON has no infinity; the library would write null as well, but only in its text.
json Finite(double value) { return std::isfinite(value) ? json(value) : json(); }

json DetectionJson(const Detection& detection) {
  json object = {{"box", json::array({Finite(detection.box.x1), Finite(detection.box.y1),
                                      Finite(detection.box.x2), Finite(detection.box.y2)})},
                 {"index", detection.index},
                 {"score", Finite(detection.score)}};
  if (!detection.label.empty()) object["label"] = detection.label;
  if (detection.mask.width > 0) {
    object["mask"] = {{"size", {detection.mask.height, detection.mask.width}},
                      {"counts", detection.mask.runs}};
  }
  return object;
}

}  // namespace

json ToJson(const Prediction& prediction) {
  json object = json::object();
  if (prediction.has_classes) {
    json& classes = object["classes"] = json::array();
    for (const ClassScore& score : prediction.classes) {
      json entry = {{"index", score.index}, {"score", Finite(score.score)}};
      if (!score.label.empty()) entry["label"] = score.label;
      classes.push_back(std::move(entry));
    }
  }
  if (prediction.has_detections) {
    json& detections = object["detections"] = json::array();
    for (const Detection& detection : prediction.detections) {
      detections.push_back(DetectionJson(detection));
    }
  }
  if (prediction.has_text) {
    object["text"] = prediction.text;
    object["tokens"] = prediction.tokens;
    object["ids"] = prediction.ids;
  }
  return object;
}

}  // namespace xsp::pipeline
