#include "answer/suite/jobs/launch.h"

#include <sys/prctl.h>

#include <barrier>
#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "os/subprocess.h"

namespace xsp::suite::jobs {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

Ended RunOne(const Launch& launch, std::size_t index, std::size_t count, std::barrier<>& together) {
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
  const auto exit = process.value().Wait(std::chrono::hours(24));
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

Error Damaged(const char* what) {
  return {ErrorKind::kBadInput, std::string("not a list of ") + what, ""};
}

}  // namespace

std::vector<Ended> StartTogether(const std::vector<Launch>& launches) {
  // The monitor that we run under lets its program go on when it is killed; the jobs must not.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::vector<Ended> ended(launches.size());
  std::barrier together(static_cast<std::ptrdiff_t>(launches.size()));
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < launches.size(); ++i)
    threads.emplace_back([&, i] { ended[i] = RunOne(launches[i], i, launches.size(), together); });
  for (std::thread& thread : threads) thread.join();
  return ended;
}

json ToJson(const std::vector<Launch>& launches) {
  json list = json::array();
  for (const Launch& launch : launches)
    list.push_back({{"job", launch.job}, {"argv", launch.argv}});
  return list;
}

json ToJson(const std::vector<Ended>& ended) {
  json list = json::array();
  for (const Ended& one : ended)
    list.push_back({{"job", one.job},
                    {"seconds", one.seconds},
                    {"cpu_seconds", one.cpu_seconds},
                    {"exit", one.exit},
                    {"success", one.success},
                    {"stderr", one.stderr_tail}});
  return list;
}

Result<std::vector<Launch>> LaunchesOf(const std::string& text) {
  try {
    std::vector<Launch> launches;
    for (const json& one : json::parse(text))
      launches.push_back(
          {one.at("job").get<std::string>(), one.at("argv").get<std::vector<std::string>>()});
    return launches;
  } catch (const json::exception&) {
    return Damaged("programs to start");
  }
}

Result<std::vector<Ended>> EndedOf(const std::string& text) {
  try {
    std::vector<Ended> list;
    for (const json& one : json::parse(text))
      list.push_back({one.at("job").get<std::string>(), one.at("seconds").get<double>(),
                      one.at("cpu_seconds").get<double>(), one.at("exit").get<std::string>(),
                      one.at("success").get<bool>(), one.at("stderr").get<std::string>()});
    return list;
  } catch (const json::exception&) {
    return Damaged("programs that ended");
  }
}

}  // namespace xsp::suite::jobs
