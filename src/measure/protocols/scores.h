#ifndef XSP_MEASURE_PROTOCOLS_SCORES_H_
#define XSP_MEASURE_PROTOCOLS_SCORES_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/result.h"
#include "pipeline/datasets/dataset.h"

namespace xsp::protocols {

/// What became of one sample.
struct SampleResult {
  std::size_t position = 0;  ///< Among the samples that are taken.
  std::string name;
  nlohmann::json prediction;  ///< As pipeline::ToJson; null: there is none.
  std::string error;          ///< Why not.
};

/// Reads what a worker wrote down (docs/worker-protocol.md). A line that is damaged, as the last
/// one of a worker that was killed, is left out. Errors: as os::ReadFile.
Result<std::vector<SampleResult>> ReadPredictions(const std::filesystem::path& path);

/// The best of a prediction's classes; nothing: it has none.
std::optional<std::int64_t> BestClass(const SampleResult& result);

/// One number that says how good predictions are.
struct Score {
  std::string metric;           ///< "top_1", "ap_50", "bleu", ...: docs/accuracy.md.
  std::optional<double> value;  ///< Nothing: it is unknown, and `message` says why.
  std::int64_t samples = 0;     ///< That count.
  std::string message;
};

/// Scores predictions against what is right, as far as both say something of the same kind: classes
/// and labels, detections and objects, texts. `truths[position]` belongs to the sample at that
/// position; samples without a prediction are left out. Nothing to compare: no scores. Pure.
std::vector<Score> ScorePredictions(std::span<const SampleResult> results,
                                    std::span<const pipeline::GroundTruth> truths);

/// How far two sets of predictions for the same samples agree: `same_top_1` for classes,
/// `same_text` for texts. Samples that lack either prediction are left out. Pure.
std::vector<Score> ScoreAgreement(std::span<const SampleResult> results,
                                  std::span<const SampleResult> reference);

}  // namespace xsp::protocols

#endif  // XSP_MEASURE_PROTOCOLS_SCORES_H_
