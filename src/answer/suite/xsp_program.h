#ifndef XSP_ANSWER_SUITE_XSP_PROGRAM_H_
#define XSP_ANSWER_SUITE_XSP_PROGRAM_H_

#include <string>
#include <vector>

#include "answer/suite/suite_command.h"
#include "core/result.h"
#include "os/subprocess.h"

namespace xsp::suite {

/// What another command of xsp, run as a process of its own, left.
struct XspOutcome {
  os::ExitStatus exit;
  std::string out;  ///< All of its standard output.
  std::string
      message;  ///< Its error excerpt: those after "error: ", else the end of standard error.
};

/// Runs `context.xsp ARGUMENTS... --store context.store -- PROGRAM...` to its end: what
/// commands of the suite measure goes through the same commands as a user's, and no layer of
/// measuring is linked into them. An unsuccessful exit is not an error here.
///
/// The first SIGINT or SIGTERM that reaches us meanwhile goes to it as SIGINT, so that it keeps
/// what it has; it is killed when it has not ended 30 s later, or with us by a second one
/// (StopRequest). Errors: kInterrupted then; kInternal without a path of xsp; kEnvironment when it
/// cannot be started. Threads: one at a time in a process, since signals are the process's.
Result<XspOutcome> RunXsp(const CommandContext& context, std::vector<std::string> arguments,
                          const std::vector<std::string>& program = {});

/// A name for the store of `parts` joined by "-": letters, digits, ".", "_" and "-" are kept, every
/// other character becomes "_".
std::string StoreName(const std::vector<std::string>& parts);

}  // namespace xsp::suite

#endif  // XSP_ANSWER_SUITE_XSP_PROGRAM_H_
