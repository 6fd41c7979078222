// A library whose functions have no names but one: stacks through it need its unwinding tables.
#include <cstdlib>

namespace {

void (*g_work)(double);
double g_seconds;
volatile int g_sink;

[[gnu::noinline]] int Compare(const void* a, const void* b) {
  const double seconds = g_seconds;
  g_seconds = 0;
  if (seconds > 0) g_work(seconds);
  g_sink = g_sink + 1;  // No tail call: it stays on the stack.
  return *static_cast<const int*>(a) - *static_cast<const int*>(b);
}

[[gnu::noinline]] void Hidden() {
  int numbers[] = {3, 1, 2};
  std::qsort(numbers, 3, sizeof(int), Compare);
  g_sink = g_sink + numbers[0];
}

}  // namespace

extern "C" [[gnu::visibility("default")]] void SortStripped(void (*work)(double), double seconds) {
  g_work = work;
  g_seconds = seconds;
  Hidden();
  g_sink = g_sink + 1;
}
