#include "store/experiment_tables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

#include "store/duckdb_connection.h"
#include "store/schema.h"
#include "store/views.h"

namespace xsp::store {

namespace fs = std::filesystem;

namespace {

struct TableFile {
  std::size_t experiment;
  std::string path;
};

/// A statement that reads `files` with the columns and types of `table`. The empty first part of
/// the union names the columns that no file has.
std::string ReadingOf(const TableSchema& table, std::span<const TableFile> files,
                      std::string_view select) {
  std::vector<std::string> typed, empty, names, paths, indices;
  for (const ColumnSchema& column : table.columns) {
    const std::string name = QuotedName(column.name);
    typed.push_back(fmt::format("CAST({} AS {}) AS {}", name, column.type, name));
    empty.push_back(fmt::format("NULL::{} AS {}", column.type, name));
  }
  for (const TableFile& file : files) {
    names.push_back(Quoted(file.path));
    paths.push_back(Quoted(WithoutWildcards(file.path)));
    indices.push_back(std::to_string(file.experiment));
  }
  std::string rows = fmt::format("SELECT {} WHERE false", fmt::join(empty, ", "));
  if (!files.empty())
    rows += fmt::format(
        " UNION ALL BY NAME SELECT * FROM read_parquet([{}], union_by_name = true, "
        "filename = 'read_from')",
        fmt::join(paths, ", "));
  else
    rows = fmt::format("SELECT {}, NULL::VARCHAR AS read_from WHERE false", fmt::join(empty, ", "));
  return fmt::format(
      "WITH source AS (SELECT unnest([{}]::VARCHAR[]) AS read_from, unnest([{}]::BIGINT[]) AS "
      "experiment), all_rows AS ({}), {} AS (SELECT experiment, {} FROM all_rows JOIN source USING "
      "(read_from)) {}",
      fmt::join(names, ", "), fmt::join(indices, ", "), rows, QuotedName(table.name),
      fmt::join(typed, ", "), select);
}

std::string FirstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

struct ExperimentTables::State {
  DuckDb db;
  std::vector<fs::path> experiments;
  std::vector<Unread> unread;

  /// The files of `files` that can be read; others become `unread`. Halves what cannot be read as
  /// one until the damaged files are found.
  std::vector<TableFile> Readable(std::span<const TableFile> files) {
    if (files.empty()) return {};
    std::vector<std::string> paths;
    for (const TableFile& file : files) paths.push_back(Quoted(WithoutWildcards(file.path)));
    // All columns are decoded: a footer may be whole where its pages are not.
    const auto read =
        db.Query(fmt::format("SELECT count(COLUMNS(*)) FROM read_parquet([{}], union_by_name = "
                             "true)",
                             fmt::join(paths, ", ")),
                 ErrorKind::kBadInput);
    if (read.ok()) return {files.begin(), files.end()};
    if (files.size() == 1) {
      const std::size_t experiment = files.front().experiment;
      if (std::ranges::none_of(unread,
                               [&](const Unread& one) { return one.experiment == experiment; }))
        unread.push_back({experiment, FirstLine(read.error().what)});
      return {};
    }
    std::vector<TableFile> readable = Readable(files.first(files.size() / 2));
    const std::vector<TableFile> rest = Readable(files.subspan(files.size() / 2));
    readable.insert(readable.end(), rest.begin(), rest.end());
    return readable;
  }
};

ExperimentTables::ExperimentTables(std::unique_ptr<State> state) : state_(std::move(state)) {}
ExperimentTables::ExperimentTables(ExperimentTables&&) noexcept = default;
ExperimentTables& ExperimentTables::operator=(ExperimentTables&&) noexcept = default;
ExperimentTables::~ExperimentTables() = default;

Result<ExperimentTables> ExperimentTables::Open(std::vector<fs::path> experiments) {
  XSP_TRY(DuckDb db, DuckDb::Open());
  return ExperimentTables(
      std::make_unique<State>(State{std::move(db), std::move(experiments), {}}));
}

Result<Table> ExperimentTables::Query(std::string_view table, std::string_view select) {
  const TableSchema* const schema = FindTable(table);
  XSP_CHECK(schema != nullptr && !schema->raw);
  std::vector<TableFile> files;
  for (std::size_t i = 0; i < state_->experiments.size(); ++i) {
    const fs::path file = state_->experiments[i] / (schema->name + ".parquet");
    std::error_code error;
    if (fs::exists(file, error)) files.push_back({i, file.string()});
  }
  auto rows = state_->db.Query(ReadingOf(*schema, files, select));
  if (rows.ok()) return rows;
  const std::vector<TableFile> readable = state_->Readable(files);
  return state_->db.Query(ReadingOf(*schema, readable, select));
}

const std::vector<ExperimentTables::Unread>& ExperimentTables::unread() const {
  return state_->unread;
}

}  // namespace xsp::store
