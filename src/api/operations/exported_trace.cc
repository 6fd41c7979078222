#include "api/operations/exported_trace.h"

#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <tuple>

#include "answer/trace_formats/exported_run.h"
#include "answer/trace_formats/output_file.h"
#include "store/directory.h"

namespace xsp::api {
namespace {

namespace fs = std::filesystem;

/// A run to export, and the name of its file without extension.
struct ChosenRun {
  fs::path folder;
  std::string name;
};

/// How much a run shows by its run.json: whether its times count, levels that have spans, spans.
std::tuple<bool, std::int64_t, std::int64_t> DepthOf(const nlohmann::json& run) {
  const auto is = [&](const char* key, const char* value) {
    const auto found = run.find(key);
    return found != run.end() && *found == value;
  };
  const bool has_times = !is("rung", "details") && !is("status", "failed");
  std::int64_t levels = 0, spans = 0;
  const auto counts = run.find("spans");
  if (counts == run.end() || !counts->is_object()) return {has_times, 0, 0};
  for (const auto& [level, count] : counts->items()) {
    if (!count.is_number_integer()) continue;
    levels += count.get<std::int64_t>() > 0 ? 1 : 0;
    spans += count.get<std::int64_t>();
  }
  return {has_times, levels, spans};
}

Result<ChosenRun> ChooseRun(const fs::path& folder) {
  std::error_code error;
  fs::path absolute = fs::weakly_canonical(folder, error);
  if (error) absolute = folder;
  XSP_TRY(const store::Directory directory, store::Inspect(absolute));
  if (directory.kind == store::Directory::Kind::kRun)
    return ChosenRun{absolute, fmt::format("{}-{}", absolute.parent_path().filename().string(),
                                           absolute.filename().string())};
  if (directory.runs.empty())
    return Error{ErrorKind::kBadInput, fmt::format("experiment without runs: {}", folder.string()),
                 "Choose another with `xsp list`."};
  ChosenRun chosen;
  std::tuple<bool, std::int64_t, std::int64_t> best = {false, -1, -1};
  for (const store::RunFolder& run : directory.runs) {
    XSP_TRY(const store::Directory inspected, store::Inspect(run.path));
    const auto depth = DepthOf(inspected.json);
    if (depth <= best) continue;
    best = depth;
    chosen = {run.path, absolute.filename().string()};
  }
  return chosen;
}

}  // namespace

Result<Document> ExportTrace(const Context& context, const fs::path& folder,
                             const trace_formats::TraceFormatSpec& format, const fs::path& output) {
  XSP_TRY(const ChosenRun chosen, ChooseRun(folder));
  std::error_code error;
  const std::string name = chosen.name + std::string(format.extension);
  const fs::path path = output.empty()                    ? fs::path(name)
                        : fs::is_directory(output, error) ? output / name
                                                          : output;
  XSP_TRY(const auto run,
          trace_formats::ExportedRun::Open(
              chosen.folder, {.progress = context.progress, .interrupts = &context.interrupts()}));
  XSP_TRY(trace_formats::OutputFile out, trace_formats::OutputFile::Create(path));
  XSP_RETURN_IF_ERROR(format.write(run, out));
  XSP_RETURN_IF_ERROR(out.Commit());
  return Document{.content = nlohmann::json{{"file", path.string()},
                                            {"format", format.name},
                                            {"run", run.name()},
                                            {"spans", run.span_count()},
                                            {"bytes", out.bytes()}}};
}

}  // namespace xsp::api
