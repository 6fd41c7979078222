#ifndef XSP_DERIVE_ACCURACY_DETECTION_H_
#define XSP_DERIVE_ACCURACY_DETECTION_H_

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/box.h"
#include "core/mask.h"
#include "core/result.h"

namespace xsp::accuracy {

/// One annotated object, or a crowd of them.
struct GroundTruth {
  std::int64_t image = 0;
  std::int64_t category = 0;
  core::CocoBox box;
  core::Mask mask;  ///< Needed only where masks are compared.
  /// The annotation's `area` in square pixels, which decides small, medium or large. COCO's is that
  /// of the outline, not of the box.
  double area = 0;
  bool crowd = false;  ///< Detections in it are neither right nor wrong.
};

struct Detection {
  std::int64_t image = 0;
  std::int64_t category = 0;
  double score = 0;  ///< Finite.
  core::CocoBox box;
  core::Mask mask;  ///< Needed only where masks are compared.
};

enum class DetectionShape { kBox, kMask };

/// 0 ... 1; empty where there is no object to find (COCO's script prints -1).
using DetectionScore = std::optional<double>;

/// The twelve numbers of COCO's table. AP: mean precision at 101 recalls, over IoU thresholds 0.50,
/// 0.55, ... 0.95 and categories. AR: largest recall with at most 1, 10 or 100 detections an image
/// and category, over the same.
struct DetectionScores {
  DetectionScore ap, ap_50, ap_75;
  DetectionScore ap_small, ap_medium, ap_large;  ///< Areas to 32^2, to 96^2 and above, in pixels.
  DetectionScore ar_1, ar_10, ar_100;
  DetectionScore ar_small, ar_medium, ar_large;

  struct Category {
    std::int64_t category = 0;
    DetectionScore ap;  ///< As `ap`, of this category alone.
  };
  std::vector<Category> categories;  ///< Ascending.
};

/// COCO's evaluation (Lin et al. 2014, "Microsoft COCO"; rules: cocodataset.org/#detection-eval and
/// cocoapi, PythonAPI/pycocotools/cocoeval.py), with its default parameters:
/// - within image and category, detections by descending score (ties: in the given order), the
///   first 100 only; each takes the free object of highest IoU at or above the threshold (ties: the
///   last one), real objects before ignored ones;
/// - ignored are crowds and objects outside the size range. What matches one is neither right nor
///   wrong, nor is an unmatched detection outside the size range. A crowd matches any number of
///   detections, with the overlap over the detection's own area;
/// - images by ascending number; categories are those that occur in `truths`: others have no score.
///
/// A detection's size is its box's or its mask's area. Errors: a score or box that is not finite, a
/// negative size, masks of one image that differ in size. No truths and no detections are no error:
/// every score is empty. Pure; any thread. Memory: IoUs of one image and category at a time.
Result<DetectionScores> ScoreDetections(std::span<const GroundTruth> truths,
                                        std::span<const Detection> detections,
                                        DetectionShape shape = DetectionShape::kBox);

}  // namespace xsp::accuracy

#endif  // XSP_DERIVE_ACCURACY_DETECTION_H_
