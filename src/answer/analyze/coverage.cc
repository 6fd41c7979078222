#include "answer/analyze/coverage.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "ingest/importers/importer.h"

namespace xsp::analyze {
namespace {

constexpr std::string_view kRecordedHint =
    "An unchanged program shows what its framework lets be seen from outside (docs/record.md); "
    "`xsp run MODEL` measures a model level by level.";

constexpr std::string_view kFactsSql = R"sql(
  -- What was measured here has a run that times calls beside one that counts.
  coalesce((SELECT bool_or(rung = 'imported') OR bool_and(rung = 'counters') FROM run), false) AS imported,
  coalesce((SELECT bool_or(rung = 'recorded') FROM run), false) AS recorded,
  coalesce((SELECT bool_and(rung = 'monitor') FROM run), false) AS monitored,
  (SELECT string_agg(DISTINCT CASE r.rung WHEN 'imported' THEN 'reported:' || p.backend
                                          ELSE 'measured:xsp' END, '+' ORDER BY
                     CASE r.rung WHEN 'imported' THEN 'reported:' || p.backend
                                 ELSE 'measured:xsp' END)
   FROM run r JOIN point p USING (point_id)) AS runs)sql";

constexpr std::string_view kFailuresSql = R"sql(
SELECT point_id, rung, min(message) AS message FROM run
WHERE status <> 'done' AND message IS NOT NULL GROUP BY point_id, rung ORDER BY point_id, rung
)sql";

std::string TextOf(const store::Cell& cell) {
  const auto* text = std::get_if<std::string>(&cell);
  return text == nullptr ? std::string() : *text;
}

bool IsTrue(const store::Cell& cell) {
  const auto* value = std::get_if<bool>(&cell);
  return value != nullptr && *value;
}

std::vector<const Level*> LevelsOf(const std::vector<Level>& levels, bool of_experiment) {
  std::vector<const Level*> chosen;
  for (const Level& level : levels)
    if (level.of_experiment == of_experiment) chosen.push_back(&level);
  return chosen;
}

/// The levels whose column of `row`, from `first` on, is true.
LevelNames Present(const std::vector<const Level*>& levels, const std::vector<store::Cell>& row,
                   std::size_t first) {
  LevelNames present;
  for (std::size_t i = 0; i < levels.size(); ++i)
    if (IsTrue(row.at(first + i))) present.insert(levels[i]->name);
  return present;
}

Result<std::vector<PointCoverage>> ReadPoints(const store::Database& database,
                                              const Experiments& experiments, std::string_view name,
                                              const std::vector<Level>& levels) {
  const std::vector<const Level*> of_points = LevelsOf(levels, false);
  std::string sql = "SELECT p.point_id, p.model, p.batch";
  for (const Level* level : of_points)
    sql += fmt::format(",\n  p.point_id IN ({}) AS \"{}\"", level->probe, level->name);
  sql += "\nFROM point p ORDER BY p.point_id";
  XSP_TRY(const store::Table rows, database.Query(OnOneExperiment(sql, experiments, name)));
  std::vector<PointCoverage> points;
  for (const auto& row : rows.rows) {
    PointCoverage point;
    if (const auto* id = std::get_if<std::int64_t>(&row[0])) point.point_id = *id;
    point.model = TextOf(row[1]);
    if (const auto* batch = std::get_if<std::int64_t>(&row[2])) point.batch = *batch;
    point.levels = Present(of_points, row, 3);
    points.push_back(std::move(point));
  }
  XSP_TRY(const store::Table failures,
          database.Query(OnOneExperiment(kFailuresSql, experiments, name)));
  for (const auto& row : failures.rows) {
    const auto* id = std::get_if<std::int64_t>(&row[0]);
    for (PointCoverage& point : points) {
      if (id != nullptr && point.point_id == *id) point.failures[TextOf(row[1])] = TextOf(row[2]);
    }
  }
  return points;
}

Status ReadFacts(const store::Database& database, const Experiments& experiments,
                 const std::vector<Level>& levels, Coverage& coverage) {
  const std::vector<const Level*> of_experiment = LevelsOf(levels, true);
  std::string sql = fmt::format("SELECT{}", kFactsSql);
  for (const Level* level : of_experiment)
    sql += fmt::format(",\n  EXISTS ({}) AS \"{}\"", level->probe, level->name);
  XSP_TRY(const store::Table facts,
          database.Query(OnOneExperiment(sql, experiments, coverage.experiment)));
  const auto& row = facts.rows.at(0);
  coverage.imported = IsTrue(row[0]);
  coverage.recorded = IsTrue(row[1]);
  coverage.monitored = IsTrue(row[2]);
  coverage.runs_provenance = TextOf(row[3]);
  coverage.levels = Present(of_experiment, row, 4);
  return Ok{};
}

/// "xsp run resnet50 --batch 4,8": what measures `points` again.
std::string RunCommand(const std::vector<const PointCoverage*>& points) {
  std::set<std::string> models;
  std::set<std::int64_t> batches;
  for (const PointCoverage* point : points) {
    models.insert(point->model);
    if (point->batch) batches.insert(*point->batch);
  }
  std::string command =
      fmt::format("xsp run {}", models.size() == 1 ? *models.begin() : std::string("MODEL"));
  if (!batches.empty()) command += fmt::format(" --batch {}", fmt::join(batches, ","));
  return command;
}

std::string NamesOf(const std::vector<const PointCoverage*>& points) {
  std::vector<std::string> names;
  for (const PointCoverage* point : points) {
    names.push_back(point->batch ? fmt::format("{} (batch {})", point->point_id, *point->batch)
                                 : fmt::format("{}", point->point_id));
  }
  return fmt::format("point{} {}", names.size() == 1 ? "" : "s", fmt::join(names, ", "));
}

