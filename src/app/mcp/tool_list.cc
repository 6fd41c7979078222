#include "app/mcp/tool_list.h"

#include <array>

namespace xsp::mcp {
namespace {

constexpr const char* kRunHelp =
    "EXPERIMENT or EXPERIMENT/RUN, as `list` names it, or latest (default)";

constexpr ToolField kRunField = {"run", kRunHelp};

constexpr std::array<ToolField, 1> kListFields = {
    {{"tag", "Only experiments with these tags: KEY or KEY=VALUE"}}};
constexpr std::array<ToolField, 1> kShowFields = {kRunField};
constexpr std::array<ToolField, 1> kFindingsFields = {kRunField};
constexpr std::array<ToolField, 3> kAnalyzeFields = {
    {{"id", "One id of the list in this tool's description"},
     {"run", "Names as `list` has them; default: the latest experiment"},
     {"batch"}}};
constexpr std::array<ToolField, 2> kCompareFields = {
    {{"side",
      "Two or more, the base first: EXPERIMENT, EXPERIMENT/RUN, or one point of an experiment with "
      "several: EXPERIMENT#batch=8,backend=torch (also device, precision, model, point)"},
     {"bound"}}};
constexpr std::array<ToolField, 2> kQueryFields = {
    {kRunField, {"sql", "One SELECT; add LIMIT and ORDER BY"}}};
constexpr std::array<ToolField, 8> kHistoryFields = {
    {{"model"}, {"metric"}, {"backend"}, {"batch"}, {"device"}, {"precision"}, {"since"}, {"tag"}}};
constexpr std::array<ToolField, 10> kSuggestFields = {{{"task"},
                                                       {"model"},
                                                       {"backend"},
                                                       {"precision"},
                                                       {"device"},
                                                       {"machine"},
                                                       {"bound"},
                                                       {"objective"},
                                                       {"predict"},
                                                       {"compare_models"}}};
constexpr std::array<ToolField, 1> kIdealFields = {kRunField};
constexpr std::array<ToolField, 4> kImportFields = {
    {{"file", "Files that a profiler wrote for one execution, or a folder of them"},
     {"name"},
     {"model"},
     {"device"}}};
constexpr std::array<ToolField, 10> kMeasureFields = {{{"model"},
                                                       {"backend"},
                                                       {"device"},
                                                       {"batch"},
                                                       {"depth"},
                                                       {"precision"},
                                                       {"threads"},
                                                       {"iterations"},
                                                       {"time_limit"},
                                                       {"name"}}};

constexpr std::array<ToolSpec, 12> kTools = {{
    {.name = "list",
     .title = "Experiments in the store",
     .description = "Lists the experiments in the store, oldest first: name, model, backend, "
                    "number of runs, status, tags. Start here: the names are what other tools "
                    "take as `run` and `side`.",
     .operation = "list",
     .fields = kListFields,
     .rows = {}},
    {.name = "findings",
     .title = "What stands out",
     .description =
         "The first tool for the question why a model is slow. Lists what stands out in an "
         "experiment, the largest gain first: a sentence, gain_ns [low, expected, high] per call "
         "or step (null: not known), confidence from 0 to 1, evidence, thresholds, and what would "
         "refute it. about.abstained has the rules that could not decide, and why.",
     .operation = "findings",
     .fields = kFindingsFields,
     .rows = {.pointers = {"/findings"}}},
    {.name = "analyze",
     .title = "One question about an experiment",
     .description =
         "Answers one question about an experiment with a table; about.columns has the unit and "
         "provenance of each column, about.missing what was not measured and how to get it. Ids, "
         "among others (a wrong one is answered with all): A1 batch sizes, A2 layers, A6 time by "
         "layer type, A8 kernels and what limits them, A10 kernels by name, A11 kernels by "
         "layer, A13 device time of layers, A14 roofline of layers, A15 roofline of the model, "
         "backends, communication, critical_path, device_breakdown, energy, idle_causes, "
         "kernel_launches, memory_holders, overhead, phases, pipeline, steps, top_down.",
     .operation = "analyze",
     .fields = kAnalyzeFields,
     .rows = {.pointers = {"/rows"}}},
    {.name = "compare",
     .title = "Which of two is faster, and where",
     .description =
         "Compares experiments, runs or points with the first one. about.verdict is of the second: "
         "faster, slower, no_difference, equivalent, inconclusive or unknown_noise; about.ratio is "
         "second / first with its 95 % interval low ... high; about.comparable lists what else "
         "differs. Rows are modules, operators and kernels, the largest difference_ns first; those "
         "with leaf = true add up to about.difference_ns.",
     .operation = "compare",
     .fields = kCompareFields,
     .rows = {.pointers = {"/rows", "/pairs"}, .order_by = "difference_ns"}},
    {.name = "query",
     .title = "SQL over an experiment",
     .description =
         "Read-only SQL (DuckDB) over an experiment or a run, for what no other tool answers. "
         "Tables: point, run, sample, layer, kernel, roof, diagnostic; raw: span, track, metric, "
         "counter, attribute. Columns and their meaning: SELECT column_name, data_type, comment "
         "FROM duckdb_columns() WHERE table_name = 'layer'. Aggregate in SQL rather than reading "
         "many rows.",
     .operation = "query",
     .fields = kQueryFields,
     .rows = {}},
    {.name = "show",
     .title = "What an experiment contains",
     .description =
         "Shows what was measured: about.points (model, backend, device, precision, batch size), "
         "the runs with their depth, and about.diagnostics of what could not be read. Use it if "
         "another tool reports that a level is missing.",
     .operation = "show",
     .fields = kShowFields,
     .rows = {.pointers = {"/runs"}}},
    {.name = "ideal",
     .title = "Distance of each layer to its limits",
     .description =
         "For each layer of the first point, the longest first: measured_ns, best_known_ns (the "
         "best time of the same work in the store) and bound_ns (the roofs of the machine). "
         "Answers how much could be gained at most, and where.",
     .operation = "ideal",
     .fields = kIdealFields,
     .rows = {.pointers = {"/points/0/layers"}, .order_by = "measured_ns"}},
    {.name = "history",
     .title = "A model over time",
     .description = "Shows every experiment of a model over time, in series that differ in time "
                    "alone: segments, change points with their size and interval, and what of the "
                    "hardware or software stack changed there. Answers when it became slower.",
     .operation = "history",
     .fields = kHistoryFields,
     .rows = {.pointers = {"/series"}}},
    {.name = "suggest",
     .title = "Which configuration to use",
     .description = "Suggests a model, backend, precision, batch size and machine within bounds, "
                    "from everything in the store. about.recommended has indices of rows; "
                    "about.sentences says why.",
     .operation = "suggest",
     .fields = kSuggestFields,
     .rows = {.pointers = {"/candidates"}}},
    {.name = "doctor",
     .title = "What this machine can measure",
     .description = "Lists the optional parts of XSP: found, or missing with the command that "
                    "installs them.",
     .operation = "doctor",
     .fields = {},
     .rows = {}},
    {.name = "import",
     .title = "Import a profile",
     .description = "Imports files that a profiler wrote (PyTorch, Chrome and other traces) into "
                    "the store. about.run is the experiment's name for the other tools; the rows "
                    "are diagnostics.",
     .operation = "import",
     .fields = kImportFields,
     .rows = {.pointers = {"/diagnostics"}},
     .permission = Permission::kImport},
    {.name = "run",
     .title = "Measure a model",
     .description = "Measures a model on this machine, which takes minutes, and stores the "
                    "experiment: about.experiment is its name. The rows are its points with "
                    "latency and interval.",
     .operation = "run",
     .fields = kMeasureFields,
     .rows = {.pointers = {"/points"}},
     .permission = Permission::kRun},
}};

}  // namespace

std::span<const ToolSpec> AllTools() { return kTools; }

std::vector<const ToolSpec*> AllowedTools(const ToolPermissions& permissions) {
  std::vector<const ToolSpec*> allowed;
  for (const ToolSpec& tool : kTools) {
    const bool is_allowed = tool.permission == Permission::kNone ||
                            (tool.permission == Permission::kImport && permissions.allow_import) ||
                            (tool.permission == Permission::kRun && permissions.allow_run);
    if (is_allowed) allowed.push_back(&tool);
  }
  return allowed;
}

}  // namespace xsp::mcp
