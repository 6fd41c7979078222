#include "answer/suite/xsp_program.h"

#include <chrono>
#include <csignal>
#include <utility>

#include "answer/suite/error_excerpt.h"
#include "answer/suite/stop_request.h"

namespace xsp::suite {

using namespace std::chrono_literals;

Result<XspOutcome> RunXsp(const CommandContext& context, std::vector<std::string> arguments,
                          const std::vector<std::string>& program) {
  if (context.xsp.empty())
    return Error{ErrorKind::kInternal, "the path of the running xsp is not known", ""};
  os::SpawnOptions options;
  options.argv = {context.xsp.string()};
  options.argv.insert(options.argv.end(), arguments.begin(), arguments.end());
  options.argv.insert(options.argv.end(), {"--store", context.store.string()});
  if (!program.empty()) options.argv.emplace_back("--");
  options.argv.insert(options.argv.end(), program.begin(), program.end());

  const StopRequest stop;
  XSP_TRY(os::Subprocess child, os::Subprocess::Spawn(options));
  child.CloseStdin();
  XspOutcome outcome;
  while (true) {
    const os::LineRead line = child.ReadLine(24h, stop.descriptor());
    if (line.kind == os::LineRead::Kind::kLine) outcome.out += line.text + "\n";
    if (line.kind == os::LineRead::Kind::kEnd) break;
    if (line.kind != os::LineRead::Kind::kWoken) continue;
    child.Signal(SIGINT);
    if (!child.Wait(30s)) child.Kill();
    return Error{ErrorKind::kInterrupted, "interrupted", "what was measured before is kept"};
  }
  const auto exit = child.Wait(24h);
  if (!exit) return Error{ErrorKind::kEnvironment, "xsp did not end within a day", ""};
  outcome.exit = *exit;
  outcome.message = ErrorExcerpt(child.stderr_tail());
  return outcome;
}

std::string StoreName(const std::vector<std::string>& parts) {
  std::string name;
  for (const std::string& part : parts) {
    if (part.empty()) continue;
    if (!name.empty()) name += '-';
    for (const char c : part) {
      const bool kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                        (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
      name += kept ? c : '_';
    }
  }
  return name;
}

}  // namespace xsp::suite
