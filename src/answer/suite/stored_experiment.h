#ifndef XSP_ANSWER_SUITE_STORED_EXPERIMENT_H_
#define XSP_ANSWER_SUITE_STORED_EXPERIMENT_H_

#include <filesystem>
#include <string>
#include <vector>

namespace xsp::suite {

/// What an experiment of the store says of itself, for commands that take what an earlier call has
/// measured instead of measuring again. Any thread.

/// done, partial, interrupted, failed (of a recorded program that did not end well); empty: there
/// is no whole experiment in this folder.
std::string StoredStatus(const std::filesystem::path& experiment);

/// How what is stored differs from what the command line `command` would measure now: another
/// command measured it, or the file of its model is another or has changed since. Empty: it does
/// not, as far as it says. The order of options does not count, nor do those that only name and
/// place results, nor what follows `--`. `model`: a file or a name of the zoo; empty: there is
/// none.
std::string DifferenceFrom(const std::filesystem::path& experiment, const std::string& command,
                           const std::filesystem::path& model = {});

/// A name for the store of `parts` joined by "-": letters, digits, ".", "_" and "-" are kept, every
/// other character becomes "_".
std::string StoreName(const std::vector<std::string>& parts);

/// A folder of the store becomes a hidden backup while a new one may take its place.
/// It comes back at the end, unless Replaced() has said that the new one is there.
class ExperimentBackup {
 public:
  explicit ExperimentBackup(std::filesystem::path folder);
  ~ExperimentBackup();
  ExperimentBackup(const ExperimentBackup&) = delete;
  ExperimentBackup& operator=(const ExperimentBackup&) = delete;

  void Replaced() { is_replaced_ = true; }

 private:
  std::filesystem::path folder_, aside_;
  bool is_replaced_ = false;
};

}  // namespace xsp::suite

#endif  // XSP_ANSWER_SUITE_STORED_EXPERIMENT_H_
