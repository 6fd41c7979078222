#include "app/cli/program_arguments.h"

#include <algorithm>
#include <string_view>

namespace xsp::cli {

std::vector<std::string>& ProgramArguments() {
  static std::vector<std::string> arguments;
  return arguments;
}

int KeepProgramArguments(int argc, char** argv) {
  char** const end = argv + argc;
  char** const dashes =
      std::find_if(argv, end, [](const char* text) { return std::string_view(text) == "--"; });
  if (dashes != end) ProgramArguments().assign(dashes + 1, end);
  return static_cast<int>(dashes - argv);
}

}  // namespace xsp::cli
