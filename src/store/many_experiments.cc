#include "store/many_experiments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <utility>

#include "core/json_text.h"
#include "os/files.h"
#include "os/parallel.h"
#include "store/duckdb_connection.h"
#include "store/listed_tables.h"
#include "store/mirror.h"
#include "store/schema.h"
#include "store/sql_text.h"
#include "store/views.h"

namespace xsp::store {

namespace fs = std::filesystem;

namespace {

struct TableFile {
  std::size_t experiment;
  std::string path;
};

/// One table with the files that are read of it.
struct FilesOfTable {
  const TableSchema* table;
  std::vector<TableFile> files;
};

std::string PathsOf(std::span<const TableFile> files) {
  std::vector<std::string> paths;
  for (const TableFile& file : files) paths.push_back(Quoted(WithoutWildcards(file.path)));
  return fmt::format("[{}]", fmt::join(paths, ", "));
}

/// The table as two expressions of a WITH clause: the places of its files, and its rows.
std::string WithClauseOf(const FilesOfTable& of) {
  std::vector<std::string> typed, empty, names, indices;
  for (const ColumnSchema& column : of.table->columns) {
    const std::string name = QuotedName(column.name);
    typed.push_back(fmt::format("CAST({0} AS {1}) AS {0}", name, column.type));
    empty.push_back(fmt::format("NULL::{} AS {}", column.type, name));
  }
  for (const TableFile& file : of.files) {
    names.push_back(Quoted(file.path));
    indices.push_back(std::to_string(file.experiment));
  }
  const std::string table = QuotedName(of.table->name);
  if (of.files.empty())
    return fmt::format("{} AS (SELECT NULL::BIGINT AS experiment, {} WHERE false)", table,
                       fmt::join(empty, ", "));
  const std::string place = QuotedName("place of " + std::string(of.table->name));
  // The empty part of the union has the columns that no file has.
  return fmt::format(
      "{0} AS (SELECT unnest([{1}]::VARCHAR[]) AS read_from, unnest([{2}]::BIGINT[]) AS "
      "experiment), "
      "{3} AS (SELECT experiment, {4} FROM (SELECT * FROM read_parquet({5}, union_by_name = true, "
      "filename = 'read_from') UNION ALL BY NAME SELECT {6} WHERE false) JOIN {0} USING "
      "(read_from))",
      place, fmt::join(names, ", "), fmt::join(indices, ", "), table, fmt::join(typed, ", "),
      PathsOf(of.files), fmt::join(empty, ", "));
}

/// `select` behind the clauses of its tables; it may begin with a WITH clause of its own.
std::string StatementOf(const std::vector<FilesOfTable>& tables, std::string_view select) {
  constexpr std::string_view kWith = "WITH ";
  while (select.starts_with('\n')) select.remove_prefix(1);
  std::vector<std::string> clauses;
  for (const FilesOfTable& table : tables) clauses.push_back(WithClauseOf(table));
  const bool has_clauses = select.starts_with(kWith);
  if (has_clauses) select.remove_prefix(kWith.size());
  return fmt::format("WITH {}{}{}", fmt::join(clauses, ", "), has_clauses ? ", " : " ", select);
}

constexpr std::string_view kEnding = ".parquet";

std::string FirstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

struct ManyExperiments::State {
  DuckDb db;
  std::vector<fs::path> experiments;
  std::vector<Unread> unread;
  std::set<std::size_t> are_unread = {};                    ///< Those of `unread`.
  std::map<std::size_t, nlohmann::json> descriptions = {};  ///< Of experiments without a table.

  bool IsUnread(std::size_t experiment) const { return are_unread.contains(experiment); }
  void AddUnread(std::size_t experiment, const std::string& why) {
    if (are_unread.insert(experiment).second) unread.push_back({experiment, FirstLine(why)});
  }

