#ifndef XSP_STORE_STORE_CHECK_H_
#define XSP_STORE_STORE_CHECK_H_

#include <filesystem>
#include <string>
#include <vector>

#include "core/progress.h"
#include "core/result.h"

namespace xsp::store {

/// Something in a store that is not as it should be.
struct StoreProblem {
  std::string name;  ///< Of the experiment or baseline.
  std::string what;  ///< One line, without a full stop.
  bool is_repaired = false;
};

struct CheckRequest {
  bool all_data = false;  ///< Decodes every value of every table; else only how the files end.
  bool repair = false;    ///< Removes what killed writers left, makes lost indices again.
};

/// Reads every experiment of a store, and in object storage what the server has beside it: objects
/// of another size than was written or gone, and what a writer left more than a day ago. Nothing of
/// an experiment is ever removed. Errors: kEnvironment (the store cannot be read); as Fetch().
Result<std::vector<StoreProblem>> CheckStore(const std::filesystem::path& store,
                                             const CheckRequest& request, core::Progress& progress);

}  // namespace xsp::store

#endif  // XSP_STORE_STORE_CHECK_H_
