// The program that the tests inject the library into: a model with layers whose "kernels" the
// tests' libcupti makes up. Usage: program LIBRARY FAKE_CUPTI HOW [DRIVER], HOW being exit, kill,
// fork, graph, hold or many. DRIVER: what stands for libcuda.so.1, which loads the library in real
// life.
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include <cupti.h>

#include "record/cuda/testing/fake_cupti.h"
#include "wire/xsp.h"

namespace {

constexpr const char* kGemm = "_Z4gemmILi128EEvPKfPf";  // void gemm<128>(float const*, float*)
constexpr const char* kRelu = "_Z4reluPf";              // relu(float*)
constexpr int kCalls = 20;

const FakeDriver* driver;
uint32_t correlation = 0;

xsp_string Id(const std::string& text) { return xsp_intern(text.data(), text.size()); }

// Keeps what a test expects beside what the library records.
void Expect(xsp_span span, const char* key, uint64_t value) {
  if (span == 0) return;  // Recording is held.
  const std::string text = std::to_string(value);
  xsp_attribute(span, Id(key), text.data(), text.size());
}

void Wait(uint64_t ns) {
  for (const uint64_t end = xsp_now_ns() + ns; xsp_now_ns() < end;) {
  }
}

void Layer(const char* type, const char* kernel) {
  const xsp_span layer = xsp_begin(XSP_LEVEL_LAYER, Id(type), Id(type));
  Wait(3000);
  const uint64_t now = xsp_now_ns();
  driver->call(CUPTI_RUNTIME_TRACE_CBID_cudaGetDevice_v3020, ++correlation, now, now + 100);
  driver->call(CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000, ++correlation, now, now + 1000);
  driver->kernel(kernel, 7, correlation, 0, now + 20'000, now + 30'000);
  Expect(layer, "expected_start_ns", now + 20'000);
  Wait(3000);
  xsp_end(layer);
}

void Eager(int calls) {
  for (int call = 0; call < calls; ++call) {
    const xsp_span model = xsp_begin(XSP_LEVEL_MODEL, Id("predict"), Id("net"));
    xsp_metric(model, Id("iteration"), call, Id("1"), Id("measured:worker"));
    const uint64_t now = xsp_now_ns();
    driver->call(CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyAsync_v3020, ++correlation, now, now + 500);
    driver->copy(4096, correlation, now + 2000, now + 4000);
    Layer("aten::linear", kGemm);
    Layer("aten::relu", kRelu);
    Wait(60'000);
    xsp_end(model);
  }
}

// Captures two layers into a graph, whose clone is replayed.
void Graph(int calls) {
  constexpr uint64_t kNodes = 200, kCloneOffset = 1000;
  for (uint64_t node = 1; node <= kNodes; ++node) {
    const char* type = node % 2 == 1 ? "aten::linear" : "aten::relu";
    const xsp_span layer = xsp_begin(XSP_LEVEL_LAYER, Id(type), Id(type));
    driver->node_created(node);
    xsp_end(layer);
  }
  for (uint64_t node = 1; node <= kNodes; ++node) driver->node_cloned(node + kCloneOffset, node);
  for (int call = 0; call < calls; ++call) {
    const xsp_span model = xsp_begin(XSP_LEVEL_MODEL, Id("predict"), Id("net"));
    xsp_metric(model, Id("iteration"), call, Id("1"), Id("measured:worker"));
    Wait(3000);
    const uint64_t now = xsp_now_ns();
    driver->call(CUPTI_RUNTIME_TRACE_CBID_cudaGraphLaunch_v10000, ++correlation, now, now + 2000);
    for (uint64_t node = 1; node <= kNodes; ++node) {
      const uint64_t start = now + 3000 + 1000 * node;
      // The same kernel for both: order and names tell nothing.
      driver->kernel(kGemm, 7, correlation, node + kCloneOffset, start, start + 900);
    }
    Wait(300'000);
    xsp_end(model);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  if (argc > 4 && dlopen(argv[4], RTLD_NOW | RTLD_GLOBAL) == nullptr) return 8;
  void* library = dlopen(argv[1], RTLD_NOW);
  if (library == nullptr) return fprintf(stderr, "%s\n", dlerror()), 3;
  const auto inject = reinterpret_cast<int (*)()>(dlsym(library, "InitializeInjection"));
  if (inject == nullptr || inject() != 1) return 4;
  void* fake = dlopen(argv[2], RTLD_NOW);
  if (fake == nullptr) return 5;
  driver = reinterpret_cast<const FakeDriver* (*)()>(dlsym(fake, "fake_driver"))();
  const std::string how = argv[3];
  driver->allocated(1 << 20, xsp_now_ns());
  if (how == "graph") {
    Graph(kCalls);
  } else if (how == "hold") {  // Much shorter than a flush: all is decoded at the end.
    xsp_hold(XSP_HOLD_USER, 1);
    Eager(kCalls);
    xsp_hold(XSP_HOLD_USER, -1);
    Eager(kCalls);
    xsp_hold(XSP_HOLD_USER, 1);
    Eager(kCalls);
  } else {
    Eager(how == "many" ? 20'000 : kCalls);
  }
  if (how == "kill") {
    usleep(3'000'000);
    kill(getpid(), SIGKILL);
  }
  if (how == "fork") {
    const pid_t child = fork();
    if (child == 0) {
      const xsp_span span = xsp_begin(XSP_LEVEL_APPLICATION, Id("range"), Id("in the child"));
      xsp_end(span);
      exit(7);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 7) return 6;
    Eager(kCalls);
  }
  return 0;
}
