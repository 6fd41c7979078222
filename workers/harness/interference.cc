#include "harness/interference.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

namespace xsp::worker {
namespace {

/// The `index`-th number (0-based) of the first line of `file`, read from its start.
bool ReadNumber(int file, int index, std::uint64_t& value) {
  std::array<char, 256> text;
  const ssize_t length = pread(file, text.data(), text.size() - 1, 0);
  if (length <= 0) return false;
  text[static_cast<std::size_t>(length)] = '\0';
  const char* at = text.data();
  for (int i = 0;; ++i) {
    while (*at && *at != '\n' && (*at < '0' || *at > '9')) ++at;
    if (!*at || *at == '\n') return false;
    char* end = nullptr;
    const std::uint64_t number = std::strtoull(at, &end, 10);
    if (i == index) {
      value = number;
      return true;
    }
    at = end;
  }
}

}  // namespace

InterferenceReader::InterferenceReader()
    : stat_file_(open("/proc/stat", O_RDONLY | O_CLOEXEC)),
      ns_per_tick_(1'000'000'000u / static_cast<std::uint64_t>(sysconf(_SC_CLK_TCK))) {
  FindThreads();
}

InterferenceReader::~InterferenceReader() {
  if (stat_file_ >= 0) close(stat_file_);
  for (const Thread& thread : threads_) {
    if (thread.file >= 0) close(thread.file);
  }
}

void InterferenceReader::FindThreads() {
  DIR* folder = opendir("/proc/self/task");
  if (!folder) return;
  while (const dirent* entry = readdir(folder)) {
    const int id = std::atoi(entry->d_name);
    if (id == 0 || std::any_of(threads_.begin(), threads_.end(),
                               [&](const Thread& thread) { return thread.id == id; })) {
      continue;
    }
    const std::string path = "/proc/self/task/" + std::to_string(id) + "/schedstat";
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file >= 0) threads_.push_back({id, file, 0});
  }
  closedir(folder);
}

Interference InterferenceReader::Read() {
  Interference now;
  rusage usage = {};
  if (getrusage(RUSAGE_SELF, &usage) == 0) {
    now.involuntary_context_switches = static_cast<std::uint64_t>(usage.ru_nivcsw);
    now.page_faults = static_cast<std::uint64_t>(usage.ru_minflt + usage.ru_majflt);
    now.system_ns = static_cast<std::uint64_t>(usage.ru_stime.tv_sec) * 1'000'000'000u +
                    static_cast<std::uint64_t>(usage.ru_stime.tv_usec) * 1'000u;
  }
  for (Thread& thread : threads_) {
    // schedstat: time on a CPU, time waiting for one, time slices
    // (Documentation/scheduler/sched-stats).
    if (thread.file >= 0 && !ReadNumber(thread.file, 1, thread.wait_ns)) {
      close(thread.file);
      thread.file = -1;
    }
    now.run_queue_wait_ns += thread.wait_ns;
  }
  // /proc/stat: user nice system idle iowait irq softirq steal (proc(5)), in ticks.
  std::uint64_t steal_ticks = 0;
  if (stat_file_ >= 0 && ReadNumber(stat_file_, 7, steal_ticks)) {
    now.steal_ns = steal_ticks * ns_per_tick_;
  }
  return now;
}

}  // namespace xsp::worker
