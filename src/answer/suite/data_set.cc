#include "answer/suite/data_set.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "os/files.h"
#include "os/paths.h"
#include "store/table_file.h"

namespace xsp::suite {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDescription = "suite.yaml";

Error Broken(const fs::path& file, const std::string& why) {
  return {ErrorKind::kBadInput, fmt::format("{}: {}", file.string(), why),
          "suites/mlperf-v0.5/suite.yaml is an example"};
}

std::string YamlText(const YAML::Node& node, const char* key) {
  return node[key] ? node[key].as<std::string>() : std::string();
}

std::vector<std::string> YamlList(const YAML::Node& node, const char* key) {
  return node[key] ? node[key].as<std::vector<std::string>>() : std::vector<std::string>();
}

Result<YAML::Node> Described(const fs::path& folder) {
  XSP_TRY(const std::string text, os::ReadFile(folder / kDescription, 1 << 20));
  try {
    YAML::Node node = YAML::Load(text);
    if (!node.IsMap() || !node["tables"] || !node["tables"].IsSequence())
      return Broken(folder / kDescription, "it has no list of tables");
    return node;
  } catch (const YAML::Exception& error) {
    return Broken(folder / kDescription, error.what());
  }
}

/// Gives the columns of `rows` the units and meanings that suite.yaml states.
Result<Table> Labelled(store::Table rows, const YAML::Node& entry, const fs::path& folder,
                       const std::string& provenance) {
  Table table{YamlText(entry, "kind"), YamlText(entry, "title"), {}, std::move(rows)};
  const YAML::Node columns = entry["columns"];
  for (const std::string& name : table.rows.columns) {
    const YAML::Node column = columns ? columns[name] : YAML::Node(YAML::NodeType::Undefined);
    if (!column) return Broken(folder / kDescription, "it does not describe column " + name);
    table.columns.push_back(
        {name, YamlText(column, "unit"), YamlText(column, "help"), "reported:" + provenance});
  }
  return table;
}

Result<DataTable> FromFolder(const fs::path& folder, std::string_view kind) {
  XSP_TRY(const YAML::Node node, Described(folder));
  std::vector<std::string> kinds;
  try {
    const auto name = node["name"].as<std::string>();
    for (const YAML::Node& entry : node["tables"]) {
      kinds.push_back(YamlText(entry, "kind"));
      if (kinds.back() != kind) continue;
      XSP_TRY(store::Table rows, store::ReadTableFile(folder / entry["file"].as<std::string>()));
      XSP_TRY(Table table, Labelled(std::move(rows), entry, folder, name));
      return DataTable{
          std::string(kind),
          fmt::format("{}, {}", YamlText(node, "source"), YamlText(entry, "where")),
          {YamlList(entry, "labels"), YamlText(entry, "group"), YamlList(entry, "metrics")},
          std::move(table)};
    }
  } catch (const YAML::Exception& error) {
    return Broken(folder / kDescription, error.what());
  }
  return Error{ErrorKind::kBadInput,
               fmt::format("no table of kind {} in {}", kind, folder.string()),
               fmt::format("it has: {}", fmt::join(kinds, ", "))};
}

}  // namespace

std::vector<std::string> DataSets() {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(os::DataRoot() / "suites", error))
    if (fs::exists(entry.path() / kDescription, error))
      names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

Result<std::vector<std::string>> TableKinds(const std::string& source) {
  std::error_code error;
  fs::path folder = source;
  if (!fs::exists(folder / kDescription, error)) {
    const std::vector<std::string> known = DataSets();
    if (std::ranges::find(known, source) == known.end()) return std::vector<std::string>();
    folder = os::DataRoot() / "suites" / source;
  }
  XSP_TRY(const YAML::Node node, Described(folder));
  std::vector<std::string> kinds;
  try {
    for (const YAML::Node& entry : node["tables"])
      if (entry.IsMap() && entry["kind"]) kinds.push_back(YamlText(entry, "kind"));
  } catch (const YAML::Exception& error) {
    return Broken(folder / kDescription, error.what());
  }
  return kinds;
}

Result<DataTable> OpenTable(const std::string& source, std::string_view kind) {
  std::error_code error;
  if (fs::exists(fs::path(source) / kDescription, error)) return FromFolder(source, kind);
  if (fs::is_regular_file(source, error)) {
    XSP_TRY(store::Table rows, store::ReadTableFile(source));
    const std::string name = fs::path(source).filename().string();
    Table table{std::string(kind), name, {}, std::move(rows)};
    for (const std::string& column : table.rows.columns)
      table.columns.push_back({column, "", "", "reported:" + name});
    return DataTable{std::string(kind), source, {}, std::move(table)};
  }
  if (fs::exists(source, error) && !fs::is_directory(source, error))
    return Error{
        ErrorKind::kBadInput, "a table must be a plain file: " + source,
        "write the CSV or Parquet table to a file first, because it is read more than once"};
  const std::vector<std::string> known = DataSets();
  if (std::ranges::find(known, source) != known.end())
    return FromFolder(os::DataRoot() / "suites" / source, kind);
  return Error{ErrorKind::kBadInput, "no such table or data set: " + source,
               fmt::format("give a CSV or Parquet file, a folder with a {}, or one of: {}",
                           kDescription, fmt::join(known, ", "))};
}

}  // namespace xsp::suite
