#include "capture/sampling/stack_sampler.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <thread>

#include "os/clocks.h"
#include "os/foreground_program.h"

// cmake/Paths.cmake.
extern const char kSamplingProbe[];

namespace xsp::sampling {
namespace {

/// A sample's functions, the outermost first.
std::vector<std::string> Functions(const StackSamples& samples, const StackSample& sample) {
  std::vector<std::string> functions;
  for (std::uint32_t node = sample.node; node != 0; node = samples.tree.nodes()[node].parent)
    functions.push_back(samples.tree.frames()[samples.tree.nodes()[node].frame].function);
  std::reverse(functions.begin(), functions.end());
  return functions;
}

bool Has(const std::vector<std::string>& functions, std::string_view part) {
  return std::any_of(functions.begin(), functions.end(), [&](const std::string& function) {
    return function.find(part) != std::string::npos;
  });
}

double ShareOf(const StackSamples& samples, std::string_view function) {
  std::int64_t count = 0;
  for (const StackSample& sample : samples.samples)
    count += Has(Functions(samples, sample), function);
  return static_cast<double>(count) / static_cast<double>(samples.samples.size());
}

struct Sampled {
  StackSamples samples;
  os::ExitStatus exit;
  int pid = 0;
  std::int64_t begin_ns = 0, end_ns = 0;
};

/// The probe as `kind`, from its start to its end. A null result: sampling is forbidden here.
std::optional<Sampled> Sample(const std::string& kind, const std::string& seconds,
                              const SamplingOptions& options = {.rate_hz = 999}) {
  Sampled sampled;
  os::ForegroundProgram program;
  std::unique_ptr<StackSampler> sampler;
  Error refused{ErrorKind::kInternal, "", ""};
  sampled.begin_ns = os::Now(CLOCK_MONOTONIC);
  const auto watch = [&](int pid) {
    auto made = StackSampler::Start(pid, options);
    if (!made.ok()) {
      refused = made.error();
      return Status(made.error());
    }
    sampler = std::move(made).value();
    return Status(Ok{});
  };
  const Status started = program.Start({kSamplingProbe, kind, seconds}, {.before_exec = watch});
  if (!started.ok()) {
    EXPECT_EQ(refused.kind, ErrorKind::kNotPossible) << refused.what;
    return std::nullopt;
  }
  sampled.pid = program.pid();
  sampled.exit = program.Wait();
  sampled.end_ns = os::Now(CLOCK_MONOTONIC);
  sampled.samples = sampler->Stop();
  EXPECT_EQ(sampled.samples.damaged, 0);
  return sampled;
}

#define XSP_SAMPLE(variable, ...)                                     \
  const auto variable##_or = Sample(__VA_ARGS__);                     \
  if (!variable##_or) GTEST_SKIP() << "perf_event_open is forbidden"; \
  const Sampled& variable = *variable##_or

TEST(StackSamplerTest, SharesAreThoseOfTheCpuTime) {
  XSP_SAMPLE(sampled, "shares", "2");
  EXPECT_EQ(sampled.exit.code, 0);
  const StackSamples& samples = sampled.samples;
  // 1,998 are due; a machine that is shared loses some.
  EXPECT_GT(samples.samples.size() + static_cast<std::size_t>(samples.lost), 1000u);
  EXPECT_LT(samples.samples.size(), 2300u);
  // Four standard errors of 1,000 samples.
  EXPECT_NEAR(ShareOf(samples, "SeventyPercent"), 0.7, 0.06);
  EXPECT_NEAR(ShareOf(samples, "ThirtyPercent"), 0.3, 0.06);
  EXPECT_GT(ShareOf(samples, "Turn"), 0.9);
  EXPECT_EQ(samples.cut_stacks, 0);
  // The loader's first instructions have no tables.
  EXPECT_LE(samples.broken_stacks, 5);
}

TEST(StackSamplerTest, StacksGoFromTheStartToTheFunctionThatRuns) {
  XSP_SAMPLE(sampled, "shares", "0.5");
  std::int64_t whole = 0;
  for (const StackSample& sample : sampled.samples.samples) {
    const auto functions = Functions(sampled.samples, sample);
    const auto main = std::find(functions.begin(), functions.end(), "main");
    if (main == functions.end()) continue;
    EXPECT_EQ(functions.front(), "_start");
    whole += std::next(main) != functions.end() &&
             *std::next(main) == "(anonymous namespace)::Shares(double)";
  }
  EXPECT_GT(whole, static_cast<std::int64_t>(sampled.samples.samples.size()) * 9 / 10);
}

TEST(StackSamplerTest, TimesLieWithinTheProgramsSpan) {
  XSP_SAMPLE(sampled, "shares", "0.3");
  std::int64_t before_ns = sampled.begin_ns;
  for (const StackSample& sample : sampled.samples.samples) {
    EXPECT_GE(sample.time_ns, before_ns);
    before_ns = sample.time_ns;
  }
  EXPECT_LE(before_ns, sampled.end_ns);
  EXPECT_NEAR(static_cast<double>(sampled.samples.realtime_offset_ns),
              static_cast<double>(os::RealtimeOffsetNs()), 1e9);
}

/// Of two threads or processes, each on its CPU time: where cores are short, the kernel's timers
/// miss more samples of one than of the other. What mixes them up gives a half.
constexpr double kOfTwo = 0.15;

TEST(StackSamplerTest, ThreadsAreToldApart) {
  XSP_SAMPLE(sampled, "threads", "1");
  const StackSamples& samples = sampled.samples;
  std::map<std::string, std::set<int>> threads_of;
  for (const StackSample& sample : samples.samples) {
    EXPECT_EQ(sample.process_id, sampled.pid);
    const auto functions = Functions(samples, sample);
    for (const char* function : {"SeventyPercent", "ThirtyPercent"})
      if (Has(functions, function)) threads_of[function].insert(sample.thread_id);
  }
  ASSERT_EQ(threads_of["SeventyPercent"].size(), 1u);
  ASSERT_EQ(threads_of["ThirtyPercent"].size(), 1u);
  EXPECT_EQ(samples.thread_names.at(*threads_of["SeventyPercent"].begin()), "seventy");
  EXPECT_EQ(samples.thread_names.at(*threads_of["ThirtyPercent"].begin()), "thirty");
  EXPECT_NEAR(ShareOf(samples, "SeventyPercent"), 0.7, kOfTwo);
}

TEST(StackSamplerTest, ChildrenAreFollowed) {
  XSP_SAMPLE(sampled, "forks", "1");
  std::map<std::string, std::set<int>> processes_of;
  for (const StackSample& sample : sampled.samples.samples) {
    const auto functions = Functions(sampled.samples, sample);
    for (const char* function : {"SeventyPercent", "ThirtyPercent"})
      if (Has(functions, function)) processes_of[function].insert(sample.process_id);
  }
  ASSERT_EQ(processes_of["SeventyPercent"].size(), 1u);
  ASSERT_EQ(processes_of["ThirtyPercent"].size(), 1u);
  EXPECT_NE(*processes_of["SeventyPercent"].begin(), *processes_of["ThirtyPercent"].begin());
  EXPECT_NE(*processes_of["SeventyPercent"].begin(), sampled.pid);
  EXPECT_NEAR(ShareOf(sampled.samples, "SeventyPercent"), 0.7, kOfTwo);
}

TEST(StackSamplerTest, AProgramThatBecomesAnotherIsFollowed) {
  XSP_SAMPLE(sampled, "exec", "0.5");
  EXPECT_NEAR(ShareOf(sampled.samples, "SeventyPercent"), 0.7, 0.1);
}

TEST(StackSamplerTest, UnwindsThroughTheCLibraryAndAStrippedLibrary) {
  XSP_SAMPLE(sampled, "library", "0.5");
  std::int64_t whole = 0;
  for (const StackSample& sample : sampled.samples.samples) {
    const auto functions = Functions(sampled.samples, sample);
    if (!Has(functions, "SeventyPercent")) continue;
    std::int64_t unnamed = 0;
    for (const std::string& function : functions)
      unnamed += function.starts_with("libsampling_stripped_library.so+0x");
    // Hidden() and Compare(), around the C library's sort.
    whole += Has(functions, "main") && Has(functions, "SortStripped") && unnamed == 2;
  }
  EXPECT_GT(whole, static_cast<std::int64_t>(sampled.samples.samples.size()) * 9 / 10);
  // Unnamed functions are known by where they begin, not by each place in them.
  std::set<std::string> unnamed;
  for (const Frame& frame : sampled.samples.tree.frames())
    if (frame.function.starts_with("libsampling_stripped_library.so+0x"))
      unnamed.insert(frame.function);
  EXPECT_LE(unnamed.size(), 3u);
}

TEST(StackSamplerTest, AStackThatWasCutIsCountedAndKept) {
  XSP_SAMPLE(sampled, "deep", "0.3", {.rate_hz = 999, .stack_bytes = 4096});
  const auto count = static_cast<std::int64_t>(sampled.samples.samples.size());
  EXPECT_GT(sampled.samples.cut_stacks, count * 8 / 10);
  EXPECT_GT(ShareOf(sampled.samples, "SeventyPercent"), 0.8);
  XSP_SAMPLE(whole, "deep", "0.3", {.rate_hz = 999, .stack_bytes = 32768});
  EXPECT_LE(whole.samples.cut_stacks, 2);
  EXPECT_GT(ShareOf(whole.samples, "main"), 0.8);
}

/// CPU time of the thread of that name so far; -1: there is none yet.
std::int64_t CpuNsOf(int pid, const std::string& name) {
  std::error_code gone;
  for (const auto& task :
       std::filesystem::directory_iterator(fmt::format("/proc/{}/task", pid), gone)) {
    std::string its_name;
    std::ifstream(task.path() / "comm") >> its_name;
    if (its_name != name) continue;
    std::int64_t cpu_ns = -1;
    std::ifstream(task.path() / "schedstat") >> cpu_ns;
    return cpu_ns;
  }
  return -1;
}

TEST(StackSamplerTest, ARunningProcessIsSampledWithAllItsThreads) {
  os::ForegroundProgram program;
  ASSERT_TRUE(program.Start({kSamplingProbe, "threads", "30"}).ok());
  const auto cpu_ns = [&program] {
    return std::pair(CpuNsOf(program.pid(), "seventy"), CpuNsOf(program.pid(), "thirty"));
  };
  // Until both threads have computed so much more than at `since`.
  const auto wait_for_cpu = [&](std::pair<std::int64_t, std::int64_t> since, std::int64_t more_ns) {
    for (auto now = since; now.first < since.first + more_ns || now.second < since.second + more_ns;
         now = cpu_ns())
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  };
  wait_for_cpu({0, 0}, 1'000'000);
  auto sampler = StackSampler::Start(program.pid(), {.rate_hz = 999, .wait_for_exec = false});
  if (!sampler.ok()) {
    kill(program.pid(), SIGKILL);
    program.Wait();
    ASSERT_EQ(sampler.error().kind, ErrorKind::kNotPossible) << sampler.error().what;
    GTEST_SKIP() << sampler.error().what;
  }
  const auto before_ns = cpu_ns();
  wait_for_cpu(before_ns, 200'000'000);
  const auto after_ns = cpu_ns();
  const StackSamples samples = sampler.value()->Stop();
  kill(program.pid(), SIGKILL);
  program.Wait();
  // On a busy machine one of them may get most of the time.
  const auto seventy_ns = static_cast<double>(after_ns.first - before_ns.first);
  const auto thirty_ns = static_cast<double>(after_ns.second - before_ns.second);
  const double seventy_share = seventy_ns / (seventy_ns + thirty_ns);
  EXPECT_NEAR(ShareOf(samples, "SeventyPercent"), seventy_share, 0.1);
  EXPECT_NEAR(ShareOf(samples, "ThirtyPercent"), 1 - seventy_share, 0.1);
  EXPECT_GT(ShareOf(samples, "Turn"), 0.9);
}

TEST(StackSamplerTest, WhatTheKernelHadNoSpaceForIsCounted) {
  // One sample fills most of the smallest buffer.
  XSP_SAMPLE(sampled, "shares", "0.5",
             {.rate_hz = 5000, .stack_bytes = 60 << 10, .ring_bytes = 64 << 10});
  EXPECT_GT(sampled.samples.lost, 100);
  EXPECT_FALSE(sampled.samples.samples.empty());
}

TEST(StackSamplerTest, MemoryIsBoundedByDroppingEverySecondSample) {
  XSP_SAMPLE(sampled, "shares", "1", {.rate_hz = 999, .most_samples = 200});
  EXPECT_LE(sampled.samples.samples.size(), 200u);
  EXPECT_GE(sampled.samples.samples.size(), 60u);
  EXPECT_GE(sampled.samples.kept_every, 4);
  EXPECT_NEAR(ShareOf(sampled.samples, "SeventyPercent"), 0.7, 0.15);
}

TEST(StackSamplerTest, ARateOutOfRangeIsAnError) {
  for (const double rate_hz : {0.0, -1.0, 20'000.0}) {
    const auto started = StackSampler::Start(getpid(), {.rate_hz = rate_hz});
    ASSERT_FALSE(started.ok());
    EXPECT_EQ(started.error().kind, ErrorKind::kUsage);
  }
}

TEST(StackSamplerTest, AProcessThatIsNotThereIsAnError) {
  constexpr int kNobody = 4'000'000;  // Above the kernel's largest number.
  for (const bool wait : {true, false}) {
    const auto started = StackSampler::Start(kNobody, {.wait_for_exec = wait});
    ASSERT_FALSE(started.ok());
    EXPECT_TRUE(started.error().kind == ErrorKind::kBadInput ||
                started.error().kind == ErrorKind::kNotPossible);
  }
}

}  // namespace
}  // namespace xsp::sampling
