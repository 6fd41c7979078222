#include "measure/protocols/scores.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <utility>

#include "core/json_text.h"
#include "core/mask.h"
#include "derive/accuracy/answers.h"
#include "derive/accuracy/bleu.h"
#include "derive/accuracy/classification.h"
#include "derive/accuracy/detection.h"
#include "os/files.h"

namespace xsp::protocols {

using nlohmann::json;

namespace {

constexpr std::uint64_t kMostPredictionBytes = std::uint64_t{4} << 30;
constexpr std::size_t kTopK = 5;

/// A list in a prediction; nothing where no step made one.
const json* PartOf(const SampleResult& result, const char* part) {
  if (!result.prediction.is_object()) return nullptr;
  const auto it = result.prediction.find(part);
  return it == result.prediction.end() ? nullptr : &*it;
}

std::vector<std::int64_t> RankedClasses(const json& classes) {
  std::vector<std::int64_t> ranked;
  for (const json& entry : classes) ranked.push_back(entry.value("index", std::int64_t{-1}));
  return ranked;
}

Score Made(std::string metric, std::int64_t samples, const Result<double>& value) {
  Score score{std::move(metric), std::nullopt, samples, ""};
  if (value.ok()) {
    score.value = value.value();
  } else {
    score.message = value.error().what;
  }
  return score;
}

void ScoreLabels(std::span<const SampleResult> results,
                 std::span<const pipeline::GroundTruth> truths, std::vector<Score>& scores) {
  std::vector<std::vector<std::int64_t>> ranked;
  std::vector<std::int64_t> labels, best;
  std::size_t fewest = kTopK;
  for (const SampleResult& result : results) {
    const json* classes = PartOf(result, "classes");
    if (classes == nullptr || classes->empty() || !truths[result.position].label) continue;
    ranked.push_back(RankedClasses(*classes));
    fewest = std::min(fewest, ranked.back().size());
    labels.push_back(*truths[result.position].label);
    best.push_back(ranked.back().front());
  }
  if (labels.empty()) return;
  const auto samples = static_cast<std::int64_t>(labels.size());
  scores.push_back(Made("top_1", samples, accuracy::TopKAccuracy(ranked, labels, 1)));
  if (fewest == kTopK)
    scores.push_back(Made("top_5", samples, accuracy::TopKAccuracy(ranked, labels, kTopK)));
  if (const auto f1 = accuracy::ScoreClasses(labels, best); f1.ok())
    scores.push_back({"macro_f1", f1.value().macro_f1, samples, ""});
}

/// COCO's run lengths, as a list or as text. Errors: anything else.
Result<core::Mask> MaskOf(const json& segmentation) {
  const json size = segmentation.is_object() ? segmentation.value("size", json()) : json();
  const json counts = segmentation.is_object() ? segmentation.value("counts", json()) : json();
  if (size.size() != 2 || !(counts.is_array() || counts.is_string()))
    return Error{ErrorKind::kBadInput,
                 "masks are scored from run lengths, which an object lacks (polygons are not read)",
                 ""};
  const auto height = size[0].get<std::uint32_t>();
  const auto width = size[1].get<std::uint32_t>();
  if (counts.is_string())
    return core::MaskFromText(height, width, counts.get_ref<const std::string&>());
  return core::MaskFromRuns(height, width, counts.get<std::vector<std::uint32_t>>());
}

struct Objects {
  std::vector<accuracy::GroundTruth> truths;
  std::vector<accuracy::Detection> detections;
  std::int64_t samples = 0;
  bool masks = false;  ///< A prediction has one.
};

/// Detections and objects of the samples that have both. Errors: of masks alone.
Status Collect(std::span<const SampleResult> results, std::span<const pipeline::GroundTruth> truths,
               bool with_masks, Objects& objects) {
  for (const SampleResult& result : results) {
    const json* detections = PartOf(result, "detections");
    const pipeline::GroundTruth& truth = truths[result.position];
    if (detections == nullptr || !truth.has_objects) continue;
    ++objects.samples;
    const auto image = static_cast<std::int64_t>(result.position);
    for (const pipeline::TruthObject& object : truth.objects) {
      accuracy::GroundTruth wanted{image, object.category, object.box,
                                   {},    object.area,     object.crowd};
      if (with_masks) {
        XSP_TRY(wanted.mask, MaskOf(core::ParseJson(object.segmentation)));
      }
      objects.truths.push_back(std::move(wanted));
    }
    for (const json& entry : *detections) {
      const auto box = entry.value("box", std::array<double, 4>{});
      const bool scored = entry.contains("score") && entry["score"].is_number();
      accuracy::Detection found{image,
                                entry.value("index", std::int64_t{-1}),
                                scored ? entry["score"].get<double>() : 0,
                                {box[0], box[1], box[2] - box[0], box[3] - box[1]},
                                {}};
      objects.masks |= entry.contains("mask");
      if (with_masks) {
        XSP_TRY(found.mask, MaskOf(entry.value("mask", json())));
      }
      objects.detections.push_back(std::move(found));
    }
  }
  return Ok{};
}

void AddDetectionScores(const Objects& objects, accuracy::DetectionShape shape,
                        const std::string& suffix, std::vector<Score>& scores) {
  const auto scored = accuracy::ScoreDetections(objects.truths, objects.detections, shape);
  if (!scored.ok()) {
    scores.push_back({"ap" + suffix, std::nullopt, objects.samples, scored.error().what});
    return;
  }
  const accuracy::DetectionScores& all = scored.value();
  for (const auto& [metric, value] : {std::pair{"ap", all.ap},
                                      {"ap_50", all.ap_50},
                                      {"ap_75", all.ap_75},
                                      {"ap_small", all.ap_small},
                                      {"ap_medium", all.ap_medium},
                                      {"ap_large", all.ap_large},
                                      {"ar_100", all.ar_100}}) {
    scores.push_back(
        {metric + suffix, value, objects.samples, value ? "" : "there is no such object to find"});
  }
}

void ScoreObjects(std::span<const SampleResult> results,
                  std::span<const pipeline::GroundTruth> truths, std::vector<Score>& scores) {
  Objects boxes;
  (void)Collect(results, truths, false, boxes);  // Only masks can be wrong.
  if (boxes.samples == 0) return;
  AddDetectionScores(boxes, accuracy::DetectionShape::kBox, "", scores);
  if (!boxes.masks) return;
  Objects masks;
  if (const Status status = Collect(results, truths, true, masks); !status.ok()) {
    scores.push_back({"ap_mask", std::nullopt, boxes.samples, status.error().what});
    return;
  }
  AddDetectionScores(masks, accuracy::DetectionShape::kMask, "_mask", scores);
}

void ScoreTexts(std::span<const SampleResult> results,
                std::span<const pipeline::GroundTruth> truths, std::vector<Score>& scores) {
  std::vector<std::string> texts;
  std::vector<std::vector<std::string>> references;
  for (const SampleResult& result : results) {
    const json* text = PartOf(result, "text");
    if (text == nullptr || !truths[result.position].text) continue;
    texts.push_back(text->get<std::string>());
    references.push_back({*truths[result.position].text});
  }
  if (texts.empty()) return;
  const auto samples = static_cast<std::int64_t>(texts.size());
  if (const auto bleu = accuracy::CorpusBleu(texts, references); bleu.ok())
    scores.push_back({"bleu", bleu.value().score, samples, ""});
  if (const auto answers = accuracy::ScoreAnswers(texts, references); answers.ok()) {
    scores.push_back({"exact_match", answers.value().exact_match, samples, ""});
    scores.push_back({"answer_f1", answers.value().f1, samples, ""});
  }
}

}  // namespace

Result<std::vector<SampleResult>> ReadPredictions(const std::filesystem::path& path) {
  XSP_TRY(const std::string text, os::ReadFile(path, kMostPredictionBytes));
  std::vector<SampleResult> results;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const json line = core::ParseJson(std::string_view(text).substr(at, end - at));
    at = end + 1;
    if (!line.is_object() || !line.contains("position")) continue;
    results.push_back({line["position"].get<std::size_t>(), line.value("sample", ""),
                       line.value("prediction", json()), line.value("error", "")});
  }
  return results;
}

