#ifndef XSP_API_SHELL_H_
#define XSP_API_SHELL_H_

#include <functional>

#include "api/operation.h"
#include "core/request_fields.h"
#include "core/result.h"

namespace xsp::api {

/// Runs until it is stopped by `Context::interrupts`, or until its input ends. Returns the exit
/// status.
using ShellLoop = std::function<Result<int>()>;

/// A program's interface to the operations other than the command line: a server, for example. What
/// a file src/app/NAME/NAME_shell.cc exports as kShell is the command `xsp NAME`. Static data.
struct ShellSpec {
  const char* name;
  const char* summary;  ///< One line, no full stop.
  const char* example;  ///< A command line that can be pasted.
  /// Gives the options to `fields` and returns what runs the shell. `context` is filled in before
  /// that is called; both outlive it.
  ShellLoop (*declare)(core::RequestFields& fields, const Context& context);
};

}  // namespace xsp::api

#endif  // XSP_API_SHELL_H_
