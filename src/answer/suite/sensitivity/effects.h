#ifndef XSP_ANSWER_SUITE_SENSITIVITY_EFFECTS_H_
#define XSP_ANSWER_SUITE_SENSITIVITY_EFFECTS_H_

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "answer/suite/answer.h"
#include "answer/suite/sensitivity/variants.h"
#include "core/result.h"

namespace xsp::suite::sensitivity {

/// How many of one kind, and what they take of a model call.
struct Part {
  std::int64_t count = 0;
  double time_ns = 0;
};

/// What one variant's experiment says of its first point.
struct Measured {
  /// Of model calls without profiling, by round; undisturbed ones where 5 are. A round is a process
  /// of its own; empty: it was not measured.
  std::vector<std::vector<double>> rounds_ns;
  bool disturbed = false;        ///< Of some round fewer than 5 were undisturbed: all are there.
  std::string precision, graph;  ///< As they ran.
  std::int64_t threads = 0;      ///< 0: not known.
  /// Nothing: no run that shows them is done. Zero is what was seen.
  std::optional<Part> layers, kernels;
  /// By ("layer" or "kernel", type); only of what is known.
  std::map<std::pair<std::string, std::string>, Part> types;
  /// Rungs of the first round that are not done, each with the reason: "kernel: no such counter".
  std::vector<std::string> failures;
};

/// Reads an experiment of `xsp run`. Errors: as Database::Open(); kBadInput where no model call was
/// measured.
Result<Measured> ReadMeasured(const std::filesystem::path& experiment);

/// Reads the calls of a further round from its experiment, which has a rung `model`, to the end of
/// `measured->rounds_ns`. Errors: likewise, and nothing is added.
Status ReadRound(const std::filesystem::path& experiment, Measured* measured);

/// How many times as fast one is as another.
struct Speedup {
  double times;      ///< Geometric mean over the rounds that both have; NaN without one.
  double low, high;  ///< 95 %.
  int rounds;        ///< That both have.
};

/// Of `base` over `measured`. A round's ratio is that of its trimmed means, so that what slows the
/// machine for longer than a round is in both. The interval is Student's of the logarithms of the
/// rounds' ratios, which also holds how far processes that do the same differ; NaN with one round.
Speedup SpeedupOf(const Measured& base, const Measured& measured);

/// The worst over a model's outputs; kMissing where it is not known.
struct OutputAgreement {
  double label_agreement = 1;     ///< Share of rows with the same largest entry.
  double max_absolute_error = 0;  ///< kMissing with values that are not finite in one only.
  double cosine_similarity = 1;   ///< Likewise.
  std::int64_t non_finite = 0;    ///< Values that are infinite or NaN in one only.
  std::string message;            ///< Not empty: the outputs could not all be compared, and why.
};

/// Of the results that two experiments kept (xsp run --keep-outputs, the folder of a point).
OutputAgreement CompareKept(const std::filesystem::path& reference,
                            const std::filesystem::path& candidate);

/// One variant with what came of it.
struct Effect {
  Variant variant;
  Measured measured;
  OutputAgreement agreement;  ///< Against the first variant of all.
  std::string experiment;
};

/// Tables `variants`, `changes` (types of layers and kernels whose count or time differs from the
/// backend's default, largest difference first, `most_changes` a variant) and `impossible`,
/// charts, sentences. Speed-up: SpeedupOf() the default of the same backend and the variant; for
/// defaults against the first variant. `effects` has
/// the first variant at least, and each backend's default before its others (a backend whose
/// default failed has none). Layers or kernels that are not known of both are compared in nothing.
Answer Summarise(const std::vector<Effect>& effects, const std::vector<Impossible>& impossible,
                 std::size_t most_changes = 6);

}  // namespace xsp::suite::sensitivity

#endif  // XSP_ANSWER_SUITE_SENSITIVITY_EFFECTS_H_
