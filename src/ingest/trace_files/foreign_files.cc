#include "ingest/trace_files/foreign_files.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "ingest/importers/sqlite_tables.h"
#include "ingest/importers/zip_members.h"

namespace xsp::trace_files {
namespace {

using importers::kSqliteMagic;
using importers::kZipMagic;

/// A kind of file: all that is stated here must hold.
struct Known {
  std::array<std::string_view, 2> marks = {};  ///< Somewhere in the first bytes.
  std::string_view start = {};                 ///< The first bytes.
  std::string_view ending = {};                ///< Of the file's name.
  /// Each is the beginning of the name of a table of an SQLite database.
  std::array<std::string_view, 2> tables = {};
  std::string_view member = {};  ///< End of the name of a member of a ZIP archive.
  ForeignFile file;
};

constexpr std::string_view kRecordIt =
    "Record the program itself: `xsp record -- PROGRAM`. Of PyTorch, a trace of torch.profiler "
    "(export_chrome_trace) can be imported, too.";

constexpr std::string_view kStacks = "`xsp record --stacks -- PROGRAM` samples call stacks itself.";
constexpr std::string_view kMetrics =
    "`xsp record --cuda-metrics roofline -- PROGRAM` reads the counters of kernels itself.";
constexpr ForeignFile kNsightSystems = {"an Nsight Systems report", kRecordIt};
constexpr ForeignFile kPerfetto = {
    "a Perfetto trace in binary form",
    "Convert it with Perfetto's own tool: `traceconv json FILE trace.json`, and import that."};

// The first that holds, so the more exact ones come first.
constexpr Known kKnown[] = {
    {.marks = {"\"Session\"", "session_initialization"},
     .file = {"an ONNX Runtime profile, whose events belong to no call and may be capped at a "
              "million",
              "Run the model (`xsp run MODEL.onnx --backend onnxruntime`), or record the program "
              "(`xsp record -- PROGRAM`): both show its nodes by call."}},
    // https://docs.nvidia.com/nsight-systems/UserGuide, "SQLite Schema Reference".
    {.tables = {"StringIds", "TARGET_INFO_"},
     .file = {"an Nsight Systems report, exported as SQLite", kRecordIt}},
    {.tables = {"StringTable", "CUPTI_ACTIVITY_KIND_"},
     .file = {"a profile of nvprof (SQLite)", kRecordIt}},
    {.tables = {"rocpd_"}, .file = {"a profile of rocprofv3 or rpd (SQLite)", kRecordIt}},
    {.start = kSqliteMagic,
     .file = {"an SQLite database, as Nsight Systems, nvprof and rocprofv3 export", kRecordIt}},
    {.member = "/data.pkl",
     .file = {"a PyTorch model or its weights, no trace",
              "`xsp run` measures a model; `xsp import` reads what a profiler wrote."}},
    {.start = kZipMagic,
     .file = {"a ZIP archive", "Unpack it, and import the traces in it or their folder."}},
    {.ending = ".nsys-rep", .file = kNsightSystems},
    {.ending = ".qdrep", .file = kNsightSystems},
    {.ending = ".ncu-rep", .file = {"an Nsight Compute report", kMetrics}},
    {.ending = ".xplane.pb",
     .file = {"an XPlane of TensorFlow or JAX",
              "Import the `.trace.json.gz` beside it, where the profiler wrote one: it has ranges "
              "by thread. Or record the program: `xsp record -- PROGRAM`."}},
    {.start = "PERFILE2", .file = {"a recording of perf", kStacks}},
    {.ending = ".pftrace", .file = kPerfetto},
    {.ending = ".perfetto-trace", .file = kPerfetto},
    {.marks = {"dnn_verbose,"},
     .file = {"oneDNN's verbose text",
              "`xsp run` and `xsp record -- PROGRAM` record the same primitives with their "
              "layers."}},
    {.marks = {"https://www.speedscope.app/file-format-schema.json"},
     .file = {"a Speedscope profile", kStacks}},
    {.marks = {"\"Kernel Name\"", "\"Metric Name\""}, .file = {"CSV of Nsight Compute", kMetrics}},
};

/// Whether `is_so` holds for one of `names`.
template <typename IsSo>
bool AnyOf(const std::vector<std::string>& names, IsSo is_so) {
  return std::any_of(names.begin(), names.end(), is_so);
}

bool Holds(const Known& known, const importers::SniffInput& input) {
  const std::string_view bytes = input.first_bytes();
  const auto is_in = [&](std::string_view mark) { return bytes.find(mark) != bytes.npos; };
  const auto is_table = [&](std::string_view start) {
    return start.empty() ||
           AnyOf(input.tables(), [&](const std::string& name) { return name.starts_with(start); });
  };
  const auto ends_so = [&](const std::string& name) { return name.ends_with(known.member); };
  return std::all_of(known.marks.begin(), known.marks.end(), is_in) &&
         bytes.starts_with(known.start) && input.file_name().ends_with(known.ending) &&
         std::all_of(known.tables.begin(), known.tables.end(), is_table) &&
         (known.member.empty() || AnyOf(input.members(), ends_so));
}

}  // namespace

std::optional<ForeignFile> ForeignFileOf(const importers::SniffInput& input) {
  for (const Known& known : kKnown)
    if (Holds(known, input)) return known.file;
  return std::nullopt;
}

}  // namespace xsp::trace_files
