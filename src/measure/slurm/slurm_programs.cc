#include "measure/slurm/slurm_programs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <charconv>
#include <chrono>
#include <string_view>
#include <utility>

#include "measure/slurm/batch_job.h"
#include "os/paths.h"
#include "os/subprocess.h"

namespace xsp::slurm {
namespace {

/// A controller that is busy answers late.
constexpr auto kPatience = std::chrono::seconds(60);

Result<os::Completed> RunProgram(std::vector<std::string> argv) {
  os::SpawnOptions options;
  options.argv = std::move(argv);
  return os::RunToEnd(options, kPatience, std::size_t{1} << 28);
}

/// What a program printed to stderr, in one line.
std::string WordsOf(const os::Completed& completed) {
  std::string words;
  for (const char c : completed.stderr_tail) words += c == '\n' ? ' ' : c;
  while (!words.empty() && words.back() == ' ') words.pop_back();
  return words.empty() ? ToString(completed.exit) : words;
}

/// Of a program that is asked for something that need not be known.
std::string OutOf(std::vector<std::string> argv) {
  auto completed = RunProgram(std::move(argv));
  if (!completed.ok() || !completed.value().exit.success()) return {};
  return std::move(completed).value().out;
}

bool IsInstalled(std::string_view program) {
  const std::string path = os::Environment("PATH").value_or("");
  std::vector<std::filesystem::path> folders;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find(':', begin), path.size());
    folders.emplace_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return os::FindExecutable(program, folders).has_value();
}

Result<os::Completed> RunSqueue(const char* format, const std::vector<std::string>& more) {
  // Users set these to see fewer jobs.
  std::vector<std::string> argv = {"env"};
  for (const char* filter : {"ACCOUNT", "LICENSES", "NAMES", "PARTITION", "QOS", "USERS"}) {
    argv.emplace_back("-u");
    argv.push_back(fmt::format("SQUEUE_{}", filter));
  }
  for (const char* word :
       {"SLURM_TIME_FORMAT=%s", "squeue", "--noheader", "--all", "--array", "--states=all"})
    argv.emplace_back(word);
  argv.push_back(fmt::format("--format={}", format));
  argv.insert(argv.end(), more.begin(), more.end());
  return RunProgram(std::move(argv));
}

Error NoAnswer(const os::Completed& completed) {
  return {ErrorKind::kEnvironment, "squeue gives no answer: " + WordsOf(completed),
          "`scontrol ping` shows whether Slurm's controller runs."};
}

Error ScancelFails(const os::Completed& completed) {
  return {ErrorKind::kEnvironment, "scancel fails: " + WordsOf(completed),
          "`squeue --me` lists the jobs that are left."};
}

}  // namespace

Status CheckInstalled() {
  for (const char* program : {"sbatch", "squeue", "scancel"})
    if (!IsInstalled(program))
      return Error{ErrorKind::kNotPossible,
                   fmt::format("Slurm is not installed here: no {}", program),
                   "Run this on a login node of the cluster, or install Slurm's commands: apt-get "
                   "install slurm-client"};
  return Ok{};
}

Result<std::string> Submit(std::vector<std::string> arguments,
                           const std::filesystem::path& script) {
  arguments.push_back(script.string());
  XSP_TRY(const os::Completed completed, RunProgram(std::move(arguments)));
  if (!completed.exit.success())
    return Error{
        ErrorKind::kBadInput, "sbatch refuses the jobs: " + WordsOf(completed),
        "Change --partition, --account, --slurm-option, or `slurm` of the sweep's machines; "
        "`sinfo` and `scontrol show node` show what the cluster has."};
  std::string job = ParseJobId(completed.out);
  if (job.empty())
    return Error{ErrorKind::kEnvironment, "sbatch printed no job id: " + completed.out,
                 "`squeue --me` shows whether the jobs were submitted."};
  return job;
}

Result<std::vector<QueuedTask>> ReadQueue() {
  XSP_TRY(const os::Completed completed, RunSqueue(kQueueFormat, {}));
  if (!completed.exit.success()) return NoAnswer(completed);
  return ParseQueue(completed.out);
}

Result<std::vector<QueuedTask>> ReadQueueOf(const std::string& job) {
  XSP_TRY(const os::Completed completed, RunSqueue(kQueueFormat, {"--jobs=" + job}));
  if (completed.exit.success()) return ParseQueue(completed.out);
  if (WordsOf(completed).find("Invalid job id") != std::string::npos)
    return std::vector<QueuedTask>{};
  return NoAnswer(completed);
}

Result<std::vector<JobTimes>> ReadTimes(const std::vector<std::string>& jobs) {
  XSP_TRY(const os::Completed completed,
          RunSqueue(kTimesFormat, {fmt::format("--jobs={}", fmt::join(jobs, ","))}));
  if (completed.exit.success()) return ParseTimes(completed.out);
  if (WordsOf(completed).find("Invalid job id") != std::string::npos)
    return std::vector<JobTimes>{};
  return NoAnswer(completed);
}

ClusterNodes ReadNodes() {
  return ParseNodes(OutOf({"sinfo", "--noheader", fmt::format("--format={}", kNodesFormat)}));
}

int ReadArrayLimit() { return ParseArrayLimit(OutOf({"scontrol", "show", "config"})); }

Status Cancel(const std::vector<std::string>& jobs) {
  if (jobs.empty()) return Ok{};
  std::vector<std::string> argv = {"scancel"};
  argv.insert(argv.end(), jobs.begin(), jobs.end());
  XSP_TRY(const os::Completed completed, RunProgram(std::move(argv)));
  if (completed.exit.success()) return Ok{};
  return ScancelFails(completed);
}

Status AskToStop(const std::string& job) {
  XSP_TRY(const os::Completed cancelled, RunProgram({"scancel", "--state=PENDING", job}));
  if (!cancelled.exit.success()) return ScancelFails(cancelled);
  // Of a job that waited there is nothing to be signalled.
  XSP_TRY(const os::Completed asked, RunProgram({"scancel", "--signal=TERM", "--batch", job}));
  (void)asked;
  return Ok{};
}

OwnTask ReadOwnTask() {
  OwnTask task;
  task.job = os::Environment("SLURM_ARRAY_JOB_ID").value_or("");
  task.node = os::Environment("SLURMD_NODENAME").value_or("");
  const std::string index = os::Environment("SLURM_ARRAY_TASK_ID").value_or("");
  int number = -1;
  const auto read = std::from_chars(index.data(), index.data() + index.size(), number);
  if (read.ec == std::errc() && read.ptr == index.data() + index.size()) task.index = number;
  return task;
}

void NameTask(const OwnTask& task, const std::string& name) {
  if (task.job.empty() || task.index < 0) return;
  // Not by the id of the task's own job: that of the last task is the whole array's.
  OutOf({"scontrol", "update", fmt::format("JobId={}_{}", task.job, task.index),
         "JobName=" + ShownName(name)});
}

}  // namespace xsp::slurm
