#ifndef XSP_STORE_ROWS_ACROSS_H_
#define XSP_STORE_ROWS_ACROSS_H_

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "store/table.h"

namespace xsp::store {

/// What a question to one table of many experiments found.
struct RowsAcross {
  Table rows;
  /// An experiment whose table could not be read, because it is damaged or was removed meanwhile.
  struct Unreadable {
    std::size_t experiment;  ///< Index among those that were asked.
    std::string why;
  };
  std::vector<Unreadable> unreadable;
};

/// Runs `select`, one SELECT of our own over the view `rows`: the experiment table `table` (see
/// schema/schema.sql) of all `experiments`, led by a column `experiment`, the index in
/// `experiments`. Columns that files lack are NULL; experiments without the table have no rows. One
/// statement reads all files, which takes a tenth of opening each experiment by itself; where it
/// fails, the experiments at fault are left out and listed. `select` may run more than once, over
/// disjoint parts of the experiments, whose rows are joined: it must not sum over experiments.
/// Errors: kBadInput if `select` is wrong, kInternal if there is no such table.
Result<RowsAcross> ReadAcross(const std::vector<std::filesystem::path>& experiments,
                              std::string_view table, std::string_view select);

}  // namespace xsp::store

#endif  // XSP_STORE_ROWS_ACROSS_H_
