// A program that records, for tests that need a process of its own:
//   recording_child mark PATH NAME       records a mark into PATH and ends
//   recording_child exec PATH            records, then replaces itself by "mark PATH after"
//   recording_child spawn PATH           records, and meanwhile runs "mark PATH child" beside
//   recording_child threads PATH         waits for the end of a line on its input, then records
//                                        random calls on three threads

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <random>
#include <string>
#include <thread>
#include <vector>

#include "capture/wire/random_calls.h"
#include "capture/wire/xsp.h"

namespace {

void Mark(const char* name) { xsp_mark(xsp_intern(name, strlen(name))); }

void RecordOnThreads() {
  for (int input = getchar(); input != '\n' && input != EOF;) input = getchar();
  std::vector<std::thread> threads;
  for (unsigned thread = 0; thread < 3; ++thread)
    threads.emplace_back([thread] {
      std::mt19937 random(thread);
      for (unsigned part = 0; part < 20; ++part)
        xsp::wire::RecordAtRandom(random, std::to_string(thread * 100 + part) + ".", 500);
    });
  for (std::thread& thread : threads) thread.join();
}

int Run(int argc, char** argv) {
  if (argc < 3) return 2;
  const char* mode = argv[1];
  char* path = argv[2];
  xsp_options options = {};
  options.size = sizeof options;
  const bool is_threaded = strcmp(mode, "threads") == 0;
  if (is_threaded) {  // Many small blocks.
    options.prepare_bytes = 1;
    options.block_bytes = 8192;
  }
  if (const int error = xsp_open(path, &options); error != 0) {
    fprintf(stderr, "recording cannot be opened: %s\n", strerror(error));
    return 1;
  }
  if (is_threaded) {
    RecordOnThreads();
    return 0;
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