  /// Of a table whose file is lost the experiment is unread.
  FilesOfTable FilesOf(const TableSchema& table) {
    FilesOfTable found{&table, {}};
    std::error_code error;
    for (std::size_t i = 0; i < experiments.size(); ++i) {
      if (IsUnread(i)) continue;
      const fs::path file = experiments[i] / fmt::format("{}.parquet", table.name);
      if (fs::exists(file, error)) {
        found.files.push_back({i, file.string()});
      } else if (std::string lost = LostTable(experiments[i], DescriptionOf(i), table.name);
                 !lost.empty()) {
        AddUnread(i, lost);
      }
    }
    return found;
  }

  /// Its experiment.json; null: cannot be read.
  const nlohmann::json& DescriptionOf(std::size_t experiment) {
    const auto [it, is_new] = descriptions.try_emplace(experiment);
    if (is_new)
      if (const auto text = os::ReadFile(experiments[experiment] / "experiment.json"); text.ok())
        it->second = core::ParseJson(text.value());
    return it->second;
  }

  /// Brings the tables of mirrored experiments. Those that cannot be had are unread.
  void FetchTables(const std::vector<std::string_view>& tables) {
    std::mutex mutex;
    (void)os::ForEachWaiting(experiments.size(), [&](std::size_t i) -> Status {
      const Status fetched = Fetch(experiments[i], [&](std::string_view path) {
        return path.ends_with(kEnding) &&
               std::ranges::find(tables, path.substr(0, path.size() - kEnding.size())) !=
                   tables.end();
      });
      const std::lock_guard lock(mutex);
      if (!fetched.ok()) AddUnread(i, fetched.error().what);
      return Ok{};
    });
  }

  /// Notes the experiments whose files cannot be read. Halves what cannot be read as one until
  /// these are found.
  void FindUnreadable(std::span<const TableFile> files) {
    if (files.empty()) return;
    // All columns are decoded: a footer may be whole where its pages are not.
    const auto read =
        db.Query(fmt::format("SELECT count(COLUMNS(*)) FROM read_parquet({}, union_by_name = true)",
                             PathsOf(files)),
                 ErrorKind::kBadInput);
    if (read.ok()) return;
    if (files.size() > 1) {
      FindUnreadable(files.first(files.size() / 2));
      FindUnreadable(files.subspan(files.size() / 2));
    } else {
      AddUnread(files.front().experiment, read.error().what);
    }
  }
};

ManyExperiments::ManyExperiments(std::unique_ptr<State> state) : state_(std::move(state)) {}
ManyExperiments::ManyExperiments(ManyExperiments&&) noexcept = default;
ManyExperiments& ManyExperiments::operator=(ManyExperiments&&) noexcept = default;
ManyExperiments::~ManyExperiments() = default;

Result<ManyExperiments> ManyExperiments::Open(std::vector<fs::path> experiments) {
  XSP_TRY(DuckDb db, DuckDb::Open());
  return ManyExperiments(
      std::make_unique<State>(State{std::move(db), std::move(experiments), {}, {}}));
}

Result<Table> ManyExperiments::Query(const std::vector<std::string_view>& tables,
                                     std::string_view select) {
  const auto files = [&] {
    std::vector<FilesOfTable> all;
    for (const std::string_view name : tables) {
      const TableSchema* const table = FindTable(name);
      XSP_CHECK(table != nullptr && !table->raw);
      all.push_back(state_->FilesOf(*table));
    }
    return all;
  };
  state_->FetchTables(tables);
  const std::vector<FilesOfTable> all = files();
  auto rows = state_->db.Query(StatementOf(all, select));
  if (rows.ok()) return rows;
  for (const FilesOfTable& table : all) state_->FindUnreadable(table.files);
  return state_->db.Query(StatementOf(files(), select));
}

const std::vector<ManyExperiments::Unread>& ManyExperiments::unread() const {
  return state_->unread;
}

}  // namespace xsp::store
