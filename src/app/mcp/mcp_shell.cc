#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "api/operation.h"
#include "api/shell.h"
#include "app/mcp/line_reader.h"
#include "app/mcp/message_handler.h"
#include "app/mcp/tool_call.h"
#include "app/mcp/tool_list.h"
#include "core/progress.h"
#include "core/result.h"
#include "os/interrupt.h"

namespace xsp::mcp {
namespace {

constexpr std::size_t kMaxMessageBytes = std::size_t{4} << 20;

/// Standard input and output for the protocol alone. What else the process or a program that it
/// starts prints goes to standard error, and nothing else reads the client's messages.
class ProtocolStreams {
 public:
  ProtocolStreams()
      : in_(fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)),
        out_(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)) {
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing >= 0) {
      dup2(nothing, STDIN_FILENO);
      close(nothing);
    }
    dup2(STDERR_FILENO, STDOUT_FILENO);
  }
  ~ProtocolStreams() {
    if (in_ >= 0) close(in_);
    if (out_ >= 0) close(out_);
  }
  ProtocolStreams(const ProtocolStreams&) = delete;
  ProtocolStreams& operator=(const ProtocolStreams&) = delete;

  bool AreOpen() const { return in_ >= 0 && out_ >= 0; }
  int in() const { return in_; }

  /// A client that is gone ends the input, too: that an answer cannot be written is no error.
  void WriteLine(const std::string& message) const {
    const std::string line = message + "\n";
    std::string_view left = line;
    while (!left.empty()) {
      const ssize_t count = write(out_, left.data(), left.size());
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return;
      left.remove_prefix(static_cast<std::size_t>(count));
    }
  }

 private:
  int in_, out_;
};

Result<int> ServeStandardStreams(const api::Context& context, const ToolPermissions& permissions) {
  os::Interrupts& interrupts = context.interrupts();
  if (isatty(STDIN_FILENO) == 1)
    context.progress->Note("waiting for a client of the Model Context Protocol on standard input");
  api::Context limited = context;
  limited.query_limits = kToolQueryLimits;
  const ProtocolStreams streams;
  if (!streams.AreOpen())
    return Error{ErrorKind::kEnvironment, "standard input or output is closed", ""};
  MessageHandler handler(limited, permissions,
                         [&streams](const std::string& message) { streams.WriteLine(message); });
  LineReader reader(streams.in(), interrupts.wake_fd(), kMaxMessageBytes);
  while (true) {
    const LineReader::Line line = reader.Next();
    switch (line.kind) {
      case LineReader::Kind::kLine:
        handler.Handle(line.text);
        break;
      case LineReader::Kind::kTooLong:
        handler.RefuseTooLong();
        break;
      case LineReader::Kind::kEnd:
        handler.Finish();
        return 0;
      case LineReader::Kind::kStopped:
        handler.Stop();
        return static_cast<int>(ErrorKind::kInterrupted);
    }
  }
}

api::ShellLoop Declare(core::RequestFields& fields, const api::Context& context) {
  auto permissions = std::make_shared<ToolPermissions>();
  fields.Add("allow_import", &permissions->allow_import,
             {.help = "Add the tool import, which reads files of this machine into the store"});
  fields.Add("allow_run", &permissions->allow_run,
             {.help = "Add the tool run, which measures models on this machine"});
  return [&context, permissions] { return ServeStandardStreams(context, *permissions); };
}

}  // namespace

extern const api::ShellSpec kShell;
constinit const api::ShellSpec kShell = {
    .name = "mcp",
    .summary = "Serves the store to coding agents: Model Context Protocol on standard input/output",
    .example = "xsp mcp --store my-store --allow-import",
    .declare = Declare,
};

}  // namespace xsp::mcp
