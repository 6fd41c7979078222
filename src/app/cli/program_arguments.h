#ifndef XSP_APP_CLI_PROGRAM_ARGUMENTS_H_
#define XSP_APP_CLI_PROGRAM_ARGUMENTS_H_

#include <string>
#include <vector>

namespace xsp::cli {

/// What stands after the first `--` of the command line: another program and its arguments, for a
/// command that starts one. Kept from the reader of options, which would take "[a,b]" for two.
/// Written once by main(). Empty: nothing stands there.
std::vector<std::string>& ProgramArguments();

/// Takes the `--` and all after it away from a command line, and keeps it. Returns the number of
/// arguments before it.
int KeepProgramArguments(int argc, char** argv);

}  // namespace xsp::cli

#endif  // XSP_APP_CLI_PROGRAM_ARGUMENTS_H_
