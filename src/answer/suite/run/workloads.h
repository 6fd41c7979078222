#ifndef XSP_ANSWER_SUITE_RUN_WORKLOADS_H_
#define XSP_ANSWER_SUITE_RUN_WORKLOADS_H_

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "answer/suite/answer.h"
#include "core/result.h"

namespace xsp::suite::run {

/// One thing to measure.
struct Workload {
  std::string name;        ///< "resnet50", "train_resnet18"
  std::string kind;        ///< inference, kernel, training
  std::string operation;   ///< run or record
  nlohmann::json request;  ///< Of it, without a name for the experiment.
  double expected_s = 0;   ///< A first guess, corrected by what was measured.

  bool IsProgram() const { return operation == "record"; }
};

struct Selection {
  bool quick = false;              ///< A few small ones, few calls.
  std::vector<std::string> kinds;  ///< Empty: all.
  std::vector<std::string> names;  ///< Only these; empty: all.
  std::vector<std::string> backends;
  std::vector<std::int64_t> batches = {1};
  int iterations = 30;
  std::string python = "python3";
};

/// The zoo's models (what the operation zoo/list answers), then its training programs (the
/// scripts of `training` that begin with "#!", each with --steps). Small ones first, so that an
/// interrupted suite has many.
std::vector<Workload> WorkloadsOf(const Selection& selection, const nlohmann::json& zoo,
                                  const std::filesystem::path& training);

/// How one workload fared.
struct Outcome {
  Workload workload;
  std::string status;      ///< measured, kept (from an earlier call), failed
  double seconds = 0;      ///< That measuring took; 0: kept.
  std::string experiment;  ///< In the store.
  /// failed: the reason; measured: what of it failed; kept: how it differs from what is asked for.
  std::string why;
  ErrorKind failure = ErrorKind::kEnvironment;  ///< Whose fault it is, where something failed.
};

/// Seconds that are left for `left`, from their guesses times how wrong the guesses of `done` were.
double SecondsLeft(const std::vector<Outcome>& done, const std::vector<Workload>& left);

/// Table `workloads`, sentences; incomplete where something failed, as the first of them.
Answer Summarise(const std::vector<Outcome>& outcomes);

}  // namespace xsp::suite::run

#endif  // XSP_ANSWER_SUITE_RUN_WORKLOADS_H_
