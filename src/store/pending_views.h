#ifndef XSP_STORE_PENDING_VIEWS_H_
#define XSP_STORE_PENDING_VIEWS_H_

#include <string>
#include <string_view>
#include <vector>

#include "store/duckdb_connection.h"

namespace xsp::store {

/// Views that are created when a statement first names them. The engine binds each view that it
/// creates: to create all of them takes several times as long as a usual statement. It also binds
/// and computes a view anew in each statement, so small ones are stored as tables: the rules of the
/// findings, which rest on the same few views, then take a quarter of the time.
///
/// Threading: one thread at a time.
class PendingViews {
 public:
  /// kTable: its rows are computed once and held in memory, for views with few rows over data that
  /// does not change. What rests on a view stays a view: it may be as large.
  enum class Form { kView, kTable };

  /// `select` may name views that were added before it. `name` and `select` are SQL, `name` in
  /// lower case and without quotes.
  void Add(std::string name, std::string select, Form form = Form::kView);

  /// Creates in `db` what `sql` may name, and what these views rest on; all of them for a statement
  /// that may list the catalogue (SHOW, DESCRIBE, duckdb_columns(), ...). A view is named where its
  /// name stands as a word, in any case, so more than needed may be created. What cannot be stored
  /// as a table becomes a view: its error is that of the statements that read it. Errors: kBadInput
  /// with the engine's message; a view that failed stays pending.
  Status CreateNamed(const DuckDb& db, std::string_view sql);

  /// Creates every view that is still pending, as a view. Errors: as CreateNamed().
  Status CreateAll(const DuckDb& db);

  bool empty() const { return views_.empty(); }

 private:
  struct View {
    std::string name, select;
    Form form;
    bool is_named = false;
  };
  /// Creates those that are named. With `stores_tables`, those of that form as tables.
  Status Create(const DuckDb& db, bool stores_tables);
  std::vector<View> views_;
};

}  // namespace xsp::store

#endif  // XSP_STORE_PENDING_VIEWS_H_
