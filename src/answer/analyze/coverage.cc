#include "answer/analyze/coverage.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace xsp::analyze {
namespace {

/// A level that points have or lack: what it is called, and where it comes from. {0} is the command
/// that measures this experiment's model.
struct LevelText {
  std::string_view level;
  std::string_view rests_on;  ///< A level without which this one cannot be; empty: none.
  std::string_view rung;      ///< The run whose failure explains its absence.
  std::string_view what;
  std::string_view measure;  ///< How to get it where we measured.
  std::string_view import;   ///< How to get it where a file was imported.
};

constexpr std::array<LevelText, 19> kLevels = {{
    {"model", "", "model", "There is no latency of the model call",
     "`{0} --depth model` measures it.",
     "Import a file that has model calls or steps (in PyTorch: `profiler.step()`, or a "
     "`record_function` range around the call)."},
    {"layer", "", "layer", "There are no layers", "`{0} --depth layer` measures them.",
     "Import the framework's own trace of the same execution along with the file: `xsp import "
     "TRACE FILE`."},
    {"memory", "layer", "details", "There is no memory of layers",
     "`{0} --depth layer` reads it in a pass of its own.",
     "Record the trace with the memory of operators (in PyTorch: `profile_memory=True`) and import "
     "it again."},
    {"kernel", "", "kernel", "There are no kernels", "`{0} --depth kernel` measures them.",
     "Record the trace with the device's activity (in PyTorch: `ProfilerActivity.CUDA`)."},
    {"flops", "kernel", "kernel", "There are no FLOPs of kernels",
     "`{0} --depth kernel` derives them from what each library call was asked to do, `{0} --depth "
     "counters` counts them where the device can.",
     "Record the program with `xsp record --cuda-metrics flops,dram -- COMMAND`, which measures "
     "them "
     "on an NVIDIA GPU in a run of its own."},
    {"traffic", "kernel", "kernel", "There is no memory traffic of kernels",
     "`{0} --depth kernel` derives it from the operands, `{0} --depth counters` counts it where "
     "the "
     "device can.",
     "Record the program with `xsp record --cuda-metrics flops,dram -- COMMAND`, which measures "
     "them "
     "on an NVIDIA GPU in a run of its own."},
    {"timeline", "", "kernel", "There is no timeline", "`{0} --depth kernel` records one.",
     "Import a file that holds events with times, not sums."},
    {"device", "", "kernel", "There is no work of a device (GPU stream or queue)",
     "On a CPU the layers' own times tell where the time goes; on a device `{0} --depth kernel` "
     "records its work.",
     "Record the trace with the device's activity (in PyTorch: `ProfilerActivity.CUDA`)."},
    {"steps", "timeline", "kernel", "There are no steps",
     "`{0} --depth kernel` records model calls.",
     "Mark the steps when recording (in PyTorch: `profiler.step()` in the loop)."},
    {"training", "steps", "kernel", "There are no training steps with their phases",
     "`xsp record -- python3 train.py` finds them in a PyTorch program.",
     "A PyTorch trace has them where its steps (`profiler.step()` in the loop) hold a backward "
     "pass or an optimizer."},
    {"communication", "device", "kernel", "No communication kernel ran on the device",
     "A model that runs on one device has none.",
     "An execution on one device has none; import the files of all ranks together: `xsp import "
     "RANK0 RANK1 ...`."},
    {"comparison", "model", "model", "There is nothing to compare with",
     "`{0} --backend all` measures the model on every framework here that takes it.",
     "Compare two imported files with `xsp analyze models A B`."},
    {"scenario", "model", "model", "No load scenario was measured",
     "`{0} --scenario server --latency-bound 50ms` finds the highest rate that keeps a bound.",
     "Load is put on a model, not read from a file: `xsp run MODEL --scenario server "
     "--latency-bound 50ms`."},
    {"evaluation", "model", "model", "No data set was taken through the model",
     "`{0} --dataset FOLDER` does so (docs/datasets.md).",
     "A data set is taken through a model, not read from a file: `xsp run MODEL --dataset "
     "FOLDER`."},
    {"allocations", "timeline", "details", "There is no record of single allocations",
     "`{0} --depth layer` reads the memory of each layer.",
     "Record the trace with them (in PyTorch: `profile_memory=True`) and import it again."},
    {"stacks", "", "model", "No call stacks were sampled",
     "`xsp record --stacks -- PROGRAM` samples those of any program.",
     "`xsp record --stacks -- PROGRAM` samples those of any program."},
    {"system", "", "model", "The system monitor saw nothing of the machine",
     "`xsp monitor -- {0}` samples it while the model is measured.",
     "Another program is sampled while it runs: `xsp monitor -- PROGRAM`."},
    {"counters", "", "counters", "Nothing was counted",
     "`{0} --depth counters` counts what this machine shows: on every one page faults, context "
     "switches and CPU time, else cycles, instructions, caches and FLOPs (`xsp doctor` says "
     "which).",
     "Counters are read while a model runs: `xsp run MODEL --depth counters`."},
    {"energy", "", "model", "No energy was measured",
     "`{0}` measures it where the machine shows energy or power (`xsp doctor` says whether, and "
     "what "
     "to do).",
     "`xsp record -- PROGRAM` measures it beside a program, where the machine shows energy or "
     "power "
     "(`xsp doctor` says whether)."},
}};

constexpr std::string_view kRecordedHint =
    "An unchanged program shows what its framework lets be seen from outside (docs/record.md); "
    "`xsp run MODEL` measures a model level by level.";

constexpr std::string_view kCoverageSql = R"sql(
WITH layers AS (
  SELECT point_id, count(allocated_bytes) AS memory, count(flops) AS flops,
         count(read_bytes + write_bytes) AS traffic
  FROM layer GROUP BY point_id),
kernels AS (
  SELECT point_id, count(flops) AS flops, count(read_bytes + write_bytes) AS traffic
  FROM kernel GROUP BY point_id)
SELECT p.point_id, p.model, p.batch, p.latency_ns IS NOT NULL AS model_level,
       l.point_id IS NOT NULL AS layer_level, coalesce(l.memory, 0) > 0 AS memory,
       k.point_id IS NOT NULL AS kernel_level,
       coalesce(l.flops, 0) + coalesce(k.flops, 0) > 0 AS flops,
       coalesce(l.traffic, 0) + coalesce(k.traffic, 0) > 0 AS traffic,
       p.point_id IN (SELECT point_id FROM run JOIN tree USING (run_id)) AS timeline,
       p.point_id IN (SELECT point_id FROM run JOIN device_time USING (run_id)) AS device,
       p.point_id IN (SELECT point_id FROM run JOIN step USING (run_id)) AS steps,
       p.point_id IN (SELECT point_id FROM run JOIN training_phase USING (run_id)) AS training,
       p.point_id IN (SELECT point_id FROM run JOIN collective USING (run_id)) AS communication,
       p.point_id IN (SELECT point_id FROM run JOIN memory_level USING (run_id)) AS allocations,
       p.point_id IN (SELECT point_id FROM comparison) AS comparison,
       p.point_id IN (SELECT point_id FROM scenario) AS scenario,
       p.point_id IN (SELECT point_id FROM evaluation) AS evaluation,
       p.point_id IN (SELECT point_id FROM run JOIN call_tree USING (run_id)) AS stacks,
       p.point_id IN (SELECT point_id FROM run JOIN system_usage USING (run_id)) AS system,
       p.point_id IN (SELECT point_id FROM event_count) AS counters,
       p.point_id IN (SELECT point_id FROM energy) AS energy
FROM point p LEFT JOIN layers l USING (point_id) LEFT JOIN kernels k USING (point_id)
ORDER BY p.point_id
)sql";

