#include "os/core_wait.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <system_error>

namespace xsp::os {

namespace fs = std::filesystem;

double CoreWaitSeconds(int pid) {
  double waited_s = 0;
  std::error_code error;
  for (fs::directory_iterator it(fmt::format("/proc/{}/task", pid), error), end;
       !error && it != end; it.increment(error)) {
    std::ifstream file(it->path() / "schedstat");
    double ran_ns = 0, waited_ns = 0;
    if (file >> ran_ns >> waited_ns) waited_s += waited_ns * 1e-9;
  }
  return waited_s;
}

}  // namespace xsp::os
