#ifndef XSP_WORKERS_TESTS_SAMPLE_MODEL_H_
#define XSP_WORKERS_TESTS_SAMPLE_MODEL_H_

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace xsp::workers_test {

/// Runs a program to its end, five minutes at most; whether it succeeded.
bool RunsWell(const std::vector<std::string>& command);

/// The first Python of this machine ($XSP_PYTHON, python3, .deps/*) that has all of `modules`;
/// empty when there is none.
std::string PythonWith(const std::vector<std::string>& modules);

/// zoo/NAME in `format`, made by its own make_FORMAT.py or by zoo/makers/FORMAT.py, once, and kept
/// in the build folder; empty when it cannot be made in it here.
std::filesystem::path ZooModel(const std::string& name, const std::string& format);

/// The model that a worker is tried on.
struct SampleModel {
  std::filesystem::path path;  ///< A file, a folder, or the first part of several files' names.
  nlohmann::json inputs;       ///< As in a job.
  bool of_zoo = false;         ///< zoo/tiny: every worker's results are the same.
  std::string why_none;        ///< Set when there is no model for this worker here.
};

/// The sample for the worker `name` that describes itself so: what workers/NAME/sample_job.json
/// names, where that file is; else zoo/tiny, in the first of the worker's formats that a maker in
/// zoo/makers makes with a Python of this machine. Made once and kept in the build folder.
SampleModel FindSample(const std::string& name, const nlohmann::json& description);

/// A copy of the sample in `folder`; the largest of its files is cut to `share` of its size.
std::filesystem::path CutCopy(const std::filesystem::path& model,
                              const std::filesystem::path& folder, double share);

}  // namespace xsp::workers_test

#endif  // XSP_WORKERS_TESTS_SAMPLE_MODEL_H_