constexpr std::string_view kFactsSql = R"sql(
SELECT
  coalesce((SELECT bool_or(rung = 'imported') FROM run), false) AS imported,
  coalesce((SELECT bool_or(rung = 'recorded') FROM run), false) AS recorded,
  EXISTS (SELECT 1 FROM roof WHERE used AND kind = 'flops')
    AND EXISTS (SELECT 1 FROM roof WHERE used AND kind = 'bandwidth') AS roof,
  coalesce((SELECT max(n) > 1 FROM (SELECT count(DISTINCT batch) AS n FROM point
                                    GROUP BY model, backend, device, settings)), false) AS batches,
  (SELECT string_agg(DISTINCT CASE r.rung WHEN 'imported' THEN 'reported:' || p.backend
                                          ELSE 'measured:xsp' END, '+' ORDER BY
                     CASE r.rung WHEN 'imported' THEN 'reported:' || p.backend
                                 ELSE 'measured:xsp' END)
   FROM run r JOIN point p USING (point_id)) AS runs,
  coalesce((SELECT bool_and(rung = 'monitor') FROM run), false) AS monitored
)sql";

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

Result<std::vector<PointCoverage>> ReadPoints(const store::Database& database,
                                              const Experiments& experiments,
                                              std::string_view name) {
  XSP_TRY(const store::Table rows,
          database.Query(OnOneExperiment(kCoverageSql, experiments, name)));
  std::vector<PointCoverage> points;
  for (const auto& row : rows.rows) {
    PointCoverage point;
    if (const auto* id = std::get_if<std::int64_t>(&row[0])) point.point_id = *id;
    point.model = TextOf(row[1]);
    if (const auto* batch = std::get_if<std::int64_t>(&row[2])) point.batch = *batch;
    constexpr std::array<std::string_view, 19> kInColumns = {
        "model",         "layer",       "memory",     "kernel",   "flops",
        "traffic",       "timeline",    "device",     "steps",    "training",
        "communication", "allocations", "comparison", "scenario", "evaluation",
        "stacks",        "system",      "counters",   "energy"};
    for (std::size_t i = 0; i < kInColumns.size(); ++i) {
      if (IsTrue(row[3 + i])) point.levels.emplace(kInColumns[i]);
    }
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

MissingLevel Explain(const LevelText& text, const Coverage& coverage,
                     const std::vector<const PointCoverage*>& lacking) {
  std::string how = lacking.size() == coverage.points.size()
                        ? fmt::format("{} here.", text.what)
                        : fmt::format("{} at {}.", text.what, NamesOf(lacking));
  for (const PointCoverage* point : lacking) {
    const auto failure = point->failures.find(text.rung);
    if (failure == point->failures.end()) continue;
    how += fmt::format(" The {} run of {} did not end well: {}", text.rung, NamesOf({point}),
                       failure->second);
    if (!how.ends_with('.')) how += '.';
    break;
  }
  how += " ";
  if (coverage.recorded && text.level != "stacks" && text.level != "energy") {
    how += kRecordedHint;
  } else if (coverage.imported) {
    how += text.import;
  } else {
    how += fmt::format(fmt::runtime(text.measure), RunCommand(lacking));
  }
  return {std::string(text.level), how};
}

MissingLevel ExplainRoof(const Coverage& coverage) {
  if (coverage.recorded) {
    return {
        "roof",
        "No roofs are stored with this recording: it has no kernels, or `--no-roofs` was given."};
  }
  if (coverage.imported) {
    return {"roof",
            "The roofs of the device that this file is from are not known, so bound and fraction "
            "of the roof stay empty; intensity and throughput hold."};
  }
  return {"roof",
          fmt::format("No roofs are stored with this experiment. `xsp system` measures this "
                      "machine's, then `{}` stores them.",
                      RunCommand({&coverage.points.front()}))};
}

MissingLevel ExplainBatches(const Coverage& coverage) {
  if (coverage.recorded)
    return {"batches", fmt::format("One batch size is not enough. {}", kRecordedHint)};
  if (coverage.imported) {
    return {"batches",
            "One batch size is not enough to name an optimal one. Import a file of each batch size "
            "and compare them: `xsp compare A B`."};
  }
  return {"batches", fmt::format("One batch size is not enough to name an optimal one. `xsp run {} "
                                 "--batch 1,2,4,8,16` measures more.",
                                 coverage.points.front().model)};
}

std::vector<const PointCoverage*> Lacking(const Coverage& coverage, std::string_view level) {
  std::vector<const PointCoverage*> lacking;
  for (const PointCoverage& point : coverage.points) {
    if (!point.levels.contains(level)) lacking.push_back(&point);
  }
  return lacking;
}

/// The level to name for a missing `text`: the one it rests on, where that is missing as widely.
const LevelText& Deepest(const LevelText& text, const Coverage& coverage) {
  if (text.rests_on.empty()) return text;
  const auto* base = std::find_if(kLevels.begin(), kLevels.end(), [&](const LevelText& other) {
    return other.level == text.rests_on;
  });
  return Lacking(coverage, base->level).size() == Lacking(coverage, text.level).size() ? *base
                                                                                       : text;
}

}  // namespace

const std::vector<std::string>& KnownLevels() {
  static const std::vector<std::string> levels = {
      "model",      "batches",  "layer",      "memory", "kernel",   "flops",         "traffic",
      "roof",       "timeline", "device",     "steps",  "training", "communication", "allocations",
      "comparison", "scenario", "evaluation", "stacks", "system",   "counters",      "energy"};
  return levels;
}

Result<std::vector<Coverage>> ReadCoverage(const store::Database& database,
                                           const Experiments& experiments) {
  std::vector<Coverage> all;
  for (const std::string& name : experiments.names) {
    Coverage coverage;
    coverage.experiment = name;
    XSP_TRY(coverage.points, ReadPoints(database, experiments, name));
    XSP_TRY(const store::Table facts,
            database.Query(OnOneExperiment(kFactsSql, experiments, name)));
    const auto& row = facts.rows.at(0);
    coverage.imported = IsTrue(row[0]);
    coverage.recorded = IsTrue(row[1]);
    coverage.roof = IsTrue(row[2]);
    coverage.batches = IsTrue(row[3]);
    coverage.runs_provenance = TextOf(row[4]);
    coverage.monitored = IsTrue(row[5]);
    all.push_back(std::move(coverage));
  }
  return all;
}

std::vector<MissingLevel> MissingLevels(const std::vector<std::string>& needs,
                                        const Coverage& coverage) {
  std::vector<MissingLevel> missing;
  if (coverage.points.empty()) {
    missing.push_back(
        {needs.empty() ? "model" : needs.front(),
         "Nothing was measured here. An analysis reads the tables of an experiment, which a "
         "single run does not have: `xsp list` names the experiments."});
    return missing;
  }
  if (coverage.monitored && std::find(needs.begin(), needs.end(), "system") == needs.end()) {
    missing.push_back(
        {needs.empty() ? "model" : needs.front(),
         "The machine was sampled here, and not what the program did. `xsp run MODEL` measures a "
         "model; a profile that another tool recorded of the program is read by `xsp import`."});
    return missing;
  }
  const auto add = [&](MissingLevel level) {
    if (std::none_of(missing.begin(), missing.end(),
                     [&](const MissingLevel& other) { return other.level == level.level; })) {
      missing.push_back(std::move(level));
    }
  };
  for (const std::string& need : needs) {
    if (need == "roof") {
      if (!coverage.roof) add(ExplainRoof(coverage));
    } else if (need == "batches") {
      if (!coverage.batches) add(ExplainBatches(coverage));
    } else {
      const auto* text = std::find_if(kLevels.begin(), kLevels.end(),
                                      [&](const LevelText& level) { return level.level == need; });
      const auto lacking = Lacking(coverage, need);
      if (text == kLevels.end() || lacking.empty()) continue;
      add(Explain(Deepest(*text, coverage), coverage, lacking));
    }
  }
  return missing;
}

}  // namespace xsp::analyze
