#ifndef XSP_STORE_MANY_EXPERIMENTS_H_
#define XSP_STORE_MANY_EXPERIMENTS_H_

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "store/table.h"

namespace xsp::store {

/// Some experiment tables of many experiments, read as one: for questions over a whole store, where
/// Database::Open, which looks at every file of every run, would take minutes for thousands. One
/// thread at a time.
class ManyExperiments {
 public:
  /// An experiment of which a table could not be read: damaged, or removed meanwhile.
  struct Unread {
    std::size_t experiment = 0;  ///< Index among those that were opened.
    std::string reason;          ///< Of the first such table; one line.
  };

  /// `experiments` are their folders. Nothing is read yet. Errors: kInternal.
  static Result<ManyExperiments> Open(std::vector<std::filesystem::path> experiments);

  ManyExperiments(ManyExperiments&&) noexcept;
  ManyExperiments& operator=(ManyExperiments&&) noexcept;
  ~ManyExperiments();

  /// Performs `select` (SELECT or WITH, in capitals) over the experiment tables `tables` of the
  /// schema, each under its name: its columns with their types (NULL where a file lacks one), led
  /// by `experiment`, the index of its experiment. An experiment without a table has no rows in it.
  /// One with a table that cannot be read becomes `unread()` and has no rows in any. There are no
  /// views. O(experiments). Errors: kInternal for a wrong `select`.
  Result<Table> Query(const std::vector<std::string_view>& tables, std::string_view select);

  /// In the order in which they were found; each experiment once.
  const std::vector<Unread>& unread() const;

 private:
  struct State;
  explicit ManyExperiments(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace xsp::store

#endif  // XSP_STORE_MANY_EXPERIMENTS_H_
