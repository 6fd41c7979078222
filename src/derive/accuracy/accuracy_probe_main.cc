// For tests only: reads a JSON list of cases from stdin, {"metric": NAME, ...}, and prints the list
// of results. tests/accuracy_reference_test.py compares them with other packages.
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "core/json_text.h"
#include "derive/accuracy/agreement.h"
#include "derive/accuracy/answers.h"
#include "derive/accuracy/bleu.h"
#include "derive/accuracy/classification.h"
#include "derive/accuracy/detection.h"
#include "derive/accuracy/ranking.h"
#include "derive/accuracy/unicode_text.h"

namespace {

using nlohmann::json;
using namespace xsp::accuracy;
namespace core = xsp::core;

json ErrorOf(const xsp::Error& error) { return {{"error", error.what}}; }

// JSON has no word for what is not finite.
float FloatOf(const json& value) {
  if (!value.is_string()) return value.get<float>();
  const auto& text = value.get_ref<const std::string&>();
  if (text == "nan") return std::numeric_limits<float>::quiet_NaN();
  return text == "inf" ? std::numeric_limits<float>::infinity()
                       : -std::numeric_limits<float>::infinity();
}

std::vector<float> Floats(const json& values) {
  std::vector<float> floats;
  for (const json& value : values) floats.push_back(FloatOf(value));
  return floats;
}

json TopKCase(const json& request) {
  const auto scores = Floats(request["scores"]);
  const auto labels = request["labels"].get<std::vector<std::int64_t>>();
  const auto accuracy = TopKAccuracy(scores, request["classes"], labels, request["k"]);
  return accuracy.ok() ? json(accuracy.value()) : ErrorOf(accuracy.error());
}

json F1Case(const json& request) {
  const auto labels = request["labels"].get<std::vector<std::int64_t>>();
  const auto predictions = request["predictions"].get<std::vector<std::int64_t>>();
  const auto scores = ScoreClasses(labels, predictions);
  const auto binary = ScoreBinary(labels, predictions);
  if (!scores.ok()) return ErrorOf(scores.error());
  json classes = json::array();
  for (const ClassScore& score : scores.value().classes)
    classes.push_back({score.label, score.precision, score.recall, score.f1, score.support});
  return {{"classes", classes},
          {"accuracy", scores.value().accuracy},
          {"macro", scores.value().macro_f1},
          {"micro", scores.value().micro_f1},
          {"weighted", scores.value().weighted_f1},
          {"binary", binary.value().f1}};
}

json RankingCase(const json& request) {
  const auto scores = Floats(request["scores"]);
  const auto positives = request["positives"].get<std::vector<std::size_t>>();
  const auto result = ScoreRanking(scores, request["candidates"], positives, request["k"]);
  if (!result.ok()) return ErrorOf(result.error());
  return {result.value().hit_rate, result.value().ndcg};
}

json AnswersCase(const json& request) {
  const auto predictions = request["predictions"].get<std::vector<std::string>>();
  const auto references = request["references"].get<std::vector<std::vector<std::string>>>();
  const auto version = request["version"] == 2 ? SquadVersion::k2_0 : SquadVersion::k1_1;
  const auto scores = ScoreAnswers(predictions, references, version);
  if (!scores.ok()) return ErrorOf(scores.error());
  return {scores.value().exact_match, scores.value().f1};
}

json BleuCase(const json& request) {
  BleuOptions options;
  options.tokenizer = request["tokenizer"] == "none" ? BleuTokenizer::kNone : BleuTokenizer::k13a;
  options.smoothing = static_cast<BleuSmoothing>(request["smoothing"].get<int>());
  options.smoothing_value = request["value"];
  options.lowercase = request["lowercase"];
  options.max_order = request["order"];
  options.effective_order = request["effective"];
  const auto bleu =
      CorpusBleu(request["hypotheses"].get<std::vector<std::string>>(),
                 request["references"].get<std::vector<std::vector<std::string>>>(), options);
  if (!bleu.ok()) return ErrorOf(bleu.error());
  return {{"score", bleu.value().score},
          {"bp", bleu.value().brevity_penalty},
          {"lengths", {bleu.value().hypothesis_length, bleu.value().reference_length}},
          {"matches", bleu.value().matches},
          {"totals", bleu.value().totals},
          {"precisions", bleu.value().precisions}};
}

core::CocoBox BoxOf(const json& values) { return {values[0], values[1], values[2], values[3]}; }

// {"size": [h, w], "counts": text or lists} or {"size", "pixels"}.
core::Mask MaskOf(const json& entry) {
  if (!entry.contains("mask")) return {};
  const json& mask = entry["mask"];
  const std::uint32_t height = mask["size"][0], width = mask["size"][1];
  if (mask.contains("pixels"))
    return core::MaskFromBitmap(height, width, mask["pixels"].get<std::vector<std::uint8_t>>())
        .value();
  if (mask["counts"].is_string())
    return core::MaskFromText(height, width, mask["counts"].get<std::string>()).value();
  return core::MaskFromRuns(height, width, mask["counts"].get<std::vector<std::uint32_t>>())
      .value();
}

json Number(const DetectionScore& score) { return score.has_value() ? json(*score) : json(-1.0); }

json DetectionCase(const json& request) {
  std::vector<GroundTruth> truths;
  for (const json& entry : request["truths"])
    truths.push_back({.image = entry["image_id"],
                      .category = entry["category_id"],
                      .box = BoxOf(entry["bbox"]),
                      .mask = MaskOf(entry),
                      .area = entry["area"],
                      .crowd = entry["iscrowd"] == 1});
  std::vector<Detection> detections;
  for (const json& entry : request["detections"])
    detections.push_back({.image = entry["image_id"],
                          .category = entry["category_id"],
                          .score = entry["score"],
                          .box = BoxOf(entry["bbox"]),
                          .mask = MaskOf(entry)});
  const auto scores =
      ScoreDetections(truths, detections,
                      request["masks"].get<bool>() ? DetectionShape::kMask : DetectionShape::kBox);
  if (!scores.ok()) return ErrorOf(scores.error());
  const DetectionScores& s = scores.value();
  json table = json::array();
  for (const DetectionScore& score :
       {s.ap, s.ap_50, s.ap_75, s.ap_small, s.ap_medium, s.ap_large, s.ar_1, s.ar_10, s.ar_100,
        s.ar_small, s.ar_medium, s.ar_large})
    table.push_back(Number(score));
  json categories = json::object();
  for (const auto& category : s.categories)
    categories[std::to_string(category.category)] = Number(category.ap);
  return {{"table", table}, {"categories", categories}};
}

json AgreementCase(const json& request) {
  AgreementOptions options;
  if (request["probabilities"].get<bool>()) options.kind = OutputKind::kProbabilities;
  options.k = request["k"];
  options.relative_floor = request["floor"];
  const auto result = CompareOutputs(Floats(request["reference"]), Floats(request["candidate"]),
                                     request["row"], options);
  if (!result.ok()) return ErrorOf(result.error());
  const Agreement& a = result.value();
  return {{"labels", a.label_agreement},
          {"overlap", a.top_k_overlap},
          {"max_absolute", a.max_absolute_error},
          {"mean_absolute", a.mean_absolute_error},
          {"max_relative", a.max_relative_error},
          {"mean_relative", a.mean_relative_error},
          {"cosine", a.cosine_similarity},
          {"mean_divergence", a.mean_divergence_nats},
          {"max_divergence", a.max_divergence_nats},
          {"divergence_rows", a.divergence_rows},
          {"same", a.non_finite_same},
          {"different", a.non_finite_different}};
}

json TextCase(const json& request) {
  json results = json::array();
  for (const auto& text : request["texts"].get<std::vector<std::string>>()) {
    json words = json::array();
    for (const std::string_view word : SplitWords(text)) words.push_back(word);
    results.push_back({Lowercase(text), words, NormaliseAnswer(text), Tokenize13a(text)});
  }
  return results;
}

json WordCharactersCase(const json& request) {
  json results = json::array();
  for (const json& character : request["characters"])
    results.push_back(IsWordCharacter(character.get<std::uint32_t>()) ? 1 : 0);
  return results;
}

json Answer(const json& request) {
  const std::string metric = request["metric"];
  if (metric == "topk") return TopKCase(request);
  if (metric == "f1") return F1Case(request);
  if (metric == "ranking") return RankingCase(request);
  if (metric == "answers") return AnswersCase(request);
  if (metric == "bleu") return BleuCase(request);
  if (metric == "detection") return DetectionCase(request);
  if (metric == "agreement") return AgreementCase(request);
  if (metric == "text") return TextCase(request);
  if (metric == "word_characters") return WordCharactersCase(request);
  return {{"error", "no such metric: " + metric}};
}

}  // namespace

int main() {
  try {
    const json requests = core::ParseJson(std::cin);
    if (!requests.is_array()) throw std::invalid_argument("stdin is not a JSON array");
    json results = json::array();
    for (const json& request : requests) results.push_back(Answer(request));
    std::cout << core::JsonText(results) << "\n";
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << "\n";
    return 3;
  }
}
