#ifndef XSP_STORE_EXPERIMENT_TABLES_H_
#define XSP_STORE_EXPERIMENT_TABLES_H_

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "store/table.h"

namespace xsp::store {

/// Chosen experiment tables of many experiments, read as one: for questions over a whole store,
/// where Database::Open would open every table of every run. One thread at a time.
class ExperimentTables {
 public:
  /// An experiment of which a table could not be read: damaged, or removed meanwhile.
  struct Unread {
    std::size_t experiment = 0;  ///< Index among those that were opened.
    std::string reason;          ///< Of the first such table; one line.
  };

  /// `experiments` are their folders. Nothing is read yet. Errors: kInternal.
  static Result<ExperimentTables> Open(std::vector<std::filesystem::path> experiments);

  ExperimentTables(ExperimentTables&&) noexcept;
  ExperimentTables& operator=(ExperimentTables&&) noexcept;
  ~ExperimentTables();

  /// Performs `select` over the experiment table `table` of the schema: its columns with their
  /// types (NULL where a file lacks one), led by `experiment`, the index of its experiment. An
  /// experiment without the table has no rows in it. One that cannot be read becomes `unread()`,
  /// and its table has no rows. O(experiments). Errors: kInternal for a wrong `select`.
  Result<Table> Query(std::string_view table, std::string_view select);

  /// In the order in which they were found; each experiment once.
  const std::vector<Unread>& unread() const;

 private:
  struct State;
  explicit ExperimentTables(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace xsp::store

#endif  // XSP_STORE_EXPERIMENT_TABLES_H_
