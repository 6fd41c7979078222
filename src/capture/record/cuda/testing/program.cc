// The program that the tests inject the library into: a model with layers whose "kernels" the
// tests' libcupti makes up. Usage: program LIBRARY FAKE_CUPTI HOW [DRIVER], HOW being exit, kill,
// fork, graph, instantiate, queries, context_end, fatal, hold, asynchronous, switch, burst, sample,
// threads or many. DRIVER: what stands for
// libcuda.so.1, which loads the library in real life. PROGRAM_RECORDING in the environment: a
// recording that the program opens itself, as a worker does; PROGRAM_CALLS: of `many` and `burst`;
// PROGRAM_RATE: kernels a second of `burst`.
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <thread>

#include <cupti.h>

#include "capture/record/cuda/testing/fake_cupti.h"
#include "capture/wire/xsp.h"

namespace {

constexpr const char* kGemm = "_Z4gemmILi128EEvPKfPf";  // void gemm<128>(float const*, float*)
constexpr const char* kRelu = "_Z4reluPf";              // relu(float*)
constexpr int kCalls = 20;

const FakeDriver* driver;
thread_local uint32_t correlation = 0;  // From Eager on: each thread has numbers of its own.

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
  Expect(layer, "launched", correlation);
  Expect(layer, "query_left_out",
         driver->is_left_out(CUPTI_RUNTIME_TRACE_CBID_cudaGetDevice_v3020));
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

// A graph's nodes are made and cloned, inside a layer of their own; in which order is not known.
void Instantiate(uint64_t nodes, uint64_t clone_offset) {
  const xsp_span outer = xsp_begin(XSP_LEVEL_LAYER, Id("outer"), Id("outer"));
  driver->instantiating(true);
  for (uint64_t node = 1; node <= nodes; ++node) {
    const bool made_first = node % 3 != 0;
    if (made_first) driver->node_created(node + clone_offset);
    driver->node_cloned(node + clone_offset, node);
    if (!made_first) driver->node_created(node + clone_offset);
  }
  driver->node_created(10 * clone_offset);  // One that has no original.
  driver->instantiating(false);
  xsp_end(outer);
}

// Captures two layers into a graph, whose clone is replayed.
void Graph(int calls, bool inside_a_layer = false) {
  constexpr uint64_t kNodes = 200, kCloneOffset = 1000;
  for (uint64_t node = 1; node <= kNodes; ++node) {
    const char* type = node % 2 == 1 ? "aten::linear" : "aten::relu";
    const xsp_span layer = xsp_begin(XSP_LEVEL_LAYER, Id(type), Id(type));
    driver->node_created(node);
    xsp_end(layer);
  }
  if (inside_a_layer) {
    Instantiate(kNodes, kCloneOffset);
  } else {
    for (uint64_t node = 1; node <= kNodes; ++node) driver->node_cloned(node + kCloneOffset, node);
  }
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

// What a range launched runs after it, and what was launched before the range runs in it. The
// kernels' records come before those of their calls.
void Asynchronous() {
  const auto launch = [](const char* kernel, uint64_t after_ns) {
    const uint64_t now = xsp_now_ns();
    driver->kernel(kernel, 7, ++correlation, 0, now + after_ns, now + after_ns + 1000);
    driver->call(CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000, correlation, now, now + 1000);
  };
  launch("before_the_range", 30'000'000);
  Wait(20'000'000);
  xsp_hold(XSP_HOLD_RANGE, -1);
  Wait(1'000'000);
  launch("in_the_range", 50'000'000);
  Wait(20'000'000);
  xsp_hold(XSP_HOLD_RANGE, 1);
  Wait(60'000'000);
}

// `count` kernels and their calls at so many a second, or as fast as they can be made up (0).
void Burst(uint64_t count, double rate_per_s) {
  const uint64_t begin = xsp_now_ns();
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t now = xsp_now_ns();
    driver->call(CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000, ++correlation, now, now + 500);
    driver->kernel(i % 2 == 0 ? kGemm : kRelu, 7, correlation, 0, now + 1000, now + 2000);
    const uint64_t due = rate_per_s == 0 ? 0 : static_cast<uint64_t>(1e9 * i / rate_per_s);
    while (xsp_now_ns() - begin < due) {
    }
  }
  printf("%.3f\n", static_cast<double>(xsp_now_ns() - begin) / 1e9);
}

// As a worker that alternates between measuring with and without CUPTI.
int Switched(void* library) {
  const auto switch_to =
      reinterpret_cast<int (*)(int, char*, size_t)>(dlsym(library, "xsp_cuda_switch"));
  if (switch_to == nullptr) return 9;
  char why[256];
  for (const int on : {1, 0, 1}) {
    const int done = switch_to(on, why, sizeof why);
    xsp_attribute(0, Id("switched"), why, strlen(why));
    if (done != 1) return 10;
    Eager(kCalls);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  if (argc > 4 && dlopen(argv[4], RTLD_NOW | RTLD_GLOBAL) == nullptr) return 8;
  if (const char* own = getenv("PROGRAM_RECORDING"))
    if (xsp_open(own, nullptr) != 0) return 11;
  void* library = dlopen(argv[1], RTLD_NOW);
  if (library == nullptr) return fprintf(stderr, "%s\n", dlerror()), 3;
  const auto inject = reinterpret_cast<int (*)()>(dlsym(library, "InitializeInjection"));
  if (inject == nullptr || inject() != 1) return 4;
  void* fake = dlopen(argv[2], RTLD_NOW);
  if (fake == nullptr) return 5;
  driver = reinterpret_cast<const FakeDriver* (*)()>(dlsym(fake, "fake_driver"))();
  const std::string how = argv[3];
  driver->allocated(1 << 20, xsp_now_ns());
  if (how == "graph" || how == "instantiate") {
    Graph(kCalls, how == "instantiate");
  } else if (how == "queries") {
    driver->context_known();
    const uint64_t now = xsp_now_ns();
    for (uint64_t i = 0; i < 10; ++i)
      driver->stream_queried(i == 9, now + 100 * i, now + 100 * i + 50);
  } else if (how == "context_end") {
    Eager(kCalls);
    driver->context_ends();
  } else if (how == "fatal") {
    Eager(kCalls);
    driver->fatal_error();
    Eager(kCalls);
  } else if (how == "threads") {  // Two that launch at the same time, on one stream.
    std::thread other([] {
      correlation = 1'000'000;
      Eager(kCalls);
    });
    Eager(kCalls);
    other.join();
  } else if (how == "sample") {  // testing/fake_cupti.cuptirec
    Eager(5);
    Graph(2);
  } else if (how == "asynchronous") {
    Asynchronous();
  } else if (how == "burst") {
    const char* rate = getenv("PROGRAM_RATE");
    const char* count = getenv("PROGRAM_CALLS");
    Burst(count == nullptr ? 100'000 : strtoull(count, nullptr, 10),
          rate == nullptr ? 0 : strtod(rate, nullptr));
  } else if (how == "switch") {
    return Switched(library);
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
    // The first flush hands out what is there, which is decoded and settled before the third.
    for (const uint64_t last = driver->flushes() + 3; driver->flushes() < last;) usleep(1000);
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
