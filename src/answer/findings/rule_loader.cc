#include <fmt/format.h>
#include <fmt/ranges.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <string_view>
#include <utility>

#include "answer/analyze/analysis.h"
#include "answer/analyze/level.h"
#include "answer/analyze/yaml_fields.h"
#include "answer/findings/evidence.h"
#include "answer/findings/rule.h"
#include "answer/findings/sentence.h"
#include "core/nearest_word.h"
#include "os/files.h"

namespace xsp::findings {

namespace fs = std::filesystem;
using analyze::BrokenYaml;
using analyze::YamlFields;

namespace {

constexpr std::string_view kHint =
    "findings/README.md describes what a finding's folder holds; `tools/new finding NAME` makes a "
    "working one.";

bool IsSnakeCase(std::string_view text) {
  return !text.empty() && std::islower(static_cast<unsigned char>(text.front())) &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) {
           return std::islower(c) || std::isdigit(c) || c == '_';
         });
}

/// An error where `word` is none of `known`; the hint names the nearest.
Status CheckWord(const YamlFields& fields, const std::string& key, const std::string& word,
                 const std::vector<std::string_view>& known) {
  if (std::find(known.begin(), known.end(), word) != known.end()) return Ok{};
  Error error = fields.Broken(
      key, fmt::format("'{}' is not one of {}: {}", key, fmt::join(known, ", "), word));
  const std::string_view meant = core::NearestWord(word, known);
  if (!meant.empty()) error.hint = fmt::format("Did you mean {}? {}", meant, error.hint);
  return error;
}

Result<Severity> ReadSeverity(YamlFields& fields) {
  XSP_TRY(const std::string word, fields.Text("severity"));
  std::vector<std::string_view> known;
  for (const Severity severity : {Severity::kInfo, Severity::kNotice, Severity::kWarning}) {
    if (word == NameOf(severity)) return severity;
    known.push_back(NameOf(severity));
  }
  const Status unknown = CheckWord(fields, "severity", word, known);
  return unknown.error();
}

Result<int> ReadRank(YamlFields& fields) {
  XSP_TRY(const std::string text, fields.Text("rank"));
  int rank = 0;
  const char* end = text.data() + text.size();
  if (const auto read = std::from_chars(text.data(), end, rank);
      read.ec != std::errc() || read.ptr != end)
    return fields.Broken("rank", fmt::format("'rank' is not an integer: {}", text));
  return rank;
}

/// The entries of a list of maps, each read by `read`, with distinct names in snake_case.
template <typename Entry, typename Read>
Result<std::vector<Entry>> ReadNamed(const fs::path& file, const YAML::Node& list, Read read) {
  std::vector<Entry> entries;
  for (const YAML::Node& node : list) {
    if (!node.IsMap())
      return BrokenYaml(file, node.Mark(), "item is not a map with a name", std::string(kHint));
    YamlFields fields(file, node, std::string(kHint));
    Entry entry;
    XSP_TRY(entry.name, fields.Text("name"));
    XSP_RETURN_IF_ERROR(read(fields, entry));
    XSP_RETURN_IF_ERROR(fields.NothingElse());
    if (!IsSnakeCase(entry.name))
      return fields.Broken("name", fmt::format("'name' is not snake_case: {}", entry.name));
    if (std::any_of(entries.begin(), entries.end(),
                    [&](const Entry& other) { return other.name == entry.name; }))
      return fields.Broken("name", fmt::format("two items are named {}", entry.name));
    entries.push_back(std::move(entry));
  }
  return entries;
}

Status ReadThreshold(YamlFields& fields, Threshold& threshold) {
  XSP_TRY(threshold.value, fields.Number("value"));
  XSP_TRY(threshold.unit, fields.Text("unit"));
  XSP_TRY(threshold.source, fields.Text("source"));
  return CheckWord(fields, "unit", threshold.unit, KnownUnits());
}

Status ReadColumn(YamlFields& fields, Column& column) {
  XSP_TRY(column.unit, fields.Text("unit", false));
  XSP_TRY(column.help, fields.Text("help"));
  return CheckWord(fields, "unit", column.unit, KnownUnits());
}

