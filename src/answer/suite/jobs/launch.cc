#include "answer/suite/jobs/launch.h"

#include <barrier>
#include <chrono>
#include <optional>
#include <thread>

#include "os/subprocess.h"

namespace xsp::suite::jobs {
namespace {

using Clock = std::chrono::steady_clock;

/// Its end; nothing after a day. A request to stop kills it.
std::optional<os::ExitStatus> WaitOrKill(os::Subprocess& process,
                                         const os::Interrupts& interrupts) {
  constexpr auto kBetweenLooks = std::chrono::milliseconds(100);
  const auto end = Clock::now() + std::chrono::hours(24);
  while (Clock::now() < end) {
    if (const auto exit = process.Wait(kBetweenLooks)) return exit;
    if (interrupts.stop()) return process.Kill();
  }
  return std::nullopt;
}

Ended RunOne(const Launch& launch, std::size_t index, std::size_t count,
             const os::Interrupts& interrupts, std::barrier<>& together) {
  Ended ended;
  ended.job = launch.job;
  os::SpawnOptions options;
  options.argv = launch.argv;
  options.environment = {{"XSP_JOB_INDEX", std::to_string(index)},
                         {"XSP_JOB_COUNT", std::to_string(count)}};
  together.arrive_and_wait();
  const auto start = Clock::now();
  auto process = os::Subprocess::Spawn(options);
  if (!process.ok()) {
    ended.exit = process.error().what;
    return ended;
  }
  process.value().CloseStdin();
  const auto exit = WaitOrKill(process.value(), interrupts);
  ended.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  ended.stderr_tail = process.value().stderr_tail();
  if (!exit) {
    ended.exit = "did not end within a day";
    return ended;
  }
  ended.cpu_seconds = 1e-9 * static_cast<double>(exit->user_ns + exit->system_ns);
  ended.exit = os::ToString(*exit);
  ended.success = exit->success();
  return ended;
}

}  // namespace

std::vector<Ended> StartTogether(const std::vector<Launch>& launches,
                                 const os::Interrupts& interrupts) {
  std::vector<Ended> ended(launches.size());
  std::barrier together(static_cast<std::ptrdiff_t>(launches.size()));
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < launches.size(); ++i)
    threads.emplace_back(
        [&, i] { ended[i] = RunOne(launches[i], i, launches.size(), interrupts, together); });
  for (std::thread& thread : threads) thread.join();
  return ended;
}

}  // namespace xsp::suite::jobs
