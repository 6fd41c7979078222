#include "tests/warm_python.h"

#include <chrono>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "os/subprocess.h"
#include "source_dir.h"

namespace xsp::workers_test {

bool RunsScript(const std::string& python, const std::vector<std::string>& modules,
                const std::vector<std::string>& argv) {
  static std::map<std::string, os::Subprocess> started;
  auto warm = started.find(python);
  if (warm == started.end()) {
    os::SpawnOptions options;
    const auto program = std::filesystem::path(XSP_SOURCE_DIR) / "tests" / "warm_python.py";
    options.argv = {python, program.string()};
    options.argv.insert(options.argv.end(), modules.begin(), modules.end());
    auto spawned = os::Subprocess::Spawn(options);
    if (!spawned.ok()) return false;
    warm = started.emplace(python, std::move(spawned).value()).first;
  }
  const nlohmann::json command = {{"argv", argv}, {"out", "/dev/null"}, {"err", "/dev/null"}};
  if (warm->second.WriteLine(command.dump()).ok()) {
    const os::LineRead answer = warm->second.ReadLine(std::chrono::minutes(5));
    if (answer.kind == os::LineRead::Kind::kLine) return answer.text == "0";
  }
  started.erase(warm);
  return false;
}

}  // namespace xsp::workers_test
