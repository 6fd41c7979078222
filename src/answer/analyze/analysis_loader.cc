#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <tuple>
#include <utility>

#include "answer/analyze/analysis.h"
#include "answer/analyze/level.h"
#include "answer/analyze/yaml_fields.h"
#include "os/files.h"

namespace xsp::analyze {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kHint =
    "analyses/README.md says what an analysis folder holds; `tools/new analysis NAME` makes a "
    "working one.";

Error Broken(const fs::path& file, const YAML::Mark& mark, const std::string& what) {
  return BrokenYaml(file, mark, what, std::string(kHint));
}

bool IsSource(const std::string& text) {
  return text == "runs" || text.ends_with("_provenance") || text == "roof.provenance";
}

/// A column of an experiment table, written so that it can go into SQL as it is.
bool IsPlainReference(std::string_view text) {
  return std::count(text.begin(), text.end(), '.') == 1 &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return std::islower(static_cast<unsigned char>(c)) || c == '_' || c == '.';
         });
}

bool IsProvenance(std::string_view text) {
  return text == "analytic" || text == "data_sheet" || text.starts_with("measured:") ||
         text.starts_with("reported:");
}

Status ReadProvenance(const fs::path& file, const YAML::Node& node,
                      const std::vector<std::string>& entries, Column& column) {
  for (const std::string& entry : entries) {
    if (entry == "runs" || (IsSource(entry) && IsPlainReference(entry))) {
      column.sources.push_back(entry);
    } else if (entries.size() == 1 && IsProvenance(entry)) {
      column.provenance = entry;
    } else {
      return Broken(file, node.Mark(),
                    fmt::format("'provenance' is not runs, TABLE.COLUMN that holds provenances, or "
                                "one of measured:SOURCE, reported:TOOL, analytic: {}",
                                entry));
    }
  }
  return Ok{};
}

Result<std::vector<Column>> ReadColumns(const fs::path& file, const YAML::Node& list) {
  std::vector<Column> columns;
  for (const YAML::Node& node : list) {
    if (!node.IsMap()) return Broken(file, node.Mark(), "a column is not {name, unit, help}");
    YamlFields fields(file, node, std::string(kHint));
    Column column;
    XSP_TRY(column.name, fields.Text("name"));
    XSP_TRY(column.unit, fields.Text("unit", false));
    XSP_TRY(column.help, fields.Text("help"));
    XSP_TRY(const std::vector<std::string> provenance, fields.Texts("provenance"));
    XSP_RETURN_IF_ERROR(ReadProvenance(file, node, provenance, column));
    XSP_RETURN_IF_ERROR(fields.NothingElse());
    if (std::any_of(columns.begin(), columns.end(),
                    [&](const Column& other) { return other.name == column.name; })) {
      return Broken(file, node.Mark(), fmt::format("two columns are named {}", column.name));
    }
    columns.push_back(std::move(column));
  }
  return columns;
}

Status CheckNeeds(const fs::path& file, const YAML::Node& root, const Analysis& analysis) {
  XSP_TRY(const std::vector<Level>* known, KnownLevels());
  for (const std::string& need : analysis.needs) {
    if (FindLevel(*known, need) != nullptr) continue;
    std::vector<std::string_view> names;
    for (const Level& level : *known) names.push_back(level.name);
    return Broken(
        file, root["needs"].Mark(),
        fmt::format("'needs' has a level that is not one of {}: {}", fmt::join(names, ", "), need));
  }
  return Ok{};
}

Status ReadHead(const fs::path& file, const YAML::Node& root, Analysis& analysis) {
  if (!root.IsMap()) return Broken(file, root.Mark(), "not a map of id, title, question, ...");
  YamlFields fields(file, root, std::string(kHint));
  XSP_TRY(analysis.id, fields.Text("id"));
  XSP_TRY(analysis.title, fields.Text("title"));
  XSP_TRY(analysis.question, fields.Text("question"));
  XSP_TRY(analysis.needs, fields.Texts("needs"));
  XSP_TRY(const std::string scope, fields.Text("scope", false));
  XSP_TRY(const YAML::Node columns, fields.List("columns"));
  XSP_RETURN_IF_ERROR(fields.NothingElse());
  if (!scope.empty() && scope != "experiment" && scope != "experiments") {
    return Broken(file, root["scope"].Mark(),
                  fmt::format("'scope' is neither experiment nor experiments: {}", scope));
  }
  analysis.across_experiments = scope == "experiments";
  if (!analysis.question.ends_with('?')) {
    return Broken(file, root["question"].Mark(), "'question' does not end in '?'");
  }
  const bool plain = std::all_of(analysis.id.begin(), analysis.id.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '-';
  });
  if (analysis.id.empty() || analysis.id == "all" || !plain) {
    return Broken(
        file, root["id"].Mark(),
        fmt::format("'id' is not letters, digits, '_' and '-', or is taken: {}", analysis.id));
  }
  XSP_RETURN_IF_ERROR(CheckNeeds(file, root, analysis));
  XSP_TRY(analysis.columns, ReadColumns(file, columns));
  return Ok{};
}

