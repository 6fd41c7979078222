#include "os/parent_process.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <optional>
#include <string>

#include "os/paths.h"

namespace xsp::os {

void HeedParent() {
  const std::optional<std::string> named = Environment("XSP_PARENT");
  if (!named) return;
  unsetenv("XSP_PARENT");
  const pid_t parent = static_cast<pid_t>(std::strtol(named->c_str(), nullptr, 10));
  if (parent <= 1) return;
  if (getppid() == parent) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) raise(SIGTERM);  // It ended before the line above.
  } else if (kill(parent, 0) != 0 && errno == ESRCH) {
    raise(SIGTERM);
  }  // Else a program lies between the two, and nothing tells of the end.
}

}  // namespace xsp::os
