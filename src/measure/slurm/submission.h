#ifndef XSP_MEASURE_SLURM_SUBMISSION_H_
#define XSP_MEASURE_SLURM_SUBMISSION_H_

#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace xsp::slurm {

/// A point as a submission has it.
struct SubmittedPoint {
  std::size_t index = 0;   ///< Among the points of the submitted sweep file.
  std::string name;        ///< As sweeps::Point has it.
  nlohmann::json request;  ///< Of the operation `run`: what else of the same name is another point.
};

/// A job array of a sweep: what its tasks measure, in the order of their indices.
struct Submission {
  std::filesystem::path folder;  ///< Of job.json, the copy of the sweep's file, script and logs.
  std::string sweep;             ///< Its name.
  std::filesystem::path file;    ///< The sweep's file: paths in it are relative to its folder.
  std::string machine;           ///< Name of the constraint; empty: any machine.
  bool again = false;            ///< Its tasks measure what the store has, too.
  std::vector<SubmittedPoint> points;
};

/// How to choose another place for the jobs' files: for hints of errors.
inline constexpr std::string_view kOtherStore = "choose another store with --store (or XSP_STORE)";

/// The folder of a sweep's submissions in a store. Hidden, so that no reader takes it for an
/// experiment.
std::filesystem::path SubmissionsFolder(const std::filesystem::path& store,
                                        const std::string& sweep);

/// Writes job.json and the copy `text` of the sweep's file. The folder exists. Errors:
/// kEnvironment.
Status WriteSubmission(const Submission& submission, const std::string& text);

/// Reads what WriteSubmission wrote. `description`: its job.json. Errors: kBadInput.
Result<Submission> ReadSubmission(const std::filesystem::path& description);

/// Those of a sweep, oldest first. What cannot be read is left out.
std::vector<Submission> ReadSubmissions(const std::filesystem::path& store,
                                        const std::string& sweep);

/// A new folder for the jobs of one call: "STORE/.slurm-jobs/3". Errors: kEnvironment.
Result<std::filesystem::path> MakeJobFolder(const std::filesystem::path& store);

/// A new folder for a submission, numbered: "STORE/.sweep-jobs/study/3". Errors: kEnvironment.
Result<std::filesystem::path> MakeSubmissionFolder(const std::filesystem::path& store,
                                                   const std::string& sweep);

}  // namespace xsp::slurm

#endif  // XSP_MEASURE_SLURM_SUBMISSION_H_
