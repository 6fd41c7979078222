#include "measure/workers/worker_session.h"

#include <fmt/format.h>
#include <poll.h>

#include <charconv>
#include <csignal>
#include <fstream>
#include <utility>

#include "core/json_text.h"
#include "core/worker_error_kinds.h"
#include "os/core_wait.h"
#include "os/files.h"

namespace xsp::workers {

namespace fs = std::filesystem;
using nlohmann::json;
using os::LineRead;

namespace {

constexpr auto kGrace = std::chrono::seconds(5);  ///< To finish a call and close the recording.
/// Between the signals of one scheduler to the processes of a job.
constexpr int kSignalGraceMs = 200;
constexpr std::size_t kShownLine = 200;
/// Of the time until a deadline: threads that wait longer for a core are slow because of others.
constexpr double kHeldUpShare = 0.1;

std::string EventText(const json& event, const char* key) {
  const auto it = event.find(key);
  return it != event.end() && it->is_string() ? it->get<std::string>() : std::string();
}

std::string LastSaid(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  return std::string(text.substr(text.rfind('\n') + 1).substr(0, kShownLine));
}

std::vector<double> Numbers(const json& event, const char* key) {
  std::vector<double> numbers;
  const auto it = event.find(key);
  if (it == event.end() || !it->is_array()) return numbers;
  for (const json& number : *it)
    if (number.is_number()) numbers.push_back(number.get<double>());
  return numbers;
}

WorkerSession::Latencies LatenciesOf(const json& event) {
  return {Numbers(event, "latencies_ns"), Numbers(event, "baseline_ns")};
}

constexpr const char* kMemoryHint = "Use a smaller batch (--batch), or more memory.";

}  // namespace

WorkerSession::WorkerSession(os::Subprocess process, std::optional<os::MemoryLimit> limit,
                             os::Interrupts& interrupts)
    : limit_(std::move(limit)),
      process_(std::move(process)),
      interrupts_(&interrupts),
      memory_kills_before_(os::OutOfMemoryKills()) {}

Result<WorkerSession> WorkerSession::Start(const SessionPlan& plan, os::Interrupts& interrupts) {
  XSP_RETURN_IF_ERROR(os::WriteFileAtomically(plan.job_file, core::JsonText(plan.job, 1)));
  os::SpawnOptions options;
  options.argv = {
      plan.program.string(),   "predict",  "--job", plan.job_file.string(), "--recording",
      plan.recording.string(), "--control"};
  options.environment = plan.environment;
  std::optional<os::MemoryLimit> limit;
  if (plan.memory_limit_bytes > 0) {
    XSP_TRY(os::MemoryLimit made, os::MemoryLimit::Create(plan.memory_limit_bytes));
    limit.emplace(std::move(made));
    options.cgroup = limit->folder();
  }
  XSP_TRY(os::Subprocess process, os::Subprocess::Spawn(options));
  return WorkerSession(std::move(process), std::move(limit), interrupts);
}

Result<WorkerSession::Ready> WorkerSession::AwaitReady(Seconds timeout) {
  XSP_TRY(const json event, Await("ready", "loading and warm-up", timeout));
  const auto calls = event.find("warmup");
  const auto settled = event.find("settled");
  Ready ready;
  if (calls != event.end() && calls->is_number_integer()) ready.warmup_calls = calls->get<int>();
  if (settled != event.end() && settled->is_boolean()) ready.settled = settled->get<bool>();
  const auto call_ns = event.find("call_ns");
  if (call_ns != event.end() && call_ns->is_number()) ready.call_s = call_ns->get<double>() * 1e-9;
  const auto latency_ns = event.find("latency_ns");
  if (latency_ns != event.end() && latency_ns->is_number())
    ready.latency_s = latency_ns->get<double>() * 1e-9;
  if (const auto guessed = event.find("guessed"); guessed != event.end() && guessed->is_array()) {
    for (const json& guess : *guessed)
      if (guess.is_string()) ready.guessed.push_back(guess.get<std::string>());
  }
  return ready;
}

Result<WorkerSession::Ready> WorkerSession::LoadAnew(Seconds timeout) {
  // A failed write means that it ended; reading says why.
  (void)process_.WriteLine("load");
  return AwaitReady(timeout);
}

Result<WorkerSession::Latencies> WorkerSession::Run(int iterations, std::string_view rung,
                                                    Deadline deadline) {
  XSP_TRY(const json event,
          Make(iterations, fmt::format("run {}{}{}", iterations, rung.empty() ? "" : " ", rung),
               fmt::format("a block of {} calls", iterations), deadline));
  return LatenciesOf(event);
}

Result<WorkerSession::Latencies> WorkerSession::RunPairs(int count, std::string_view rung,
                                                         std::uint64_t seed, Deadline deadline) {
  XSP_TRY(const json event, Make(count, fmt::format("pairs {} {} {}", count, rung, seed),
                                 fmt::format("a block of {} pairs of calls", count), deadline));
  return LatenciesOf(event);
}

Status WorkerSession::Serve(int count, double rate_per_s, std::uint64_t seed, Deadline deadline) {
  XSP_TRY(const json event,
          Make(count, fmt::format("serve {} {} {}", count, rate_per_s, seed),
               fmt::format("{} requests at {:.4g} per second", count, rate_per_s), deadline));
  return Ok{};
}

Status WorkerSession::Evaluate(std::int64_t first, int count, Deadline deadline) {
  XSP_TRY(const json event, Make(count, fmt::format("evaluate {} {}", first, count),
                                 fmt::format("{} samples", count), deadline));
  return Ok{};
}

Result<json> WorkerSession::Make(int calls, std::string_view line, std::string_view doing,
                                 Deadline deadline) {
  const double waited_s = os::CoreWaitSeconds(process_.pid());
  // A failed write means that it ended; reading says why.
  (void)process_.WriteLine(line);
  XSP_TRY(json event, Await("done", doing, deadline, waited_s));
  const auto made = event.find("iterations");
  if (made == event.end() || *made != calls) {
    if (IsAskedToStop()) return EndAfterInterrupt();
    return EndAfterFault(fmt::format("made {} calls instead of {}",
                                     made == event.end() ? "?" : made->dump(), calls));
  }
  return event;
}

Status WorkerSession::Stop(Seconds timeout) {
  if (exit_) return Ok{};
  (void)process_.WriteLine("stop");
  process_.CloseStdin();
  exit_ = process_.Wait(std::chrono::duration_cast<os::Subprocess::Duration>(timeout));
  if (!exit_) return EndAfterSilence("closing its recording", timeout);
  if (!exit_->success()) {
    if (IsAskedToStop()) return EndAfterInterrupt();
    return DescribeEnd("closing its recording");
  }
  return Ok{};
}

Result<json> WorkerSession::Await(std::string_view expected, std::string_view doing,
                                  Deadline deadline, double waited_s) {
  const auto read_line = [this](Seconds timeout) {
    return process_.ReadLine(std::chrono::duration_cast<os::Subprocess::Duration>(timeout),
                             interrupts_->wake_fd());
  };
  LineRead read = read_line(deadline.quiet);
  const bool was_held_up =
      read.kind == LineRead::Kind::kTimeout && deadline.busy > deadline.quiet &&
      os::CoreWaitSeconds(process_.pid()) - waited_s > kHeldUpShare * deadline.quiet.count();
  if (was_held_up) read = read_line(deadline.busy - deadline.quiet);
  switch (read.kind) {
    case LineRead::Kind::kWoken:
      return EndAfterInterrupt();
    case LineRead::Kind::kTimeout:
      return EndAfterSilence(doing, was_held_up ? deadline.busy : deadline.quiet, was_held_up);
    case LineRead::Kind::kEnd:
      return IsAskedToStop() ? EndAfterInterrupt() : DescribeEnd(doing);
    case LineRead::Kind::kLine:
      break;
  }
  const json event = core::ParseJson(read.text);
  const std::string kind = event.is_object() ? EventText(event, "event") : "";
  if (kind == "error") return FromEvent(event);
  if (kind != expected) {
    return EndAfterFault(fmt::format("answered during {}, not with event {} but with: {}", doing,
                                     expected, read.text.substr(0, kShownLine)));
  }
  return event;
}

Error WorkerSession::FromEvent(const json& event) {
  process_.CloseStdin();
  exit_ = process_.Wait(kGrace);
  if (!exit_) exit_ = process_.Kill();
  const std::string what = EventText(event, "what");
  return {core::WorkerErrorNamed(EventText(event, "kind")).value_or(ErrorKind::kEnvironment),
          what.empty() ? "worker failed without a reason" : what, EventText(event, "hint")};
}

/// A scheduler of a cluster signals all processes of a job, and the worker may answer before this
/// process has got its own signal.
bool WorkerSession::IsAskedToStop() const {
  pollfd wake = {interrupts_->wake_fd(), POLLIN, 0};
  poll(&wake, 1, kSignalGraceMs);
  return interrupts_->stop();
}

Error WorkerSession::EndAfterInterrupt() {
  interrupts_->Acknowledge();
  // A worker answers SIGTERM by finishing the call and closing its recording.
  if (!exit_ && !interrupts_->give_up()) {
    process_.Signal(SIGTERM);
    for (;;) {
      const LineRead read = process_.ReadLine(kGrace, interrupts_->wake_fd());
      if (read.kind != LineRead::Kind::kLine) break;
    }
    if (!interrupts_->give_up()) exit_ = process_.Wait(std::chrono::seconds(1));
  }
  if (!exit_) exit_ = process_.Kill();
  return {ErrorKind::kInterrupted, "interrupted", ""};
}

Error WorkerSession::EndAfterSilence(std::string_view doing, Seconds timeout, bool was_held_up) {
  exit_ = process_.Kill();
  return {ErrorKind::kEnvironment,
          fmt::format("worker did not answer during {} and was killed after {:.3g} s", doing,
                      timeout.count()),
          was_held_up ? "Its threads waited for cores: measure on a quieter machine or with fewer "
                        "threads (--threads 1), or increase --deadline SECONDS."
                      : "If it is only slow, increase --deadline SECONDS."};
}

Error WorkerSession::EndAfterFault(std::string_view what) {
  exit_ = process_.Kill();
  return {ErrorKind::kEnvironment, fmt::format("worker broke the protocol: {}", what),
          "See docs/worker-protocol.md; the worker may have another version; rebuild it: "
          "`tools/build`."};
}

Error WorkerSession::DescribeEnd(std::string_view doing) {
  if (!exit_) exit_ = process_.Wait(kGrace);
  if (!exit_) exit_ = process_.Kill();
  const std::string last = LastSaid(stderr_tail());
  if (exit_->signal == SIGKILL) {
    const std::optional<std::int64_t> kills = os::OutOfMemoryKills();
    if (kills && memory_kills_before_ && *kills > *memory_kills_before_) {
      return {ErrorKind::kEnvironment,
              fmt::format(
                  "worker was killed by the kernel for lack of memory during {} (it used {} MiB)",
                  doing, exit_->peak_rss_bytes >> 20),
              kMemoryHint};
    }
    return {ErrorKind::kEnvironment,
            fmt::format("worker was killed during {}, probably for lack of memory (it used {} MiB)",
                        doing, exit_->peak_rss_bytes >> 20),
            kMemoryHint};
  }
  return {ErrorKind::kEnvironment,
          fmt::format("worker {} during {}: {}{}{}", exit_->signal != 0 ? "crashed" : "ended",
                      doing, os::ToString(*exit_), last.empty() ? "" : ": ", last),
          "run.json has an error excerpt (stderr)."};
}

std::optional<std::int64_t> WorkerSession::PeakMemoryBytes() const {
  if (exit_) return exit_->peak_rss_bytes;
  std::ifstream file(fmt::format("/proc/{}/status", process_.pid()));
  std::string line;
  while (std::getline(file, line)) {
    constexpr std::string_view kKey = "VmHWM:";
    if (!line.starts_with(kKey)) continue;
    const std::size_t start = std::min(line.find_first_not_of(" \t", kKey.size()), line.size());
    std::int64_t kib = 0;
    std::from_chars(line.data() + start, line.data() + line.size(), kib);
    return kib * 1024;
  }
  return std::nullopt;
}

}  // namespace xsp::workers
