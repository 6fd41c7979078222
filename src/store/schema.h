#ifndef XSP_STORE_SCHEMA_H_
#define XSP_STORE_SCHEMA_H_

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace xsp::store {

/// Version of the run directory's format, in run.json and experiment.json.
inline constexpr int kFormatVersion = 4;

/// The text of schema/schema.sql and of schema/tables/*.sql, built into the program.
std::string_view SchemaSql();

/// The same without its comments: what makes the tables.
std::string SchemaTables();

struct ColumnSchema {
  std::string name;
  std::string type;  ///< As SQL names it: BIGINT, DOUBLE, VARCHAR, BOOLEAN.
  bool nullable;
  std::string comment;  ///< Unit and meaning.
};

struct TableSchema {
  std::string name;
  std::string comment;
  bool raw;  ///< One per run; else one per experiment.
  std::vector<ColumnSchema> columns;
};

/// Every table of the schema, in the file's order. Read once per process.
const std::vector<TableSchema>& Schema();

/// The table `name`, or nullptr.
const TableSchema* FindTable(std::string_view name);

/// The text of schema/views.sql, built into the program.
std::string_view ViewsSql();

/// A view over the experiment tables that is made when they are opened; nothing of it is stored.
struct SharedView {
  std::string name;
  std::string select;    ///< Its SELECT, with "{lead}" where a column `experiment` would stand.
  std::string comments;  ///< Statements: COMMENT ON the view and its columns.

  /// Its SELECT over tables led by a column `experiment` (`is_led`), or over those of one.
  std::string Select(bool is_led) const;
};

/// Every view of schema/views.sql, in the file's order: a view rests on tables and on views before
/// it. Read once per process.
const std::vector<SharedView>& SharedViews();

/// How sure a placement is, for the table kernel_layer and for matching: 1 where the source ties
/// the two by an id or by a launch, less where order or containment had to be trusted; a span
/// placed by sequence has a value of its own, the metric `confidence`, which counts in place of the
/// table's. A kernel is as sure as the least sure step from it up to its layer.
struct PlacementConfidence {
  std::string_view placed_by;
  double confidence;
};
inline constexpr std::array<PlacementConfidence, 8> kPlacementConfidence = {{
    {"id", 1.0},
    {"launch", 1.0},
    {"serialised", 1.0},
    {"nesting", 0.95},
    {"graph_node", 0.95},
    {"concurrent", 0.8},
    {"sequence", 0.7},
    {"none", 0.0},
}};

}  // namespace xsp::store

#endif  // XSP_STORE_SCHEMA_H_