Result<Analysis> LoadFolder(const fs::path& folder) {
  Analysis analysis;
  analysis.folder = folder;
  analysis.name = folder.filename().string();
  const fs::path file = folder / "analysis.yaml";
  XSP_TRY(const std::string yaml, os::ReadFile(file));
  try {
    XSP_RETURN_IF_ERROR(ReadHead(file, YAML::Load(yaml), analysis));
  } catch (const YAML::Exception& error) {
    return Broken(file, error.mark, error.msg);
  }
  XSP_TRY(analysis.sql, os::ReadFile(folder / "query.sql"));
  XSP_TRY(analysis.text, os::ReadFile(folder / "README.md"));
  if (fs::exists(folder / "chart.vl.json")) {
    XSP_TRY(analysis.chart, os::ReadFile(folder / "chart.vl.json"));
  }
  return analysis;
}

/// A2 before A10, and ids of a letter and a number before words.
auto OrderOf(const Analysis& analysis) {
  const std::string& id = analysis.id;
  int number = 0;
  const char* end = id.data() + id.size();
  const bool numbered = id.size() > 1 && std::from_chars(id.data() + 1, end, number).ptr == end;
  return std::make_tuple(!numbered, numbered ? id.substr(0, 1) : id, number, id);
}

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

/// The folders below `root` that hold an analysis, or `root` itself if it is one.
Result<std::vector<fs::path>> AnalysisFolders(const fs::path& root) {
  std::error_code error;
  if (!fs::is_directory(root, error)) {
    return Error{ErrorKind::kBadInput, fmt::format("no such folder of analyses: {}", root.string()),
                 ""};
  }
  if (fs::exists(root / "analysis.yaml")) return std::vector<fs::path>{root};
  std::vector<fs::path> folders;
  for (auto entry = fs::directory_iterator(root, error); !error && entry != fs::end(entry);
       entry.increment(error)) {
    if (entry->path().filename().string().starts_with('.')) continue;
    std::error_code ignored;
    if (entry->is_directory(ignored)) folders.push_back(entry->path());
  }
  if (error) {
    return Error{ErrorKind::kEnvironment,
                 fmt::format("cannot list: {}: {}", root.string(), error.message()), ""};
  }
  return folders;
}

}  // namespace

Result<std::vector<Analysis>> LoadAnalyses(const std::vector<fs::path>& folders) {
  std::vector<Analysis> analyses;
  std::map<std::string, fs::path> seen;
  for (const fs::path& root : folders) {
    XSP_TRY(const std::vector<fs::path> found, AnalysisFolders(root));
    for (const fs::path& folder : found) {
      XSP_TRY(Analysis analysis, LoadFolder(folder));
      const auto [it, fresh] = seen.emplace(LowerCase(analysis.id), folder);
      if (!fresh) {
        return Error{ErrorKind::kBadInput,
                     fmt::format("two analyses have the id {}: {} and {}", analysis.id,
                                 it->second.string(), folder.string()),
                     "Give one of them another id in its analysis.yaml."};
      }
      analyses.push_back(std::move(analysis));
    }
  }
  std::sort(analyses.begin(), analyses.end(),
            [](const Analysis& a, const Analysis& b) { return OrderOf(a) < OrderOf(b); });
  return analyses;
}

const Analysis* Find(const std::vector<Analysis>& analyses, std::string_view id) {
  const std::string wanted = LowerCase(id);
  for (const Analysis& analysis : analyses) {
    if (LowerCase(analysis.id) == wanted || LowerCase(analysis.name) == wanted) return &analysis;
  }
  return nullptr;
}

}  // namespace xsp::analyze
