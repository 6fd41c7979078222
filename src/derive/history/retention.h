#ifndef XSP_DERIVE_HISTORY_RETENTION_H_
#define XSP_DERIVE_HISTORY_RETENTION_H_

#include <string>
#include <vector>

#include "store/catalogue.h"

namespace xsp::history {

/// Which experiments are kept: those that any member says. Zero, empty: it keeps none.
struct Retention {
  int last = 0;                            ///< So many newest ones.
  int daily = 0, weekly = 0, monthly = 0;  ///< Of so many days, ISO weeks and months with
                                           ///< experiments, the newest one each.
  std::string since = {};  ///< The beginning of an RFC 3339 date, UTC: what is not older.
  std::vector<std::string> tags = {};  ///< KEY or KEY=VALUE: what has one of them.

  bool keeps_none() const {
    return last == 0 && daily == 0 && weekly == 0 && monthly == 0 && since.empty() && tags.empty();
  }
};

/// Why each of `entries` (oldest first, as store::List() has them) is kept, in their order; empty:
/// it is not. Numbers count apart for each model and backend. What is not finished or cannot be
/// read counts for nothing and is kept: it may be what somebody is looking for.
std::vector<std::string> ReasonsToKeep(const std::vector<store::CatalogueEntry>& entries,
                                       const Retention& retention);

}  // namespace xsp::history

#endif  // XSP_DERIVE_HISTORY_RETENTION_H_