std::optional<std::int64_t> BestClass(const SampleResult& result) {
  const json* classes = PartOf(result, "classes");
  if (classes == nullptr || classes->empty()) return std::nullopt;
  return RankedClasses(*classes).front();
}

std::vector<Score> ScorePredictions(std::span<const SampleResult> results,
                                    std::span<const pipeline::GroundTruth> truths) {
  std::vector<Score> scores;
  ScoreLabels(results, truths, scores);
  ScoreObjects(results, truths, scores);
  ScoreTexts(results, truths, scores);
  return scores;
}

std::vector<Score> ScoreAgreement(std::span<const SampleResult> results,
                                  std::span<const SampleResult> reference) {
  std::map<std::size_t, const SampleResult*> by_position;
  for (const SampleResult& result : reference) by_position[result.position] = &result;
  std::int64_t classes = 0, same_class = 0, texts = 0, same_text = 0;
  for (const SampleResult& result : results) {
    const auto other = by_position.find(result.position);
    if (other == by_position.end()) continue;
    const auto best = BestClass(result), other_best = BestClass(*other->second);
    if (best && other_best) {
      ++classes;
      same_class += best == other_best ? 1 : 0;
    }
    const json *mine = PartOf(result, "text"), *theirs = PartOf(*other->second, "text");
    if (mine != nullptr && theirs != nullptr) {
      ++texts;
      same_text += *mine == *theirs ? 1 : 0;
    }
  }
  const auto share = [](std::int64_t part, std::int64_t whole) {
    return static_cast<double>(part) / static_cast<double>(whole);
  };
  std::vector<Score> scores;
  if (classes > 0) scores.push_back({"same_top_1", share(same_class, classes), classes, ""});
  if (texts > 0) scores.push_back({"same_text", share(same_text, texts), texts, ""});
  return scores;
}

}  // namespace xsp::protocols