Status ReadConfidence(const fs::path& file, YamlFields& root, Confidence& confidence) {
  XSP_TRY(const YAML::Node node, root.Map("confidence"));
  YamlFields fields(file, node, std::string(kHint));
  XSP_TRY(confidence.value, fields.Number("value"));
  XSP_TRY(confidence.reason, fields.Text("reason"));
  if (confidence.value < 0 || confidence.value > 1)
    return fields.Broken("value",
                         fmt::format("'value' is not between 0 and 1: {}", confidence.value));
  return fields.NothingElse();
}

Result<GainMethod> ReadGainMethod(const fs::path& file, YamlFields& root) {
  XSP_TRY(const YAML::Node node, root.Map("gain"));
  YamlFields fields(file, node, std::string(kHint));
  GainMethod gain;
  XSP_TRY(const std::string of, fields.Text("of"));
  XSP_RETURN_IF_ERROR(CheckWord(fields, "of", of, {"call", "program"}));
  gain.is_of_call = of == "call";
  XSP_TRY(gain.is_alternative, fields.Truth("alternative", false));
  XSP_TRY(gain.method, fields.Text("method"));
  XSP_TRY(gain.source, fields.Text("source"));
  XSP_RETURN_IF_ERROR(fields.NothingElse());
  return gain;
}

/// What says how the finding is ordered and when it is not asked for.
Status ReadOrder(YamlFields& fields, Rule& rule) {
  XSP_TRY(rule.needs, fields.Texts("needs"));
  XSP_TRY(const std::vector<analyze::Level>* known, analyze::KnownLevels());
  std::vector<std::string_view> levels;
  for (const analyze::Level& level : *known) levels.push_back(level.name);
  for (const std::string& level : rule.needs)
    XSP_RETURN_IF_ERROR(CheckWord(fields, "needs", level, levels));
  XSP_TRY(rule.severity, ReadSeverity(fields));
  XSP_TRY(rule.rank, ReadRank(fields));
  XSP_TRY(rule.is_first, fields.Truth("first", false));
  XSP_TRY(const std::string scope, fields.Text("scope"));
  XSP_RETURN_IF_ERROR(CheckWord(fields, "scope", scope, {"point", "experiment"}));
  rule.is_of_point = scope == "point";
  XSP_TRY(rule.withheld_by, fields.Texts("withheld_by"));
  return Ok{};
}

Status ReadHead(const fs::path& file, const YAML::Node& root, Rule& rule) {
  if (!root.IsMap())
    return BrokenYaml(file, root.Mark(), "not a map of title, severity, ...", std::string(kHint));
  YamlFields fields(file, root, std::string(kHint));
  XSP_TRY(rule.title, fields.Text("title"));
  XSP_RETURN_IF_ERROR(ReadOrder(fields, rule));
  XSP_TRY(const YAML::Node thresholds, fields.List("thresholds", false));
  XSP_TRY(rule.thresholds, ReadNamed<Threshold>(file, thresholds, ReadThreshold));
  XSP_TRY(const YAML::Node columns, fields.List("columns"));
  XSP_TRY(rule.columns, ReadNamed<Column>(file, columns, ReadColumn));
  XSP_TRY(rule.sentence, fields.Text("sentence"));
  XSP_TRY(rule.see, fields.Text("see"));
  XSP_TRY(rule.analysis, fields.Text("analysis", false));
  XSP_TRY(rule.refuted_by, fields.Text("refuted_by"));
  XSP_RETURN_IF_ERROR(ReadConfidence(file, fields, rule.confidence));
  if (root["gain"]) {
    XSP_TRY(rule.gain, ReadGainMethod(file, fields));
  }
  XSP_RETURN_IF_ERROR(fields.NothingElse());
  if (const Status checked = CheckSentence(rule); !checked.ok())
    return fields.Broken("sentence", checked.error().what);
  return Ok{};
}

Status ReadGainSql(Rule& rule) {
  const fs::path file = rule.folder / "gain.sql";
  if (!rule.gain) {
    if (!fs::exists(file)) return Ok{};
    return Error{ErrorKind::kBadInput,
                 fmt::format("finding.yaml has no key 'gain' for {}", file.string()),
                 std::string(kHint)};
  }
  XSP_TRY(rule.gain->sql, os::ReadFile(file));
  XSP_TRY(const std::string filled, GainSqlFor(rule, 0));
  static_cast<void>(filled);
  return Ok{};
}

