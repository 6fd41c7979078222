#include "derive/accuracy/detection.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

namespace xsp::accuracy {
namespace {

// COCO's parameters (cocoeval.py, Params).
constexpr std::size_t kThresholds = 10, kRecalls = 101, kSizes = 4;
constexpr std::array<std::size_t, 3> kMostDetections = {1, 10, 100};
constexpr std::array<std::pair<double, double>, kSizes> kAreas = {
    {{0, 1e10}, {0, 1024}, {1024, 9216}, {9216, 1e10}}};
enum Size : std::size_t { kAll, kSmall, kMedium, kLarge };

// As numpy's linspace computes them: both ends decide which side of a threshold an IoU falls on.
double Threshold(std::size_t i) {
  return i + 1 == kThresholds ? 0.95 : 0.5 + static_cast<double>(i) * ((0.95 - 0.5) / 9);
}
double RecallPoint(std::size_t i) {
  return i + 1 == kRecalls ? 1 : static_cast<double>(i) * (1.0 / 100);
}

bool OutsideSize(double area, std::size_t size) {
  return area < kAreas[size].first || area > kAreas[size].second;
}

// Objects and detections of one image and category; detections by descending score.
struct Scene {
  std::vector<const GroundTruth*> truths;
  std::vector<const Detection*> detections;
};

// A detection after matching, at every threshold: one bit each.
struct Judged {
  double score = 0;
  std::size_t rank = 0;  // Within its image and category, from 0.
  std::uint16_t matched = 0;
  std::uint16_t ignored = 0;
};

// One category and size over all images.
struct Tally {
  std::size_t objects = 0;  // That are to be found.
  std::vector<Judged> detections;
};

double AreaOf(const Detection& detection, DetectionShape shape) {
  return shape == DetectionShape::kBox ? detection.box.Area()
                                       : static_cast<double>(core::MaskArea(detection.mask));
}

double Overlap(const Detection& detection, const GroundTruth& truth, DetectionShape shape) {
  const bool boxes = shape == DetectionShape::kBox;
  const double shared =
      boxes ? core::Intersection(detection.box.Corners(), truth.box.Corners())
            : static_cast<double>(core::MaskIntersection(detection.mask, truth.mask));
  if (shared <= 0) return 0;
  const double mine = AreaOf(detection, shape);
  if (truth.crowd) return shared / mine;
  return shared /
         (mine + (boxes ? truth.box.Area() : static_cast<double>(core::MaskArea(truth.mask))) -
          shared);
}

// Row-major, one row per detection.
std::vector<double> Overlaps(const Scene& scene, DetectionShape shape) {
  std::vector<double> overlaps;
  overlaps.reserve(scene.detections.size() * scene.truths.size());
  for (const Detection* detection : scene.detections)
    for (const GroundTruth* truth : scene.truths)
      overlaps.push_back(Overlap(*detection, *truth, shape));
  return overlaps;
}

// Matches the scene's detections at one threshold and sets their bits.
void MatchAt(const Scene& scene, const std::vector<double>& overlaps,
             const std::vector<std::size_t>& order, const std::vector<char>& ignored,
             std::size_t threshold, std::span<Judged> judged) {
  constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  const auto bit = static_cast<std::uint16_t>(1u << threshold);
  std::vector<char> taken(scene.truths.size(), 0);
  for (std::size_t d = 0; d < scene.detections.size(); ++d) {
    double best = std::min(Threshold(threshold), 1 - 1e-10);
    std::size_t match = kNone;
    for (const std::size_t g : order) {
      if (taken[g] != 0 && !scene.truths[g]->crowd) continue;
      if (match != kNone && ignored[match] == 0 && ignored[g] != 0) break;
      const double overlap = overlaps[d * scene.truths.size() + g];
      if (overlap < best) continue;
      best = overlap;
      match = g;
    }
    if (match == kNone) continue;
    taken[match] = 1;
    judged[d].matched |= bit;
    if (ignored[match] != 0) judged[d].ignored |= bit;
  }
}

void JudgeScene(const Scene& scene, const std::vector<double>& overlaps, DetectionShape shape,
                std::size_t size, Tally& tally) {
  std::vector<char> ignored;
  for (const GroundTruth* truth : scene.truths)
    ignored.push_back(truth->crowd || OutsideSize(truth->area, size));
  tally.objects += static_cast<std::size_t>(std::count(ignored.begin(), ignored.end(), 0));
  std::vector<std::size_t> order(scene.truths.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return ignored[a] < ignored[b]; });
  const std::size_t first = tally.detections.size();
  for (std::size_t d = 0; d < scene.detections.size(); ++d)
    tally.detections.push_back({.score = scene.detections[d]->score, .rank = d});
  const std::span<Judged> judged(tally.detections.begin() + static_cast<std::ptrdiff_t>(first),
                                 tally.detections.end());
  for (std::size_t t = 0; t < kThresholds; ++t) MatchAt(scene, overlaps, order, ignored, t, judged);
  for (std::size_t d = 0; d < judged.size(); ++d)
    if (OutsideSize(AreaOf(*scene.detections[d], shape), size))
      judged[d].ignored |= static_cast<std::uint16_t>(~judged[d].matched);
}

struct Curve {
  double precision_sum = 0;  // Over the 101 recalls.
  double recall = 0;         // The largest.
};

// The precision-recall curve of detections in descending order at one threshold.
Curve TraceCurve(const Tally& tally, std::size_t most, std::size_t threshold) {
  std::vector<double> precisions, recalls;
  double right = 0, wrong = 0;
  for (const Judged& detection : tally.detections) {
    if (detection.rank >= most) continue;
    if ((detection.ignored >> threshold & 1) == 0)
      ((detection.matched >> threshold & 1) != 0 ? right : wrong) += 1;
    recalls.push_back(right / static_cast<double>(tally.objects));
    precisions.push_back(right / (wrong + right + std::numeric_limits<double>::epsilon()));
  }
  Curve curve;
  if (recalls.empty()) return curve;
  curve.recall = recalls.back();
  for (std::size_t i = precisions.size() - 1; i > 0; --i)
    precisions[i - 1] = std::max(precisions[i - 1], precisions[i]);
  std::size_t at = 0;
  for (std::size_t i = 0; i < kRecalls; ++i) {
    while (at < recalls.size() && recalls[at] < RecallPoint(i)) ++at;
    if (at == recalls.size()) break;
    curve.precision_sum += precisions[at];
  }
  return curve;
}

// Means over the categories that have objects of a size.
struct Summary {
  std::array<double, kSizes> ap{};
  double ap_50 = 0, ap_75 = 0;
  std::array<double, kMostDetections.size()> ar{};
  std::array<double, kSizes> ar_100{};
  std::array<double, kSizes> categories{};
};

// Adds one category and size; returns its AP.
DetectionScore AddCategory(std::size_t size, Tally& tally, Summary& summary) {
  if (tally.objects == 0) return std::nullopt;
  std::stable_sort(tally.detections.begin(), tally.detections.end(),
                   [](const Judged& a, const Judged& b) { return a.score > b.score; });
  double precision = 0, recall = 0;
  std::array<double, kMostDetections.size()> recalls{};
  for (std::size_t t = 0; t < kThresholds; ++t) {
    const Curve curve = TraceCurve(tally, kMostDetections.back(), t);
    precision += curve.precision_sum;
    recall += curve.recall;
    if (size != kAll) continue;
    if (t == 0) summary.ap_50 += curve.precision_sum / kRecalls;
    if (t == 5) summary.ap_75 += curve.precision_sum / kRecalls;
    for (std::size_t m = 0; m < kMostDetections.size(); ++m)
      recalls[m] += TraceCurve(tally, kMostDetections[m], t).recall;
  }
  const double ap = precision / (kRecalls * kThresholds);
  summary.ap[size] += ap;
  summary.ar_100[size] += recall / kThresholds;
  for (std::size_t m = 0; m < recalls.size(); ++m) summary.ar[m] += recalls[m] / kThresholds;
  summary.categories[size] += 1;
  return ap;
}

Status CheckBox(const core::CocoBox& box, std::string_view what, std::int64_t image) {
  for (const double value : {box.x, box.y, box.width, box.height})
    if (!std::isfinite(value))
      return Error{ErrorKind::kBadInput,
                   fmt::format("the box of {} is not finite: image {}", what, image),
                   "leave out what has no place in the image"};
  if (box.width < 0 || box.height < 0)
    return Error{ErrorKind::kBadInput,
                 fmt::format("the box of {} has a negative size: {} x {} in image {}", what,
                             box.width, box.height, image),
                 "boxes are x, y, width and height, not two corners"};
  return Ok{};
}

Status CheckInputs(std::span<const GroundTruth> truths, std::span<const Detection> detections,
                   DetectionShape shape) {
  std::map<std::int64_t, const core::Mask*> masks;
  const auto check = [&](const auto& entry, std::string_view what) -> Status {
    if (shape == DetectionShape::kBox) return CheckBox(entry.box, what, entry.image);
    const core::Mask& mask = entry.mask;
    if (mask.runs.empty())
      return Error{ErrorKind::kBadInput, fmt::format("{} has no mask: image {}", what, entry.image),
                   "compare boxes, or give every object and detection a mask"};
    const core::Mask& other = *masks.emplace(entry.image, &mask).first->second;
    if (mask.height != other.height || mask.width != other.width)
      return Error{ErrorKind::kBadInput,
                   fmt::format("masks of one image differ in size: {} x {} and {} x {} in image {}",
                               mask.height, mask.width, other.height, other.width, entry.image),
                   "give every object and detection a mask of the image's size"};
    return Ok{};
  };
  for (const GroundTruth& truth : truths) {
    if (!std::isfinite(truth.area) || truth.area < 0)
      return Error{
          ErrorKind::kBadInput,
          fmt::format("an object's area is no size: {} in image {}", truth.area, truth.image),
          "give its area in square pixels"};
    XSP_RETURN_IF_ERROR(check(truth, "an object"));
  }
  for (const Detection& detection : detections) {
    if (!std::isfinite(detection.score))
      return Error{ErrorKind::kBadInput,
                   fmt::format("a detection's score is not finite: {} in image {}", detection.score,
                               detection.image),
                   "check the model's output for NaN"};
    XSP_RETURN_IF_ERROR(check(detection, "a detection"));
  }
  return Ok{};
}

using Scenes = std::map<std::int64_t, std::map<std::int64_t, Scene>>;  // Category, image.

Scenes Arrange(std::span<const GroundTruth> truths, std::span<const Detection> detections) {
  Scenes scenes;
  for (const GroundTruth& truth : truths)
    scenes[truth.category][truth.image].truths.push_back(&truth);
  for (const Detection& detection : detections) {
    const auto category = scenes.find(detection.category);
    if (category != scenes.end())
      category->second[detection.image].detections.push_back(&detection);
  }
  for (auto& [category, images] : scenes) {
    for (auto& [image, scene] : images) {
      auto& sorted = scene.detections;
      std::stable_sort(sorted.begin(), sorted.end(),
                       [](const Detection* a, const Detection* b) { return a->score > b->score; });
      sorted.resize(std::min(sorted.size(), kMostDetections.back()));
    }
  }
  return scenes;
}

void Fill(const Summary& summary, DetectionScores& scores) {
  const auto mean = [&](double sum, std::size_t size) -> DetectionScore {
    if (summary.categories[size] == 0) return std::nullopt;
    return sum / summary.categories[size];
  };
  scores.ap = mean(summary.ap[kAll], kAll);
  scores.ap_50 = mean(summary.ap_50, kAll);
  scores.ap_75 = mean(summary.ap_75, kAll);
  scores.ap_small = mean(summary.ap[kSmall], kSmall);
  scores.ap_medium = mean(summary.ap[kMedium], kMedium);
  scores.ap_large = mean(summary.ap[kLarge], kLarge);
  scores.ar_1 = mean(summary.ar[0], kAll);
  scores.ar_10 = mean(summary.ar[1], kAll);
  scores.ar_100 = mean(summary.ar_100[kAll], kAll);
  scores.ar_small = mean(summary.ar_100[kSmall], kSmall);
  scores.ar_medium = mean(summary.ar_100[kMedium], kMedium);
  scores.ar_large = mean(summary.ar_100[kLarge], kLarge);
}

}  // namespace

Result<DetectionScores> ScoreDetections(std::span<const GroundTruth> truths,
                                        std::span<const Detection> detections,
                                        DetectionShape shape) {
  XSP_RETURN_IF_ERROR(CheckInputs(truths, detections, shape));
  DetectionScores scores;
  Summary summary;
  for (const auto& [category, images] : Arrange(truths, detections)) {
    std::array<Tally, kSizes> tallies;
    for (const auto& [image, scene] : images) {
      const std::vector<double> overlaps = Overlaps(scene, shape);
      for (std::size_t size = 0; size < kSizes; ++size)
        JudgeScene(scene, overlaps, shape, size, tallies[size]);
    }
    scores.categories.push_back({.category = category, .ap = {}});
    for (std::size_t size = 0; size < kSizes; ++size) {
      const DetectionScore ap = AddCategory(size, tallies[size], summary);
      if (size == kAll) scores.categories.back().ap = ap;
    }
  }
  Fill(summary, scores);
  return scores;
}

}  // namespace xsp::accuracy
