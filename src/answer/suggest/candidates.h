#ifndef XSP_ANSWER_SUGGEST_CANDIDATES_H_
#define XSP_ANSWER_SUGGEST_CANDIDATES_H_

#include <string>
#include <vector>

#include "answer/suggest/candidate.h"
#include "answer/suggest/stored_experiments.h"
#include "core/result.h"
#include "store/many_experiments.h"

namespace xsp::suggest {

struct CandidateReading {
  /// Each Identity once, in its order.
  std::vector<Candidate> candidates;
  std::vector<std::string> notes;  ///< What was left out, and why.
};

/// The done points of `experiments`, whose tables are `tables`, in the same order. Of several
/// measurements of one Identity the values are those of the best one: calls one after another on
/// synthetic inputs before data sets and load scenarios, an undisturbed machine before a disturbed
/// one, then the latest; a value that this one lacks is the next one's. Accuracy is that of the
/// model's file with the same backend, device and precision, at whatever batch size. `with_p99`:
/// also reads the samples. Errors: kInternal.
Result<CandidateReading> ReadCandidates(const std::vector<StoredExperiment>& experiments,
                                        store::ManyExperiments& tables, bool with_p99);

/// "AMD EPYC 7763 64-Core Processor, 2 cores", "NVIDIA H100 80GB HBM3": where a point of an
/// experiment ran. `device`: "cpu", "cuda:0".
std::string MachineOf(const StoredExperiment& experiment, const std::string& device,
                      std::optional<std::int64_t> cores);

}  // namespace xsp::suggest

#endif  // XSP_ANSWER_SUGGEST_CANDIDATES_H_
