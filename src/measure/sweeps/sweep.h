#ifndef XSP_MEASURE_SWEEPS_SWEEP_H_
#define XSP_MEASURE_SWEEPS_SWEEP_H_

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace xsp::sweeps {

/// An option of `xsp run` and its values: with several, the points of a sweep have each of them.
struct Setting {
  std::string name;  ///< As the request of `run` names it: "threads".
  std::vector<nlohmann::json> values;
};

/// Machines that points are for. What is empty or 0 is not asked for.
struct MachineConstraint {
  std::string name;          ///< As people call it: "h100".
  std::string architecture;  ///< As `uname -m` prints it: "x86_64".
  std::string device;        ///< A part of the name of its processor or of one of its GPUs.
  double memory_gb = 0;      ///< It has at least so much, in 10^9 bytes.
  std::vector<std::string> features;    ///< Instruction sets that it has: "avx512f".
  std::vector<std::string> slurm = {};  ///< Options of sbatch for its jobs: "partition=gpu".
};

/// Points that are not measured: those that have all of these values, by axis ("model", "backend",
/// "batch", "precision", "machine") or setting.
using Exclusion = std::map<std::string, nlohmann::json>;

/// What a sweep measures: the product of its lists (docs/sweeps.md).
struct Sweep {
  std::string name;                   ///< A tag key: letters, digits, `.`, `_` and `-`.
  std::vector<std::string> models;    ///< Files with their path, or names of the zoo. Not empty.
  std::vector<std::string> backends;  ///< Empty: each model's own.
  std::vector<std::int64_t> batches = {1};            ///< Not empty.
  std::vector<std::string> precisions = {"default"};  ///< Not empty.
  std::vector<MachineConstraint> machines;            ///< Empty: any machine.
  std::vector<Setting> settings;                      ///< In the order of the file.
  /// Fields of the request of `run` that say what is done with each point instead of the rungs:
  /// those of a scenario or of a data set. An object.
  nlohmann::json load = nlohmann::json::object();
  std::vector<Exclusion> exclude;
};

/// One thing to measure.
struct Point {
  std::string name;  ///< Unlike that of every other point of its sweep: "resnet50-torch-b8".
  std::string model, backend, precision;
  std::int64_t batch = 1;
  std::string machine;  ///< Name of a constraint; empty: any machine.
  nlohmann::json settings = nlohmann::json::object();  ///< Value by name.
};

/// More points are refused: a sweep of as many is a mistake.
inline constexpr std::size_t kMostPoints = 100'000;

/// Reads a sweep. `settings` are the names that may stand under its key `settings`. Paths of models
/// and data sets are relative to the folder of `file`, whose stem is the name of a sweep without
/// one. Errors: kBadInput, naming everything that is wrong with its line and column.
Result<Sweep> ParseSweep(std::string_view text, const std::filesystem::path& file,
                         std::span<const std::string> settings);

/// The same of a file. Errors: as os::ReadFile, too.
Result<Sweep> ReadSweep(const std::filesystem::path& file, std::span<const std::string> settings);

/// The points: models outermost, then backends, precisions, settings, machines, and batches
/// innermost. Errors: kBadInput (more than kMostPoints; an exclusion that excludes none; none is
/// left).
Result<std::vector<Point>> PointsOf(const Sweep& sweep);

/// The request of the operation `run` that measures a point, without a name.
nlohmann::json RunRequestOf(const Sweep& sweep, const Point& point);

}  // namespace xsp::sweeps

#endif  // XSP_MEASURE_SWEEPS_SWEEP_H_
