#include "store/database.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "store/directory.h"
#include "store/duckdb_connection.h"
#include "store/folder_handles.h"
#include "store/listed_tables.h"
#include "store/mirror.h"
#include "store/pending_views.h"
#include "store/schema.h"
#include "store/sql_text.h"
#include "store/views.h"

namespace xsp::store {

namespace fs = std::filesystem;

namespace {

using RunIds = std::map<std::string, std::int64_t>;

/// Run ids by folder name: from run.parquet where there is one, then from run.json, else the next
/// free number.
Result<RunIds> NumberRuns(const DuckDb& db, const Directory& experiment) {
  RunIds ids;
  std::set<std::int64_t> used;
  const fs::path table = experiment.path / "run.parquet";
  std::error_code error;
  if (fs::exists(table, error)) {
    const auto rows = db.Query(fmt::format("SELECT path, run_id::BIGINT FROM read_parquet({})",
                                           Quoted(WithoutWildcards(table.string()))),
                               ErrorKind::kBadInput);
    if (!rows.ok()) {
      return Error{ErrorKind::kBadInput,
                   fmt::format("damaged file: {}: {}", table.string(), rows.error().what),
                   "The experiment has to be measured again."};
    }
    for (const auto& row : rows.value().rows) {
      const auto* path = std::get_if<std::string>(&row[0]);
      const auto* id = std::get_if<std::int64_t>(&row[1]);
      if (path == nullptr || id == nullptr) continue;
      ids.emplace(fs::path(*path).lexically_normal().string(), *id);
      used.insert(*id);
    }
  }
  std::int64_t next = 1;
  for (const RunFolder& run : experiment.runs) {
    if (ids.contains(run.name)) continue;
    while (used.contains(next)) ++next;
    ids.emplace(run.name, next);
    used.insert(next);
  }
  return ids;
}

/// The experiment that a run's folder lies in, if it does.
Result<RunIds> NumberOf(const DuckDb& db, const std::vector<Directory>& runs) {
  RunIds ids;
  std::int64_t next = 1;
  for (const Directory& run : runs) ids.emplace(run.path.string(), next++);
  const fs::path parent = runs.front().path.parent_path();
  const bool siblings = std::all_of(runs.begin(), runs.end(), [&](const Directory& run) {
    return run.path.parent_path() == parent;
  });
  if (!siblings) return ids;
  const auto experiment = Inspect(parent);
  if (!experiment.ok() || experiment.value().kind != Directory::Kind::kExperiment) return ids;
  XSP_TRY(const RunIds numbered, NumberRuns(db, experiment.value()));
  for (auto& [path, id] : ids) {
    if (const auto it = numbered.find(fs::path(path).filename().string()); it != numbered.end()) {
      id = it->second;
    }
  }
  return ids;
}

/// Which columns lead the views: they tell apart what lies together.
struct Leading {
  bool experiment = false;
  bool run = false;

