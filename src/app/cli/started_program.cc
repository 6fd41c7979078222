#include "app/cli/started_program.h"

#include <cstdio>
#include <fstream>

#include "app/cli/output.h"
#include "app/cli/program_arguments.h"
#include "os/foreground_program.h"

namespace xsp::cli {

Status DeliverBeside(const std::filesystem::path& file, const std::string& text) {
  if (file.empty()) {
    if (ProgramArguments().empty()) {
      PrintLine(text);
    } else {
      Say(text);
    }
    return Ok{};
  }
  std::ofstream stream(file);
  stream << text << (text.ends_with('\n') ? "" : "\n");
  if (stream.flush()) return Ok{};
  return Error{ErrorKind::kEnvironment, "cannot write " + file.string(), ""};
}

int EndAsTheProgram(const os::ExitStatus& exit) {
  if (exit.signal == 0) return exit.code;
  std::fflush(nullptr);
  os::EndBySignal(exit.signal);
  return 128 + exit.signal;
}

Result<int> EndAsTheProgram(const os::ExitStatus& exit, const Status& delivered) {
  if (delivered.ok()) return EndAsTheProgram(exit);
  if (exit.success()) return delivered.error();
  Say("error: " + delivered.error().what);
  return EndAsTheProgram(exit);
}

}  // namespace xsp::cli
