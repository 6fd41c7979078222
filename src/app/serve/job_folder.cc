#include "app/serve/job_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <string_view>
#include <utility>

#include "core/json_text.h"
#include "measure/live/level_sink.h"
#include "os/files.h"

namespace xsp::serve {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t kLogTail = std::size_t{256} << 10;
constexpr std::size_t kProgressTail = std::size_t{4} << 10;
constexpr std::uint64_t kLargestResult = std::uint64_t{256} << 20;
constexpr std::uint64_t kLargestLevels = std::uint64_t{4} << 20;
constexpr std::uint64_t kLargestJob = std::uint64_t{4} << 20;
constexpr std::string_view kProgressLine = R"({"progress":)";

/// The last `bytes` of a file; nothing of one that is not there.
std::string Tail(const fs::path& file, std::size_t bytes) {
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  if (!in) return {};
  const auto size = static_cast<std::size_t>(std::max<std::streamoff>(0, in.tellg()));
  const std::size_t read = std::min(size, bytes);
  std::string text(read, '\0');
  in.seekg(static_cast<std::streamoff>(size - read));
  in.read(text.data(), static_cast<std::streamsize>(read));
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

std::vector<std::string_view> Lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

std::optional<int> ReadNumber(const fs::path& file) {
  const std::string text = Tail(file, 32);
  int number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc()) return std::nullopt;
  return number;
}

std::optional<JobProgress> ProgressOf(std::string_view line) {
  const json parsed = core::ParseJson(line);
  const auto found = parsed.find("progress");
  if (found == parsed.end() || !found->is_object()) return std::nullopt;
  JobProgress progress;
  if (const auto it = found->find("step"); it != found->end() && it->is_string())
    progress.step = it->get<std::string>();
  if (const auto it = found->find("fraction"); it != found->end() && it->is_number())
    progress.fraction = std::clamp(it->get<double>(), 0.0, 1.0);
  if (const auto it = found->find("remaining_s"); it != found->end() && it->is_number())
    progress.remaining_s = it->get<double>();
  return progress;
}

std::optional<JobState> StateOf(std::string_view name) {
  for (const JobState state : {JobState::kQueued, JobState::kRunning, JobState::kDone,
                               JobState::kFailed, JobState::kCancelled, JobState::kInterrupted})
    if (NameOf(state) == name) return state;
  return std::nullopt;
}

}  // namespace

Status JobFolder::Create(const Job& job, const json& request_of_process) const {
  std::error_code error;
  fs::create_directories(path_, error);
  if (error)
    return Error{ErrorKind::kEnvironment,
                 fmt::format("cannot create {}: {}", path_.string(), error.message()),
                 "Free space on the store's disk, or check its permissions."};
  XSP_RETURN_IF_ERROR(
      os::WriteFileAtomically(path_ / "request.json", core::JsonText(request_of_process)));
  return Save(job);
}

Status JobFolder::Save(const Job& job) const {
  json document = ToJson(job, 0);
  document["error"] = {{"what", job.error_what}, {"hint", job.error_hint}};
  return os::WriteFileAtomically(path_ / "job.json", core::JsonText(document, 1));
}

Result<Job> JobFolder::Load() const {
  XSP_TRY(const std::string text, os::ReadFile(path_ / "job.json", kLargestJob));
  const json document = core::ParseJson(text);
  const auto damaged = Error{ErrorKind::kBadInput, "damaged job: " + path_.string(), ""};
  if (!document.is_object()) return damaged;
  const auto read = [&](const json& object, const char* name) {
    const auto found = object.find(name);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  Job job;
  job.id = path_.filename().string();
  job.operation = read(document, "operation");
  job.request = document.value("request", json::object());
  job.command = read(document, "command");
  job.user = read(document, "user");
  const std::optional<JobState> state = StateOf(read(document, "state"));
  if (!state || job.operation.empty()) return damaged;
  job.state = *state;
  job.created = read(document, "created");
  job.started = read(document, "started");
  job.ended = read(document, "ended");
  if (const auto it = document.find("exit_status"); it != document.end() && it->is_number_integer())
    job.exit_status = it->get<int>();
  if (const auto it = document.find("error"); it != document.end() && it->is_object()) {
    job.error_what = read(*it, "what");
    job.error_hint = read(*it, "hint");
  }
  job.experiment = read(document, "experiment");
  return job;
}

std::optional<int> JobFolder::RunningProcess() const {
  const std::optional<int> process = ReadNumber(path_ / "process");
  if (!process || *process <= 1) return std::nullopt;
  // The number may be another process's by now: ours has this folder among its arguments.
  std::ifstream in(fmt::format("/proc/{}/cmdline", *process), std::ios::binary);
  const std::string command((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (command.find(path_.string() + '\0') == std::string::npos) return std::nullopt;
  return process;
}

std::optional<int> JobFolder::ExitStatus() const { return ReadNumber(path_ / "status"); }

std::optional<JobProgress> JobFolder::ReadProgress() const {
  const std::string tail = Tail(path_ / "log", kProgressTail);
  const std::vector<std::string_view> lines = Lines(tail);
  for (auto line = lines.rbegin(); line != lines.rend(); ++line)
    if (line->starts_with(kProgressLine))
      if (const auto progress = ProgressOf(*line)) return progress;
  return std::nullopt;
}

std::string JobFolder::ReadLog() const {
  const std::string tail = Tail(path_ / "log", kLogTail);
  std::string log;
  for (const std::string_view line : Lines(tail))
    if (!line.starts_with(kProgressLine)) log.append(line).append("\n");
  return log;
}

std::string JobFolder::WatchLevels() const {
  const std::ofstream touched(live::LevelSink::WatchedFile(levels()), std::ios::trunc);
  // Written by our own process, yet in one piece: it is replaced at once.
  const auto text = os::ReadFile(levels(), kLargestLevels);
  return text.ok() && core::IsJson(text.value()) ? text.value() : R"({"runs": []})";
}

Result<std::string> JobFolder::ReadResult() const {
  XSP_TRY(std::string text, os::ReadFile(path_ / "result.json", kLargestResult));
  if (!core::IsJson(text))
    return Error{ErrorKind::kBadInput, "the job has no result", "Its log says why."};
  return text;
}

std::vector<fs::path> JobFolders(const fs::path& jobs) {
  std::vector<fs::path> folders;
  std::error_code error;
  for (fs::directory_iterator it(jobs, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    const bool is_number =
        !name.empty() && std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
    if (is_number) folders.push_back(it->path());
  }
  std::ranges::sort(folders);
  return folders;
}

}  // namespace xsp::serve