  std::string Columns(std::string_view experiment_name, std::int64_t run_id, bool raw) const {
    std::string sql;
    if (experiment) sql += Quoted(experiment_name) + " AS experiment, ";
    if (run && raw) sql += fmt::format("{}::BIGINT AS run_id, ", run_id);
    return sql;
  }
  std::string Empty(bool raw) const {
    std::string sql;
    if (experiment) sql += "NULL::VARCHAR AS experiment, ";
    if (run && raw) sql += "NULL::BIGINT AS run_id, ";
    return sql;
  }
};

using TableFiles = std::map<std::string, std::vector<ViewFile>, std::less<>>;

void AddTables(const fs::path& folder, bool raw, const std::string& leading, TableFiles& files) {
  for (const TableSchema& table : Schema()) {
    if (table.raw != raw) continue;
    const fs::path file = folder / (table.name + ".parquet");
    std::error_code error;
    if (fs::exists(file, error)) files[table.name].push_back({file.string(), leading});
  }
}

Result<TableFiles> CollectFiles(const DuckDb& db, const std::vector<Directory>& directories,
                                const Leading& leading) {
  TableFiles files;
  if (directories.front().kind == Directory::Kind::kRun) {
    XSP_TRY(const RunIds ids, NumberOf(db, directories));
    for (const Directory& run : directories) {
      AddTables(run.path, true, leading.Columns({}, ids.at(run.path.string()), true), files);
    }
    return files;
  }
  for (const Directory& experiment : directories) {
    const std::string name = experiment.path.filename().string();
    XSP_TRY(const RunIds ids, NumberRuns(db, experiment));
    AddTables(experiment.path, false, leading.Columns(name, 0, false), files);
    for (const RunFolder& run : experiment.runs) {
      AddTables(run.path, true, leading.Columns(name, ids.at(run.name), true), files);
    }
  }
  return files;
}

Error LostError(const std::string& where, const std::string& lost) {
  return {ErrorKind::kBadInput, fmt::format("damaged: {}: {}", where, lost),
          "`xsp store check` finds all that is damaged. Take the file from a copy of the "
          "experiment, or measure or import it again."};
}

/// Errors: kBadInput: a table is lost, and what is left would answer as if it had no rows.
Status CheckTables(const Directory& directory) {
  const std::string name = directory.path.filename().string();
  if (const std::string lost = LostTable(directory.path, directory.json); !lost.empty())
    return LostError(name, lost);
  for (const RunFolder& run : directory.runs) {
    XSP_TRY(const Directory of_run, Inspect(run.path));
    if (const std::string lost = LostTable(run.path, of_run.json); !lost.empty())
      return LostError(fmt::format("{}/{}", name, run.name), lost);
  }
  return Ok{};
}

Result<std::vector<Directory>> InspectAll(const std::vector<fs::path>& paths) {
  std::vector<Directory> directories;
  for (const fs::path& path : paths) {
    std::error_code error;
    // Absolute and without a trailing slash: the last part names the experiment.
    fs::path absolute = fs::weakly_canonical(path, error);
    if (error) absolute = path;
    XSP_RETURN_IF_ERROR(FetchFolder(absolute));
    XSP_TRY(Directory directory, Inspect(absolute));
    XSP_RETURN_IF_ERROR(CheckTables(directory));
    if (!directories.empty() && directories.front().kind != directory.kind) {
      return Error{
          ErrorKind::kBadInput,
          fmt::format("runs and experiments cannot be opened together: {}", absolute.string()),
          "Name experiments only, or runs only."};
    }
    directories.push_back(std::move(directory));
  }
  return directories;
}

using Formats = std::map<std::string, std::vector<std::string>, std::less<>>;

/// Those of the files of each experiment, by its name. What of the JSON is not as an import writes
/// it is passed over.
Formats FormatsOf(const std::vector<Directory>& directories) {
  Formats formats;
  for (const Directory& directory : directories) {
    if (directory.kind != Directory::Kind::kExperiment || !directory.json.contains("inputs"))
      continue;
    std::vector<std::string>& of_experiment = formats[directory.path.filename().string()];
    for (const nlohmann::json& input : directory.json["inputs"]) {
      if (!input.is_object()) continue;
      const auto format = input.find("format");
      if (format != input.end() && format->is_string())
        of_experiment.push_back(format->get<std::string>());
    }
  }
  return formats;
}

using Form = PendingViews::Form;

void AddSharedViews(bool are_led, Form form, PendingViews* views) {
  for (const SharedView& view : SharedViews()) views->Add(view.name, view.Select(are_led), form);
}

/// Tables whose files have at most so many bytes in all are read into memory, where they take some
/// ten times as much. A usual experiment has none that is larger.
constexpr std::uintmax_t kStoredBytes = 256 << 10;

Form FormOf(const std::vector<ViewFile>& files) {
  std::uintmax_t bytes = 0;
  for (const ViewFile& file : files) {
    std::error_code error;
    const std::uintmax_t size = fs::file_size(file.path, error);
    if (error || size > kStoredBytes - bytes) return Form::kView;
    bytes += size;
  }
  return Form::kTable;
}

/// Statements on fewer bytes of files are faster with one thread: to divide the work and to start
/// threads takes longer than the work. Some 100,000 spans.
constexpr std::uintmax_t kOneThreadBytes = 1 << 20;

std::uintmax_t BytesOf(const std::vector<std::string>& files) {
  std::uintmax_t bytes = 0;
  for (const std::string& file : files) {
    std::error_code error;
    const std::uintmax_t size = fs::file_size(file, error);
    if (!error) bytes += size;
  }
  return bytes;
}

/// True where the engine did not find a name, and so has not begun to work.
bool IsAboutNames(const Error& error) {
  return error.what.starts_with("Catalog Error") || error.what.starts_with("Binder Error");
}

Error Shown(const FolderHandles& handles, Error error) {
  error.what = handles.Shortened(std::move(error.what));
  return error;
}

/// The directories by paths that do not tell where they lie.
Status Hide(std::vector<Directory>* directories, FolderHandles* handles) {
  for (Directory& directory : *directories) {
    XSP_TRY(const fs::path hidden, handles->PathOf(directory.path));
    for (RunFolder& run : directory.runs)
      run.path = hidden / run.path.lexically_relative(directory.path);
    directory.path = hidden;
  }
  return Ok{};
}

}  // namespace

struct Database::State {
  FolderHandles handles;
  DuckDb db;
  bool read_only;
  Formats formats;
  PendingViews views;
  QueryLimits limits = {};

