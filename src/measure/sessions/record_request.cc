#include "measure/sessions/record_request.h"

namespace xsp::sessions {

std::string NameOfProgram(const std::vector<std::string>& argv) {
  const auto file_name = [](const std::string& path) {
    const std::string name = std::filesystem::path(path).filename().string();
    return name.empty() ? std::string("program") : name;
  };
  const std::string program = file_name(argv.front());
  if (!program.starts_with("python")) return program;
  for (std::size_t i = 1; i < argv.size(); ++i) {
    if (argv[i] == "-m" && i + 1 < argv.size()) return argv[i + 1];
    if (argv[i] == "-c") return program;
    if (argv[i] == "-W" || argv[i] == "-X")
      ++i;  // Options with a value of their own.
    else if (!argv[i].starts_with('-'))
      return file_name(argv[i]);
  }
  return program;
}

}  // namespace xsp::sessions
