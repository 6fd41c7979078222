#ifndef XSP_STORE_PENDING_VIEWS_H_
#define XSP_STORE_PENDING_VIEWS_H_

#include <string>
#include <string_view>
#include <vector>

#include "store/duckdb_connection.h"

namespace xsp::store {

/// Views that are created when a statement first names them. The engine binds each view that it
/// creates: to create all of them takes several times as long as a usual statement.
///
/// Threading: one thread at a time.
class PendingViews {
 public:
  /// `select` may name views that were added before it. `name` and `select` are SQL, `name` in
  /// lower case and without quotes.
  void Add(std::string name, std::string select);

  /// Creates in `db` what `sql` may name, and what these views rest on; all of them for a statement
  /// that may list the catalogue (SHOW, DESCRIBE, duckdb_columns(), ...). A view is named where its
  /// name stands as a word, in any case, so more than needed may be created. Errors: kBadInput with
  /// the engine's message; a view that failed stays pending.
  Status CreateNamed(const DuckDb& db, std::string_view sql);

  /// Creates every view. Errors: as CreateNamed().
  Status CreateAll(const DuckDb& db);

  bool empty() const { return views_.empty(); }

 private:
  struct View {
    std::string name, select;
    bool is_named = false;
  };
  /// Creates those that are named.
  Status Create(const DuckDb& db);
  std::vector<View> views_;
};

}  // namespace xsp::store

#endif  // XSP_STORE_PENDING_VIEWS_H_
