// A program whose kernels the tests' libcupti measures. Usage: metrics_program LIBRARY FAKE_CUPTI
// HOW [DRIVER], HOW being eager, graph, hidden, hold, contexts, threads, other_thread,
// other_context, captures, reset, release, lost_context, stuck, stuck_for_ever or kill. What a test
// expects of a kernel stands beside its launch: attribute "kernel" of the layer around it.
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include <string>
#include <thread>
#include <vector>

#include <cupti.h>

#include "capture/record/cuda/testing/fake_cupti.h"
#include "capture/record/cuda/testing/fake_profiler.h"
#include "capture/wire/xsp.h"

namespace {

constexpr const char* kGemm = "_Z4gemmILi128EEvPKfPf";  // void gemm<128>(float const*, float*)
constexpr const char* kRelu = "_Z4reluPf";              // relu(float*)
constexpr int kCalls = 50;                              // 100 kernels: more than a batch.
constexpr uintptr_t kContext = 0x1000, kOtherContext = 0x2000;
constexpr uintptr_t kStream = 8, kCapturing = 9;

const FakeProfiler* profiler;
const FakeDriver* driver;
uint32_t correlation = 0;
uint64_t kernels = 0;

xsp_string Id(const std::string& text) { return xsp_intern(text.data(), text.size()); }

void Layer(const char* type, const char* kernel, uintptr_t context = kContext) {
  const xsp_span layer = xsp_begin(XSP_LEVEL_LAYER, Id(type), Id(type));
  const std::string number = std::to_string(kernels++);
  if (layer != 0) xsp_attribute(layer, Id("kernel"), number.data(), number.size());
  profiler->launch(kernel, context, kStream, false);
  // What activity tells, where it is asked for: each kernel takes 10 us.
  const uint64_t now = xsp_now_ns();
  driver->call(CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000, ++correlation, now, now + 1);
  driver->kernel(kernel, kStream, correlation, 0, now + 20'000, now + 30'000);
  for (const uint64_t end = now + 40'000; xsp_now_ns() < end;) {
  }
  xsp_end(layer);
}

void Eager(int calls) {
  for (int call = 0; call < calls; ++call) {
    const xsp_span model = xsp_begin(XSP_LEVEL_MODEL, Id("predict"), Id("net"));
    xsp_metric(model, Id("iteration"), call, Id("1"), Id("measured:worker"));
    profiler->begin_capture(kContext, kCapturing, false);
    profiler->launch(kGemm, kContext, kCapturing, false);  // Captured, not run.
    profiler->end_capture(kContext, kCapturing);
    Layer("aten::linear", kGemm);
    profiler->launch(kRelu, kContext, kStream, true);  // Refused by the driver.
    Layer("aten::relu", kRelu);
    xsp_end(model);
  }
}

void Graph() {
  Layer("aten::linear", kGemm);
  profiler->launch_graph(kContext, kStream, 5);
  kernels += 5;
  Layer("aten::relu", kRelu);
}

// While a stream is captured, others of its context run kernels.
void Captures() {
  Layer("aten::linear", kGemm);
  Layer("aten::relu", kRelu);
  profiler->begin_capture(kContext, kCapturing, true);  // Refused by the driver.
  Layer("aten::linear", kGemm);
  profiler->begin_capture(kContext, kCapturing, false);
  profiler->launch(kGemm, kContext, kCapturing, false);
  profiler->launch(kGemm, kContext, kCapturing + 2, false);  // Has joined the capture.
  profiler->launch(kRelu, kContext, kStream, false);
  ++kernels;
  profiler->end_capture(kContext, kCapturing);
  Layer("aten::relu", kRelu);
}

// A library whose launches run two kernels each between others.
void Hidden() {
  Layer("aten::linear", kGemm);
  Layer("aten::linear", kGemm);
  Layer("aten::linear", kGemm);
  profiler->launch("hidden", kContext, kStream, false);
  kernels += 2;
  for (int i = 0; i < 100; ++i) Layer("aten::relu", kRelu);
}

void Threads() {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([] {
      for (int i = 0; i < 100; ++i) profiler->launch(kGemm, kContext, kStream, false);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// The thread that launched is gone when the process ends, and its context is no other thread's.
void OtherThread() {
  std::thread([] {
    for (int i = 0; i < 3; ++i) Layer("aten::linear", kGemm);
  }).join();
}

// A context ends on a thread on which another one is current, and goes on being.
void OtherContext() {
  OtherThread();
  const auto set = reinterpret_cast<int (*)(void*)>(dlsym(RTLD_DEFAULT, "cuCtxSetCurrent"));
  const auto get = reinterpret_cast<int (*)(void**)>(dlsym(RTLD_DEFAULT, "cuCtxGetCurrent"));
  void* const other = reinterpret_cast<void*>(kOtherContext);
  set(other);
  profiler->destroy_context(kContext);
  void* current = nullptr;
  get(&current);
  if (current != other) _exit(12);
  Layer("aten::relu", kRelu, kOtherContext);
}

// A kernel that ends only after others, which are launched meanwhile.
void Stuck(bool for_ever) {
  Layer("aten::linear", kGemm);
  std::thread other([] { profiler->launch("waits", kContext, kStream, false); });
  profiler->await_waiting();
  for (int i = 0; i < 3; ++i) profiler->launch(kRelu, kContext, kStream, false);
  if (for_ever) return other.detach();
  profiler->release();
  other.join();
  for (int i = 0; i < 3; ++i) profiler->launch(kRelu, kContext, kStream, false);
}

void Do(const std::string& how) {
  if (how == "graph") return Graph();
  if (how == "hidden") return Hidden();
  if (how == "threads") return Threads();
  if (how == "other_thread") return OtherThread();
  if (how == "other_context") return OtherContext();
  if (how.rfind("stuck", 0) == 0) return Stuck(how == "stuck_for_ever");
  if (how == "captures") return Captures();
  if (how == "reset" || how == "release" || how == "lost_context") {
    for (int i = 0; i < 3; ++i) Layer("aten::linear", kGemm);
    if (how == "reset") profiler->reset_device(kContext);
    if (how == "release") profiler->release_context();
    if (how == "lost_context") profiler->lose_context(kContext);
    return Layer("aten::relu", kRelu, how == "release" ? kContext : kOtherContext);
  }
  if (how == "contexts") {
    Layer("aten::linear", kGemm);
    profiler->destroy_context(kContext);
    return Layer("aten::relu", kRelu, kOtherContext);
  }
  if (how != "hold") return Eager(kCalls);
  Eager(1);
  xsp_hold(XSP_HOLD_USER, 1);
  Eager(3);
  xsp_hold(XSP_HOLD_USER, -1);
  Eager(1);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  if (argc > 4 && dlopen(argv[4], RTLD_NOW | RTLD_GLOBAL) == nullptr) return 8;
  const std::string how = argv[3];
  void* library = dlopen(argv[1], RTLD_NOW);
  if (library == nullptr) return fprintf(stderr, "%s\n", dlerror()), 3;
  const auto inject = reinterpret_cast<int (*)()>(dlsym(library, "InitializeInjection"));
  if (inject == nullptr || inject() != 1) return 4;
  void* fake = dlopen(argv[2], RTLD_NOW);
  if (fake == nullptr) return 5;
  const auto get = reinterpret_cast<const FakeProfiler* (*)()>(dlsym(fake, "fake_profiler"));
  if (get == nullptr) return 6;
  profiler = get();
  driver = reinterpret_cast<const FakeDriver* (*)()>(dlsym(fake, "fake_driver"))();
  Do(how);
  if (how == "kill") {
    usleep(600'000);
    Layer("aten::linear", kGemm);
    kill(getpid(), SIGKILL);
  }
  printf("%llu\n", static_cast<unsigned long long>(profiler->runs()));
  return 0;
}
