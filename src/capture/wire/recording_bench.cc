// The cost of a span, beside the clocks it must read and other ways to keep it, all alternating in
// one run: ns and ratios. Usage: recording_bench [FOLDER]   (where the recording goes; default
// /tmp)

#include <algorithm>
#include <barrier>
#include <cstdio>
#include <cstring>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "capture/wire/clock.h"
#include "capture/wire/reader.h"
#include "capture/wire/recorder.h"

namespace xsp::wire {
namespace {

constexpr int kBatch = 512;   // Repetitions between two readings of the clock.
constexpr int kRounds = 400;  // Alternating batches of everything.

template <typename T>
inline void Keep(const T& value) {
  asm volatile("" : : "r,m"(value) : "memory");
}

// The plain way: every event into one vector under one mutex.
class VectorRecorder {
 public:
  std::size_t Begin(xsp_string name) {
    const std::uint64_t now = MonotonicNs();
    const std::lock_guard lock(mutex_);
    events_.push_back({name, now, 0});
    return events_.size() - 1;
  }
  void End(std::size_t event) {
    const std::uint64_t now = MonotonicNs();
    const std::lock_guard lock(mutex_);
    events_[event].end_ns = now;
  }

 private:
  struct Event {
    xsp_string name;
    std::uint64_t start_ns, end_ns;
  };
  std::mutex mutex_;
  std::vector<Event> events_;
};

struct Case {
  const char* name;
  std::function<void()> batch;
};

struct Cost {
  double median_ns, mean_ns;
};

Cost Summarise(std::vector<double>& samples_ns) {
  std::sort(samples_ns.begin(), samples_ns.end());
  // The mean without the worst hundredth: on a shared machine those are other programs.
  const std::size_t kept = samples_ns.size() - samples_ns.size() / 100;
  double sum = 0;
  for (std::size_t i = 0; i < kept; ++i) sum += samples_ns[i];
  return {samples_ns[samples_ns.size() / 2], sum / static_cast<double>(kept)};
}

// Runs every case on `threads` threads at once, alternately; one cost per case, over all threads.
std::vector<Cost> Measure(const std::vector<Case>& cases, int threads) {
  std::vector<std::vector<double>> samples(cases.size());
  std::mutex mutex;
  std::barrier start(threads);
  const auto run = [&] {
    std::vector<std::vector<double>> own(cases.size());
    for (int round = 0; round < kRounds; ++round) {
      for (std::size_t i = 0; i < cases.size(); ++i) {
        start.arrive_and_wait();
        const std::uint64_t before_ns = MonotonicNs();
        cases[i].batch();
        own[i].push_back(static_cast<double>(MonotonicNs() - before_ns) / kBatch);
      }
    }
    const std::lock_guard lock(mutex);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      samples[i].insert(samples[i].end(), own[i].begin(), own[i].end());
    }
  };
  std::vector<std::thread> others;
  for (int i = 1; i < threads; ++i) others.emplace_back(run);
  run();
  for (std::thread& other : others) other.join();
  std::vector<Cost> costs;
  for (auto& sample : samples) costs.push_back(Summarise(sample));
  return costs;
}

std::vector<Case> Cases(ClockKind clock, VectorRecorder& vector) {
  const xsp_string type = XSP_TEXT("operator"), name = XSP_TEXT("aten::conv2d");
  return {
      {"empty loop",
       [] {
         for (int i = 0; i < kBatch; ++i) Keep(i);
       }},
      {"two time-stamp counter reads",
       [clock] {
         for (int i = 0; i < kBatch; ++i) {
           Keep(Ticks(clock));
           Keep(Ticks(clock));
         }
       }},
      {"two clock_gettime",
       [] {
         for (int i = 0; i < kBatch; ++i) {
           Keep(MonotonicNs());
           Keep(MonotonicNs());
         }
       }},
      {"span, recorded",
       [=] {
         for (int i = 0; i < kBatch; ++i) xsp_end(xsp_begin(XSP_LEVEL_LAYER, type, name));
       }},
      {"span, level off (C API)",
       [=] {
         for (int i = 0; i < kBatch; ++i) xsp_end(xsp_begin(XSP_LEVEL_KERNEL, type, name));
       }},
      {"span, level off (C++ scope)",
       [=] {
         for (int i = 0; i < kBatch; ++i) {
           const SpanScope span(XSP_LEVEL_KERNEL, type, name);
           Keep(span.id());
         }
       }},
      {"mutex and vector",
       [&vector, name] {
         for (int i = 0; i < kBatch; ++i) vector.End(vector.Begin(name));
       }},
  };
}

void Print(const std::vector<Case>& cases, const std::vector<Cost>& costs, int threads) {
  std::printf("\n%d thread%s (%d batches of %d, in turns)\n", threads, threads == 1 ? "" : "s",
              kRounds * threads, kBatch);
  std::printf("  %-30s %10s %10s %18s\n", "", "median ns", "mean ns", "x two counter reads");
  for (std::size_t i = 0; i < cases.size(); ++i) {
    std::printf("  %-30s %10.2f %10.2f %10.2f / %.2f\n", cases[i].name, costs[i].median_ns,
                costs[i].mean_ns, costs[i].median_ns / costs[1].median_ns,
                costs[i].mean_ns / costs[1].mean_ns);
  }
}

// A recording so long that most of its pages are made while it is written.
void PrintSustained(const std::string& path, ClockKind clock) {
  constexpr int kBatches = 8000;
  const xsp_string type = XSP_TEXT("operator"), name = XSP_TEXT("aten::conv2d");
  if (xsp_open(path.c_str(), nullptr) != 0) return;
  std::vector<double> spans_ns, reads_ns;
  for (int batch = 0; batch < kBatches; ++batch) {
    const std::uint64_t a = MonotonicNs();
    for (int i = 0; i < kBatch; ++i) xsp_end(xsp_begin(XSP_LEVEL_LAYER, type, name));
    const std::uint64_t b = MonotonicNs();
    for (int i = 0; i < kBatch; ++i) {
      Keep(Ticks(clock));
      Keep(Ticks(clock));
    }
    reads_ns.push_back(static_cast<double>(MonotonicNs() - b) / kBatch);
    spans_ns.push_back(static_cast<double>(b - a) / kBatch);
  }
  const Cost span = Summarise(spans_ns), reads = Summarise(reads_ns);
  const double spans = double{kBatches} * kBatch;
  const std::uint64_t dropped = xsp_dropped();
  xsp_close();
  ReadError error;
  const auto reader = Reader::Open(path, &error);
  if (reader == nullptr) return;
  std::printf("\nsustained: %.1f million spans, %.0f MB, every new page included\n", spans / 1e6,
              static_cast<double>(reader->info().file_bytes) / 1e6);
  std::printf(
      "  span: median %.2f ns, mean %.2f ns: %.2f / %.2f x two counter reads; %.2f bytes a "
      "span; %llu dropped\n",
      span.median_ns, span.mean_ns, span.median_ns / reads.median_ns, span.mean_ns / reads.mean_ns,
      static_cast<double>(reader->info().file_bytes) / spans,
      static_cast<unsigned long long>(dropped));
}

int Main(const std::string& folder) {
  const std::string path = folder + "/recording_bench.xspr";
  const ClockKind clock = BestClock();
  std::printf("clock: %s\n",
              clock == ClockKind::kMonotonicNs ? "CLOCK_MONOTONIC" : "time-stamp counter");
  xsp_options options = {};
  options.size = sizeof options;
  options.levels = XSP_LEVELS_ALL & ~XSP_LEVEL_BIT(XSP_LEVEL_KERNEL);
  // Room for all of it: the cost of a page is measured apart.
  options.prepare_bytes = 32 << 20;
  for (const int threads : {1, 2}) {
    VectorRecorder vector;
    const auto cases = Cases(clock, vector);
    if (const int error = xsp_open(path.c_str(), &options); error != 0) {
      std::fprintf(stderr, "recording cannot be opened: %s: %s\n", strerror(error), path.c_str());
      return 5;
    }
    const auto costs = Measure(cases, threads);
    xsp_close();
    Print(cases, costs, threads);
  }
  PrintSustained(path, clock);
  std::printf("\nOpenTelemetry C++ has no Debian 12 package, so it is not measured here.\n");
  std::remove(path.c_str());
  return 0;
}

}  // namespace
}  // namespace xsp::wire

int main(int argc, char** argv) { return xsp::wire::Main(argc > 1 ? argv[1] : "/tmp"); }