/// `text` with its placeholders replaced, in one pass: a model may be called anything.
std::string Filled(std::string_view text, std::string_view command, std::string_view model) {
  std::string filled;
  while (!text.empty()) {
    const std::size_t at = std::min(text.find('{'), text.size());
    filled += text.substr(0, at);
    text.remove_prefix(at);
    if (text.starts_with("{command}")) {
      filled += command;
    } else if (text.starts_with("{model}")) {
      filled += model;
    } else {
      filled += text.substr(0, 1);
      text.remove_prefix(std::min<std::size_t>(1, text.size()));
      continue;
    }
    text.remove_prefix(text.find('}') + 1);
  }
  return filled;
}

/// The importer's words for `level` where it has some, else those for files of any format.
std::string_view ImportHint(const Level& level, const Coverage& coverage) {
  for (const std::string& format : coverage.formats)
    for (const ImporterSpec* importer : importers::AllImporters())
      for (const importers::LevelHint& hint : importer->hints)
        if (importer->name == format && hint.level == level.name) return hint.text;
  return level.import;
}

/// How `points` get `level`.
std::string Hint(const Level& level, const Coverage& coverage,
                 const std::vector<const PointCoverage*>& points) {
  std::string_view text = level.measure;
  if (coverage.recorded) {
    text = level.recorded.empty() ? kRecordedHint : std::string_view(level.recorded);
  } else if (coverage.imported) {
    text = ImportHint(level, coverage);
  }
  return Filled(text, RunCommand(points), points.front()->model);
}

MissingLevel ExplainOfPoints(const Level& level, const Coverage& coverage,
                             const std::vector<const PointCoverage*>& lacking) {
  std::string how = lacking.size() == coverage.points.size()
                        ? fmt::format("{} here.", level.what)
                        : fmt::format("{} at {}.", level.what, NamesOf(lacking));
  for (const PointCoverage* point : lacking) {
    const auto failure = point->failures.find(level.rung);
    if (failure == point->failures.end()) continue;
    how += fmt::format(" The {} run of {} did not end well: {}", level.rung, NamesOf({point}),
                       failure->second);
    if (!how.ends_with('.')) how += '.';
    break;
  }
  return {level.name, how + " " + Hint(level, coverage, lacking)};
}

std::vector<const PointCoverage*> Lacking(const Coverage& coverage, std::string_view level) {
  std::vector<const PointCoverage*> lacking;
  for (const PointCoverage& point : coverage.points) {
    if (!point.levels.contains(level)) lacking.push_back(&point);
  }
  return lacking;
}

/// The level to name for a missing `level`: the one it rests on, where that is missing as widely.
const Level& Deepest(const Level& level, const Coverage& coverage,
                     const std::vector<Level>& levels) {
  if (level.rests_on.empty()) return level;
  const Level* base = FindLevel(levels, level.rests_on);
  const bool is_as_wide = base != nullptr && Lacking(coverage, base->name).size() ==
                                                 Lacking(coverage, level.name).size();
  return is_as_wide ? *base : level;
}

/// Why the experiment does not have `level`; nothing: it has it.
std::optional<MissingLevel> Explain(const Level& level, const Coverage& coverage,
                                    const std::vector<Level>& levels) {
  if (level.of_experiment) {
    if (coverage.levels.contains(level.name)) return std::nullopt;
    return MissingLevel{level.name, Hint(level, coverage, {&coverage.points.front()})};
  }
  const auto lacking = Lacking(coverage, level.name);
  if (lacking.empty()) return std::nullopt;
  return ExplainOfPoints(Deepest(level, coverage, levels), coverage, lacking);
}

}  // namespace

Result<std::vector<Coverage>> ReadCoverage(const store::Database& database,
                                           const Experiments& experiments,
                                           const std::vector<Level>& levels) {
  std::vector<Coverage> all;
  for (const std::string& name : experiments.names) {
    Coverage coverage;
    coverage.experiment = name;
    coverage.formats = database.ImportedFormats(name);
    XSP_TRY(coverage.points, ReadPoints(database, experiments, name, levels));
    XSP_RETURN_IF_ERROR(ReadFacts(database, experiments, levels, coverage));
    all.push_back(std::move(coverage));
  }
  return all;
}

std::vector<MissingLevel> MissingLevels(const std::vector<std::string>& needs,
                                        const Coverage& coverage,
                                        const std::vector<Level>& levels) {
  std::vector<MissingLevel> missing;
  const std::string first = needs.empty() ? "model" : needs.front();
  if (coverage.points.empty()) {
    missing.push_back(
        {first,
         "Nothing was measured here. An analysis reads the tables of an experiment, which a "
         "single run does not have: `xsp list` names the experiments."});
    return missing;
  }
  std::vector<const Level*> needed;
  for (const std::string& need : needs)
    if (const Level* level = FindLevel(levels, need)) needed.push_back(level);
  if (coverage.monitored && std::none_of(needed.begin(), needed.end(), [](const Level* level) {
        return level->seen_by_monitor;
      })) {
    missing.push_back(
        {first,
         "The machine was sampled here, and not what the program did. `xsp run MODEL` measures a "
         "model; a profile that another tool recorded of the program is read by `xsp import`."});
    return missing;
  }
  for (const Level* level : needed) {
    const std::optional<MissingLevel> found = Explain(*level, coverage, levels);
    const auto is_known = [&](const MissingLevel& other) { return other.level == found->level; };
    if (found && std::none_of(missing.begin(), missing.end(), is_known)) missing.push_back(*found);
  }
  return missing;
}

}  // namespace xsp::analyze
