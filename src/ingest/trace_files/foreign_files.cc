#include "ingest/trace_files/foreign_files.h"

#include <array>
#include <string>

namespace xsp::trace_files {
namespace {

/// Of the file's beginning, all of `marks` somewhere; or its name ends in `ending`.
struct Known {
  std::array<std::string_view, 2> marks;  ///< Empty ones hold always; both empty: only the ending.
  bool at_start;                          ///< The first mark is the file's first bytes.
  std::string_view ending;
  ForeignFile file;
};

constexpr std::string_view kRecordIt =
    "Record the program itself: `xsp record -- PROGRAM`. Of PyTorch, a trace of torch.profiler "
    "(export_chrome_trace) can be imported, too.";

constexpr Known kKnown[] = {
    {{"\"Session\"", "session_initialization"},
     false,
     "",
     {"an ONNX Runtime profile, whose events belong to no call and may be capped at a million",
      "Run the model (`xsp run MODEL.onnx --backend onnxruntime`), or record the program (`xsp "
      "record -- PROGRAM`): both show its nodes by call."}},
    {{"SQLite format 3", ""},
     true,
     "",
     {"an SQLite database, as Nsight Systems, nvprof and rocprofv3 export", kRecordIt}},
    {{"", ""}, false, ".nsys-rep", {"an Nsight Systems report", kRecordIt}},
    {{"", ""}, false, ".qdrep", {"an Nsight Systems report", kRecordIt}},
    {{"", ""},
     false,
     ".ncu-rep",
     {"an Nsight Compute report",
      "`xsp record --cuda-metrics roofline -- PROGRAM` reads the counters of kernels itself."}},
    {{"", ""},
     false,
     ".xplane.pb",
     {"an XPlane of TensorFlow or JAX",
      "Import the `.trace.json.gz` beside it, where the profiler wrote one: it has ranges by "
      "thread. Or record the program: `xsp record -- PROGRAM`."}},
    {{"PERFILE2", ""},
     true,
     "",
     {"a recording of perf", "`xsp record --stacks -- PROGRAM` samples call stacks itself."}},
    {{"", ""},
     false,
     ".pftrace",
     {"a Perfetto trace in binary form",
      "Convert it with Perfetto's own tool: `traceconv json FILE trace.json`, and import that."}},
    {{"", ""},
     false,
     ".perfetto-trace",
     {"a Perfetto trace in binary form",
      "Convert it with Perfetto's own tool: `traceconv json FILE trace.json`, and import that."}},
    {{"dnn_verbose,", ""},
     false,
     "",
     {"oneDNN's verbose text",
      "`xsp run` and `xsp record -- PROGRAM` record the same primitives with their layers."}},
    {{"https://www.speedscope.app/file-format-schema.json", ""},
     false,
     "",
     {"a Speedscope profile", "`xsp record --stacks -- PROGRAM` samples call stacks itself."}},
    {{"\"Kernel Name\"", "\"Metric Name\""},
     false,
     "",
     {"CSV of Nsight Compute",
      "`xsp record --cuda-metrics roofline -- PROGRAM` reads the counters of kernels itself."}},
};

}  // namespace

std::optional<ForeignFile> ForeignFileOf(std::string_view prefix,
                                         const std::filesystem::path& file) {
  const std::string name = file.filename().string();
  for (const Known& known : kKnown) {
    if (!known.ending.empty()) {
      if (name.ends_with(known.ending)) return known.file;
      continue;
    }
    const bool first = known.at_start ? prefix.starts_with(known.marks[0])
                                      : prefix.find(known.marks[0]) != std::string_view::npos;
    if (first && prefix.find(known.marks[1]) != std::string_view::npos) return known.file;
  }
  return std::nullopt;
}

}  // namespace xsp::trace_files
