// A program that records, for tests that need a process of its own:
//   recording_child mark PATH NAME       records a mark into PATH and ends
//   recording_child exec PATH            records, then replaces itself by "mark PATH after"
//   recording_child spawn PATH           records, and meanwhile runs "mark PATH child" beside

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture/wire/xsp.h"

namespace {

void Mark(const char* name) { xsp_mark(xsp_intern(name, strlen(name))); }

int Run(int argc, char** argv) {
  if (argc < 3) return 2;
  const char* mode = argv[1];
  char* path = argv[2];
  if (const int error = xsp_open(path, nullptr); error != 0) {
    fprintf(stderr, "recording cannot be opened: %s\n", strerror(error));
    return 1;
  }
  char self[4096] = {};
  if (readlink("/proc/self/exe", self, sizeof self - 1) < 0) return 1;
  char mark[] = "mark", after[] = "after", child[] = "child";
  if (strcmp(mode, "mark") == 0 && argc > 3) {
    Mark(argv[3]);
    return 0;  // Without xsp_close: exit() does it.
  }
  if (strcmp(mode, "exec") == 0) {
    Mark("before");
    char* arguments[] = {self, mark, path, after, nullptr};
    execv(self, arguments);
    return 1;
  }
  if (strcmp(mode, "spawn") == 0) {
    Mark("parent");
    const pid_t pid = fork();
    if (pid == 0) {
      char* arguments[] = {self, mark, path, child, nullptr};
      execv(self, arguments);
      _exit(1);
    }
    int status = 0;
    return waitpid(pid, &status, 0) == pid ? WEXITSTATUS(status) : 1;
  }
  return 2;
}

}  // namespace

int main(int argc, char** argv) { return Run(argc, argv); }
