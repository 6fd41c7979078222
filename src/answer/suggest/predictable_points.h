#ifndef XSP_ANSWER_SUGGEST_PREDICTABLE_POINTS_H_
#define XSP_ANSWER_SUGGEST_PREDICTABLE_POINTS_H_

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "answer/suggest/candidate.h"
#include "answer/suggest/prediction.h"
#include "answer/suggest/stored_experiments.h"
#include "core/result.h"
#include "store/many_experiments.h"

namespace xsp::suggest {

/// For each of `candidates` its kernels and the roofs of its machine: those of the data sheet if
/// there is one, like those of the machine that is predicted, else the measured ones. Nothing for a
/// candidate without kernels or roofs. `experiments` and `tables` are those that `candidates` were
/// read from. Errors: kInternal.
Result<std::vector<std::optional<PredictablePoint>>> ReadPredictablePoints(
    const std::vector<StoredExperiment>& experiments, store::ManyExperiments& tables,
    const std::vector<Candidate>& candidates);

/// The roofs of a device or a CPU (all cores of one) by its data sheet, found by `name` as
/// roofs::DataSheetRoofs and roofs::CpuDataSheet do. Errors: kUsage for one without a data sheet,
/// with the nearest names; kEnvironment for a damaged table.
Result<PeakRates> FindPredictedMachine(std::string_view name);

/// Adds to `candidates` those that can be predicted on `machine`. Candidates that were measured
/// there, by data sheets of the same name, are not. Says in `notes` how many cannot be predicted.
void AddPredictions(const std::vector<std::optional<PredictablePoint>>& points,
                    const PeakRates& machine, std::vector<Candidate>& candidates,
                    std::vector<std::string>& notes);

}  // namespace xsp::suggest

#endif  // XSP_ANSWER_SUGGEST_PREDICTABLE_POINTS_H_
