#ifndef XSP_APP_CLI_STARTED_PROGRAM_H_
#define XSP_APP_CLI_STARTED_PROGRAM_H_

#include <filesystem>
#include <string>

#include "core/result.h"
#include "os/subprocess.h"

namespace xsp::cli {

// What commands have in common that start a program in their place: what stands after `--`.

/// Writes `text` to `file`; where that is empty to standard output, or to standard error where a
/// program was started, whose output the other is. Errors: kEnvironment.
Status DeliverBeside(const std::filesystem::path& file, const std::string& text);

/// The exit status with which whoever started us sees what they would have seen of the program
/// alone; ends this process where a signal ended the program.
int EndAsTheProgram(const os::ExitStatus& exit);

/// EndAsTheProgram(), but where the program did not fail and `delivered` is an error, that error:
/// a failure of XSP is reported, and hides no failure of the program.
Result<int> EndAsTheProgram(const os::ExitStatus& exit, const Status& delivered);

}  // namespace xsp::cli

#endif  // XSP_APP_CLI_STARTED_PROGRAM_H_
