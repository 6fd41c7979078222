// A program to sample: what share of its time each function takes is known.
//   sampling_probe shares SECONDS   SeventyPercent and ThirtyPercent of the CPU time
//   sampling_probe threads SECONDS  the same, each in a thread of its own name
//   sampling_probe forks SECONDS    the same, each in a child process
//   sampling_probe library SECONDS  in a stripped library, from a callback of libc's qsort
//   sampling_probe deep SECONDS     300 calls deep
//   sampling_probe exec SECONDS     becomes `shares` by exec
#include <pthread.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <thread>

extern "C" void SortStripped(void (*work)(double), double seconds);

namespace {

std::int64_t CpuNs() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

volatile double g_sink = 1;

[[gnu::noinline]] void Turn(int turns) {
  double value = g_sink;
  for (int i = 0; i < turns; ++i) value = value * 1.0000001 + 1e-9;
  g_sink = value;
}

constexpr int kTurns = 20'000;

[[gnu::noinline]] void SeventyPercent(double seconds) {
  const std::int64_t end_ns = CpuNs() + static_cast<std::int64_t>(seconds * 1e9);
  while (CpuNs() < end_ns) Turn(kTurns);
  g_sink = g_sink + 1;  // No tail call: it stays on the stack.
}

[[gnu::noinline]] void ThirtyPercent(double seconds) {
  const std::int64_t end_ns = CpuNs() + static_cast<std::int64_t>(seconds * 1e9);
  while (CpuNs() < end_ns) Turn(kTurns);
  g_sink = g_sink + 2;
}

[[gnu::noinline]] void Shares(double seconds) {
  for (int i = 0; i < 10; ++i) {
    SeventyPercent(seconds * 0.07);
    ThirtyPercent(seconds * 0.03);
  }
  g_sink = g_sink + 3;
}

void Threads(double seconds) {
  std::thread seventy([=] {
    pthread_setname_np(pthread_self(), "seventy");
    SeventyPercent(seconds * 0.7);
  });
  std::thread thirty([=] {
    pthread_setname_np(pthread_self(), "thirty");
    ThirtyPercent(seconds * 0.3);
  });
  seventy.join();
  thirty.join();
}

void Forks(double seconds) {
  for (const bool is_first : {true, false}) {
    if (fork() != 0) continue;
    is_first ? SeventyPercent(seconds * 0.7) : ThirtyPercent(seconds * 0.3);
    _exit(0);
  }
  while (wait(nullptr) > 0) {
  }
}

[[gnu::noinline]] void Deep(int depth, double seconds) {
  if (depth == 0) {
    SeventyPercent(seconds);
  } else {
    Deep(depth - 1, seconds);
  }
  g_sink = g_sink + depth;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const char* kind = argv[1];
  const double seconds = std::atof(argv[2]);
  if (std::strcmp(kind, "shares") == 0) Shares(seconds);
  if (std::strcmp(kind, "threads") == 0) Threads(seconds);
  if (std::strcmp(kind, "forks") == 0) Forks(seconds);
  if (std::strcmp(kind, "library") == 0) SortStripped(SeventyPercent, seconds);
  if (std::strcmp(kind, "deep") == 0) Deep(300, seconds);
  if (std::strcmp(kind, "exec") == 0) execl("/proc/self/exe", argv[0], "shares", argv[2], nullptr);
  return 0;
}