Result<Rule> LoadFolder(const fs::path& folder) {
  Rule rule;
  rule.folder = folder;
  rule.id = folder.filename().string();
  if (!IsSnakeCase(rule.id)) {
    return Error{ErrorKind::kBadInput,
                 fmt::format("name of a finding's folder is not snake_case: {}", folder.string()),
                 std::string(kHint)};
  }
  const fs::path file = folder / "finding.yaml";
  XSP_TRY(const std::string yaml, os::ReadFile(file));
  try {
    XSP_RETURN_IF_ERROR(ReadHead(file, YAML::Load(yaml), rule));
  } catch (const YAML::Exception& error) {
    return BrokenYaml(file, error.mark, error.msg, std::string(kHint));
  }
  XSP_TRY(rule.sql, os::ReadFile(folder / "evidence.sql"));
  XSP_TRY(rule.text, os::ReadFile(folder / "README.md"));
  XSP_TRY(const std::string filled, SqlFor(rule, 0));
  static_cast<void>(filled);
  XSP_RETURN_IF_ERROR(ReadGainSql(rule));
  return rule;
}

/// The folders below `root` that hold a rule, or `root` itself if it is one.
Result<std::vector<fs::path>> RuleFolders(const fs::path& root) {
  std::error_code error;
  if (!fs::is_directory(root, error)) {
    return Error{ErrorKind::kBadInput, fmt::format("no such folder of findings: {}", root.string()),
                 ""};
  }
  // "findings/" names the same folder as "findings".
  if (fs::exists(root / "finding.yaml"))
    return std::vector<fs::path>{fs::weakly_canonical(root, error)};
  std::vector<fs::path> folders;
  for (auto entry = fs::directory_iterator(root, error); !error && entry != fs::end(entry);
       entry.increment(error)) {
    std::error_code ignored;
    if (!entry->path().filename().string().starts_with('.') && entry->is_directory(ignored))
      folders.push_back(entry->path());
  }
  if (error) {
    return Error{ErrorKind::kEnvironment,
                 fmt::format("cannot list: {}: {}", root.string(), error.message()), ""};
  }
  return folders;
}

Status CheckWithheldBy(const std::vector<Rule>& rules) {
  std::vector<std::string_view> known;
  for (const Rule& rule : rules)
    if (rule.withheld_by.empty()) known.push_back(rule.id);
  for (const Rule& rule : rules) {
    for (const std::string& id : rule.withheld_by) {
      if (std::find(known.begin(), known.end(), id) != known.end()) continue;
      const std::string_view meant = core::NearestWord(id, known);
      return Error{
          ErrorKind::kBadInput,
          fmt::format("'withheld_by' names no finding that always speaks: {}: {}", id,
                      (rule.folder / "finding.yaml").string()),
          meant.empty() ? std::string(kHint) : fmt::format("Did you mean {}? {}", meant, kHint)};
    }
  }
  return Ok{};
}

}  // namespace

std::string_view NameOf(Severity severity) {
  switch (severity) {
    case Severity::kInfo:
      return "info";
    case Severity::kNotice:
      return "notice";
    case Severity::kWarning:
      return "warning";
  }
  return "info";
}

Result<std::vector<Rule>> LoadRules(const std::vector<fs::path>& folders) {
  std::map<std::string, Rule> by_id;
  for (const fs::path& root : folders) {
    XSP_TRY(const std::vector<fs::path> found, RuleFolders(root));
    for (const fs::path& folder : found) {
      XSP_TRY(Rule rule, LoadFolder(folder));
      const auto known = by_id.find(rule.id);
      if (known != by_id.end()) {
        return Error{ErrorKind::kBadInput,
                     fmt::format("two findings have the id {}: {} and {}", rule.id,
                                 known->second.folder.string(), folder.string()),
                     "Rename one of the folders."};
      }
      by_id.emplace(rule.id, std::move(rule));
    }
  }
  std::vector<Rule> rules;
  for (auto& [id, rule] : by_id) rules.push_back(std::move(rule));
  XSP_RETURN_IF_ERROR(CheckWithheldBy(rules));
  return rules;
}

}  // namespace xsp::findings
