#include "measure/alternatives/alternatives_program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>
#include <vector>

#include "core/clock_text.h"
#include "core/json_text.h"
#include "os/paths.h"
#include "os/subprocess.h"

namespace xsp::alternatives {
namespace {

namespace fs = std::filesystem;

struct Kind {
  const char *program, *hint;
};
constexpr Kind kOnCpu = {"xsp-onednn-alternatives",
                         "`tools/setup --onednn && tools/build` (oneDNN, 39 MB)"};
constexpr Kind kOnGpu = {"xsp-cuda-alternatives", "tools/build makes it; it needs no CUDA toolkit"};

constexpr std::chrono::seconds kVersionTimeout{30}, kDevicesTimeout{60};
// Beyond the limit that the program keeps itself: it ends what it has begun.
constexpr double kGraceSeconds = 60;

std::string FirstLine(std::string_view text) {
  constexpr std::string_view kError = "error: ";
  if (text.starts_with(kError)) text.remove_prefix(kError.size());
  return std::string(text.substr(0, text.find('\n')));
}

Result<std::string> OutputOf(const fs::path& program, std::vector<std::string> arguments,
                             std::chrono::nanoseconds timeout, int wake_fd) {
  constexpr int kNotPossible = 4;  // As main.cc of the programs says.
  os::SpawnOptions options;
  options.argv = {program.string()};
  for (std::string& argument : arguments) options.argv.push_back(std::move(argument));
  // Else each call adds lines to what it prints.
  options.environment = {{"ONEDNN_VERBOSE", "0"}, {"DNNL_VERBOSE", "0"}};
  XSP_TRY(os::Completed done, os::RunToEnd(options, timeout, 1 << 24, wake_fd));
  if (done.exit.success()) return std::move(done.out);
  const bool not_possible = done.exit.signal == 0 && done.exit.code == kNotPossible;
  return Error{not_possible ? ErrorKind::kNotPossible : ErrorKind::kEnvironment,
               fmt::format("alternatives could not be measured: {}: {}", os::ToString(done.exit),
                           FirstLine(done.stderr_tail)),
               fmt::format("run `{} --version` to see whether it works", program.string())};
}

/// Of devices by ordinal; empty where they are none.
std::vector<std::string> NamesFrom(const std::string& text) {
  const auto array = core::ParseJson(text);
  std::vector<std::string> names;
  for (const auto& name : array.is_array() ? array : nlohmann::json::array())
    names.push_back(name.is_string() ? name.get<std::string>() : std::string());
  return names;
}

}  // namespace

Result<AlternativesProgram> AlternativesProgram::Find(bool is_gpu) {
  const Kind& kind = is_gpu ? kOnGpu : kOnCpu;
  const auto found = os::FindExecutable(kind.program, os::WorkerFolders());
  if (!found)
    return Error{
        ErrorKind::kNotPossible,
        fmt::format("alternatives of primitives are not measured: {} is not there", kind.program),
        kind.hint};
  AlternativesProgram program;
  program.program_ = *found;
  XSP_TRY(const std::string version, OutputOf(*found, {"--version"}, kVersionTimeout, -1));
  program.library_ = FirstLine(version);
  if (program.library_.empty())
    return Error{ErrorKind::kEnvironment,
                 fmt::format("the program does not name its library: {}", found->string()),
                 "tools/build rebuilds it"};
  return program;
}

Result<int> AlternativesProgram::UnitOf(const Processor& processor, int wake_fd) const {
  if (!processor.is_gpu) return processor.threads;
  auto text = OutputOf(program_, {"--devices"}, kDevicesTimeout, wake_fd);
  // Without a driver there is none: what the program says of it is the reason.
  if (!text.ok() && text.error().kind != ErrorKind::kNotPossible) return text.error();
  const std::vector<std::string> names =
      text.ok() ? NamesFrom(text.value()) : std::vector<std::string>();
  const auto ordinal = static_cast<std::size_t>(std::max(processor.ordinal, 0));
  if (ordinal < names.size() && names[ordinal] == processor.name) return processor.ordinal;
  const auto first = std::ranges::find(names, processor.name);
  if (first != names.end()) return static_cast<int>(first - names.begin());
  return Error{
      ErrorKind::kBadInput,
      fmt::format("alternatives are measured on the GPU of the experiment: {}; {}", processor.name,
                  !text.ok()      ? text.error().what
                  : names.empty() ? std::string("none is here")
                                  : fmt::format("here: {}", fmt::join(names, ", "))),
      "Measure the experiment again here (`xsp run`), or run this command there."};
}

Result<Measured> AlternativesProgram::Measure(const PrimitiveWork& work, int unit, double limit_s,
                                              int wake_fd) const {
  const auto timeout = std::chrono::duration_cast<std::chrono::nanoseconds>(
      std::chrono::duration<double>(limit_s + kGraceSeconds));
  XSP_TRY(const std::string text, OutputOf(program_,
                                           {std::to_string(unit), fmt::format("{:.3f}", limit_s),
                                            core::JsonText(ToJson(work))},
                                           timeout, wake_fd));
  auto measured = MeasuredFromJson(core::ParseJson(text));
  if (!measured)
    return Error{
        ErrorKind::kEnvironment,
        fmt::format("the program printed something else than alternatives: {}", program_.string()),
        "tools/build rebuilds it"};
  measured->measured_at = core::NowRfc3339();
  return *std::move(measured);
}

}  // namespace xsp::alternatives
