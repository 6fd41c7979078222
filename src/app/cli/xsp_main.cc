#include "app/cli/program.h"
#include "os/foreground_program.h"
#include "os/parent_process.h"

int main(int argc, char** argv) {
  xsp::os::HeedParent();
  // A reader that closes the pipe early (| head) is no error of ours to die of silently half-way
  // through a run: writes fail instead.
  xsp::os::IgnoreBrokenPipes();
  return xsp::cli::RunProgram(argc, argv);
}
