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

Result<int> EndAsTheProgram(const api::Document& document, const Status& delivered) {
  if (!delivered.ok()) {
    if (document.exit_status == 0) return delivered.error();
    Say("error: " + delivered.error().what);
  }
  const nlohmann::json& program = std::get<nlohmann::json>(document.content).at("program");
  const int signal = program.is_null() ? 0 : program.value("signal", 0);
  if (signal == 0) return document.exit_status;
  std::fflush(nullptr);
  os::EndBySignal(signal);
  return document.exit_status;
}

}  // namespace xsp::cli
