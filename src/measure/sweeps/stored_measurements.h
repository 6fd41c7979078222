#ifndef XSP_MEASURE_SWEEPS_STORED_MEASUREMENTS_H_
#define XSP_MEASURE_SWEEPS_STORED_MEASUREMENTS_H_

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "capture/collect/collector.h"
#include "core/result.h"

namespace xsp::sweeps {

/// What decides whether two measurements are of the same thing, without the machine.
struct Subject {
  std::string model;         ///< As people call it.
  std::string model_sha256;  ///< Of its bytes; empty: not known, as they are not made yet.
  nlohmann::json inputs;     ///< Of the model, as its manifest describes them; null: not known.
  std::string worker;        ///< "torch"; empty: not known.
  std::string framework;     ///< With its version: "PyTorch 2.15.0".
  std::vector<std::int64_t> batches;
  /// `request` of experiment.json without what is above, names and places.
  nlohmann::json settings;
};

/// `request` of experiment.json as Subject::settings has it.
nlohmann::json SettingsOf(nlohmann::json request);

/// An experiment of one backend that `xsp run` or a sweep has stored.
struct StoredMeasurement {
  std::string experiment;  ///< Its name in the store.
  std::filesystem::path path;
  std::string created;  ///< RFC 3339, UTC.
  std::string status;   ///< done, partial or interrupted
  Subject subject;
  double seconds = 0;  ///< That measuring all its batch sizes took, loading included; 0: not known.
  std::vector<Error> failures;  ///< Why parts of it failed.
  std::map<std::string, std::string> tags;
};

/// Nothing: what is in the folder `path` is no measurement of one backend, or not of this version's
/// form, or cannot be read.
std::optional<StoredMeasurement> ReadMeasurement(const std::filesystem::path& path);

/// Where a subject was measured before.
struct StoredMatch {
  const StoredMeasurement* measurement = nullptr;  ///< Null: nowhere.
  /// The newest one that is of the same subject and does not count: with another stack, or
  /// interrupted. Null: none.
  const StoredMeasurement* other = nullptr;
  std::string why_not;  ///< Of `other`: "interrupted", "another stack: system.kernel".
  /// The interrupted ones with the same stack, newest first; without those that are older than a
  /// complete measurement.
  std::vector<const StoredMeasurement*> interrupted;
};

/// The measurements of a store. One thread.
class StoredMeasurements {
 public:
  explicit StoredMeasurements(std::filesystem::path store) : store_(std::move(store)) {}

  /// By what it shows that an experiment is still the one that was read: another may have got its
  /// name, and a changed file is another one (it is renamed into place).
  struct FileState {
    std::uint64_t inode = 0;  ///< Of experiment.json.
    std::int64_t size_bytes = 0, modified_ns = 0;
    bool operator==(const FileState&) const = default;
  };

  /// Reads what was added or changed since the last call; what is gone is forgotten. Experiments
  /// that cannot be read are none. Errors: kEnvironment (the store cannot be read).
  Status Refresh();

  /// The newest complete measurement, or else the newest partial one, of `subject` on a machine
  /// with the stack `stack`: same model bytes, inputs, worker, framework version, settings, its
  /// batch sizes among those measured, and the same facts of hardware and software, except those
  /// that change from one moment to the next. Valid until the next Refresh().
  StoredMatch Find(const Subject& subject, const std::vector<collect::Fact>& stack) const;

  /// The newest complete measurement, or else the newest partial one, that has the tag `key` with
  /// the value `value` and is of `subject` as far as that is known: same settings, its batch sizes
  /// among those measured, and what else of it is not empty. On whatever machine. Null: none.
  /// Valid until the next Refresh().
  const StoredMeasurement* FindTagged(const Subject& subject, const std::string& key,
                                      const std::string& value) const;

  /// By name.
  const std::map<std::string, StoredMeasurement>& all() const { return measurements_; }

 private:
  std::filesystem::path store_;
  std::map<std::string, StoredMeasurement> measurements_;
  std::map<std::string, FileState> states_;  ///< Of all experiments, measurements or not.
};

}  // namespace xsp::sweeps

#endif  // XSP_MEASURE_SWEEPS_STORED_MEASUREMENTS_H_
