#ifndef XSP_APP_CLI_OPERATION_COMMANDS_H_
#define XSP_APP_CLI_OPERATION_COMMANDS_H_

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "api/operation.h"
#include "app/cli/option_fields.h"
#include "app/cli/output.h"
#include "app/cli/progress_line.h"
#include "core/result.h"
#include "os/interrupt.h"

namespace CLI {
class App;
}  // namespace CLI

namespace xsp::cli {

/// Every operation as a command: `zoo/make` is `xsp zoo make`. Lives as long as the command line is
/// read and performed.
class OperationCommands {
 public:
  /// Adds the commands to `app`. `context` is filled in before Run(); both outlive this.
  OperationCommands(CLI::App& app, api::Context& context);
  ~OperationCommands();

  /// Performs what was asked for, once `app` has read the command line, and shows the answer.
  /// Returns the exit status.
  Result<int> Run();

 private:
  struct Command;
  /// The command of a group of operations, made when it is first asked for.
  CLI::App& Group(const std::string& name);
  void Declare(const api::Operation& operation, CLI::App& app);
  /// Of a command without --format that of its group: `xsp zoo --format json list`.
  Format FormatOf(const CLI::App& chosen) const;

  api::Context& context_;
  ProgressLine progress_;
  std::unique_ptr<os::Interrupts> interrupts_;
  std::unique_ptr<os::SignalInterrupts> signals_;
  std::map<std::string, CLI::App*> groups_;
  std::map<const CLI::App*, std::unique_ptr<Command>> commands_;
  CLI::App& app_;
};

}  // namespace xsp::cli

#endif  // XSP_APP_CLI_OPERATION_COMMANDS_H_
