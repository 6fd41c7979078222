#ifndef XSP_APP_CLI_PROGRAM_H_
#define XSP_APP_CLI_PROGRAM_H_

namespace xsp::cli {

/// Reads the command line, performs what it asks for, and says errors on stderr. Takes the
/// arguments of main(); returns the exit status.
int RunProgram(int argc, char** argv);

}  // namespace xsp::cli

#endif  // XSP_APP_CLI_PROGRAM_H_