  static Result<std::unique_ptr<State>> Open(const std::vector<Directory>& directories,
                                             Comments comments, const QueryLimits& limits);

  /// What `run` yields once there are the views that `sql` names.
  Result<Table> WithViews(const std::string& sql, const std::function<Result<Table>()>& run) {
    XSP_RETURN_IF_ERROR(views.CreateNamed(db, sql));
    auto rows = run();
    if (rows.ok() || views.empty() || !IsAboutNames(rows.error())) return rows;
    // It may have named a view in a way that is no word of it; and the engine's message proposes
    // names that are like the wrong one.
    XSP_RETURN_IF_ERROR(views.CreateAll(db));
    return run();
  }

  Result<Table> Run(const std::string& sql) const {
    auto rows = read_only ? db.Select(sql, limits) : db.Query(sql, ErrorKind::kBadInput);
    if (!rows.ok()) return Shown(handles, rows.error());
    return rows;
  }
};

Database::Database(std::unique_ptr<State> state) : state_(std::move(state)) {}
Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;
Database::~Database() = default;

Result<std::unique_ptr<Database::State>> Database::State::Open(
    const std::vector<Directory>& directories, Comments comments, const QueryLimits& limits) {
  XSP_TRY(DuckDb db, DuckDb::Open(1));
  // Else each statement reads the footers of its files again.
  XSP_RETURN_IF_ERROR(db.Execute("SET parquet_metadata_cache=true"));
  const bool experiments = directories.front().kind == Directory::Kind::kExperiment;
  const bool several = directories.size() > 1;
  const Leading leading{experiments && several, experiments || several};
  XSP_TRY(const TableFiles files, CollectFiles(db, directories, leading));
  std::vector<std::string> paths_of_files;
  for (const auto& [table, of_table] : files)
    for (const ViewFile& file : of_table) paths_of_files.push_back(file.path);
  // What a stranger's statement computes is not known from the files.
  if (limits.IsSet() || BytesOf(paths_of_files) > kOneThreadBytes)
    XSP_RETURN_IF_ERROR(db.UseAllThreads());
  XSP_TRY(const FileColumns columns, ReadFileColumns(db, paths_of_files));
  // Limits hold for statements: what these take is not to be taken before them.
  const bool may_store = !limits.IsSet();
  PendingViews views;
  for (const TableSchema& table : Schema()) {
    const auto it = files.find(table.name);
    const auto& of_table = it == files.end() ? std::vector<ViewFile>{} : it->second;
    views.Add(table.name, TableView(table, of_table, columns, leading.Empty(table.raw)),
              may_store ? FormOf(of_table) : Form::kView);
  }
  AddSharedViews(leading.experiment, may_store ? Form::kTable : Form::kView, &views);
  if (comments == Comments::kOfSchema) {
    XSP_RETURN_IF_ERROR(views.CreateAll(db));
    for (const TableSchema& table : Schema()) XSP_RETURN_IF_ERROR(CommentOnView(db, table));
    for (const SharedView& view : SharedViews()) XSP_RETURN_IF_ERROR(db.Execute(view.comments));
  }
  XSP_RETURN_IF_ERROR(LockDown(db, paths_of_files, limits.memory_bytes));
  return std::make_unique<State>(
      State{{}, std::move(db), true, FormatsOf(directories), std::move(views), limits});
}

Result<Database> Database::Open(const std::vector<fs::path>& paths, Comments comments,
                                const QueryLimits& limits) {
  if (paths.empty()) return Error{ErrorKind::kUsage, "no directory to open", ""};
  XSP_TRY(std::vector<Directory> directories, InspectAll(paths));
  FolderHandles handles;
  // Limits are those of strangers, and the engine shows paths in many places.
  if (limits.IsSet()) XSP_RETURN_IF_ERROR(Hide(&directories, &handles));
  auto state = State::Open(directories, comments, limits);
  if (!state.ok()) return Shown(handles, state.error());
  state.value()->handles = std::move(handles);
  return Database(std::move(state).value());
}

Result<Database> Database::OpenEmpty(std::size_t memory_bytes) {
  XSP_TRY(DuckDb db, DuckDb::Open(1));  // What is inserted row by row is little.
  XSP_RETURN_IF_ERROR(db.Execute(SchemaTables()));
  PendingViews views;
  AddSharedViews(false, Form::kView, &views);  // Rows may still be inserted.
  XSP_RETURN_IF_ERROR(LockDown(db, {}, memory_bytes));
  return Database(std::make_unique<State>(State{{}, std::move(db), false, {}, std::move(views)}));
}

Result<Table> Database::Query(std::string_view sql) const {
  const std::string text(sql);
  return state_->WithViews(text, [&] { return state_->Run(text); });
}

Result<Table> Database::Select(std::string_view sql, QueryBudget* budget) const {
  const QueryLimits& limits = budget->limits();
  const Error spent = {
      ErrorKind::kBadInput,
      fmt::format("the SQL of the request took longer than its limit: {:g} s", limits.time_s),
      "Name fewer experiments, or state less SQL."};
  if (budget->is_spent()) return spent;
  const std::string text(sql);
  const auto start = std::chrono::steady_clock::now();
  auto rows = state_->WithViews(text, [&] { return state_->db.Select(text, budget->Left()); });
  budget->Spend(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  if (rows.ok()) return rows;
  if (budget->is_spent()) return spent;
  return Shown(state_->handles, rows.error());
}

Status Database::Scan(std::string_view sql,
                      const std::function<Status(const RowBatch&)>& visit) const {
  const std::string text(sql);
  XSP_RETURN_IF_ERROR(state_->views.CreateNamed(state_->db, text));
  return state_->db.Scan(text, visit);
}

std::vector<std::string> Database::ImportedFormats(std::string_view experiment) const {
  const Formats& formats = state_->formats;
  const auto found =
      experiment.empty() && formats.size() == 1 ? formats.begin() : formats.find(experiment);
  return found == formats.end() ? std::vector<std::string>{} : found->second;
}

}  // namespace xsp::store
