// What `xsp record` preloads into every process of a program: opens its recording, takes what
// oneDNN and MKL announce, and says what process it is.

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <string>
#include <string_view>

#include "capture/record/cpu_capture.h"
#include "capture/record/preload/level_switch.h"
#include "capture/record/process.h"
#include "capture/wire/xsp.h"

namespace xsp::record::preload {
namespace {

void SetFact(std::string_view key, std::string_view value) {
  xsp_attribute(0, Intern(key), value.data(), value.size());
}

/// The command line of this process, its arguments parted by spaces.
std::string CommandLine() {
  std::string text(4096, '\0');
  const int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  const ssize_t size = file < 0 ? 0 : read(file, text.data(), text.size());
  if (file >= 0) close(file);
  text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  while (text.ends_with('\0')) text.pop_back();
  for (char& c : text)
    if (c == '\0') c = ' ';
  return text;
}

/// Which process of a distributed job this is, by what launchers set (torchrun, Open MPI, PMI,
/// Slurm); empty: of none.
std::string_view Rank() {
  constexpr struct {
    const char *rank, *size;
  } kLaunchers[] = {{"RANK", "WORLD_SIZE"},
                    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                    {"PMI_RANK", "PMI_SIZE"},
                    {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}};
  for (const auto& launcher : kLaunchers) {
    const std::string_view size = Environment(launcher.size);
    if (!size.empty() && size != "1") return Environment(launcher.rank);
  }
  return {};
}

/// The process whose CPU kernels are taken; 0: none. A forked child counts on from its parent.
pid_t capturing_process = 0;

/// Makes libraries that are loaded from here on announce their calls. Children inherit it: one that
/// cannot be preloaded into prints what nobody takes (docs/record.md).
void AskForAnnouncements() {
  for (const char* name : {"ONEDNN_VERBOSE", "DNNL_VERBOSE", "MKL_VERBOSE"}) setenv(name, "1", 1);
}

__attribute__((constructor)) void Begin() {
  if (!OpenRecording()) return;
  SetFact("process.command", CommandLine());
  if (const std::string_view rank = Rank(); !rank.empty()) SetFact("process.rank", rank);
  if (!Environment(kCaptureVariable).empty()) {
    capturing_process = getpid();
    AskForAnnouncements();
    StartCpuCapture();
  }
  FollowSwitch();
}

/// Runs before libxsp.so closes the recording, since this library needs that one.
__attribute__((destructor)) void End() {
  if (capturing_process != getpid()) return;
  const CpuCaptureCounts counts = CpuCaptureCountsSoFar();
  SetFact("cpu_capture.kernels", std::to_string(counts.kernels));
  SetFact("cpu_capture.other_lines", std::to_string(counts.other_lines));
  SetFact("cpu_capture.truncated_lines", std::to_string(counts.truncated_lines));
}

}  // namespace
}  // namespace xsp::record::preload
