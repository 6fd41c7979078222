#include "core/step_times.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>

namespace xsp::core {
namespace {

StepTime Named(const char* name) {
  const auto steps = StepTimes();
  const auto it = std::find_if(steps.begin(), steps.end(),
                               [&](const StepTime& step) { return step.name == name; });
  return it == steps.end() ? StepTime{} : *it;
}

void Burn(double cpu_s) {
  const double until = ProcessCpuSeconds() + cpu_s;
  while (ProcessCpuSeconds() < until) {
  }
}

TEST(StepTimes, CountsWorkAndWaitingApart) {
  {
    const StepTimer timer("waits");
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  EXPECT_GE(Named("waits").wall_s, 0.05);
  EXPECT_LT(Named("waits").cpu_s, 0.04);
  EXPECT_GT(Named("waits").peak_rss_bytes, 0);
}

TEST(StepTimes, AddsUpTimersOfOneNameOverThreads) {
  const auto work = [] {
    const StepTimer timer("shared");
    Burn(0.02);
  };
  work();
  const double alone_s = Named("shared").cpu_s;
  EXPECT_GE(alone_s, 0.015);
  std::thread(work).join();
  EXPECT_GE(Named("shared").cpu_s, alone_s + 0.015);
}

TEST(StepTimes, DoesNotSeeTheCpuTimeOfOtherThreads) {
  {
    const StepTimer timer("outer");
    std::thread([] { Burn(0.05); }).join();
  }
  EXPECT_GE(Named("outer").wall_s, 0.04);
  EXPECT_LT(Named("outer").cpu_s, 0.04);
}

TEST(StepTimes, ListsStepsAsTheyFirstBegan) {
  const auto index = [](const char* name) {
    const auto steps = StepTimes();
    return std::find_if(steps.begin(), steps.end(),
                        [&](const StepTime& step) { return step.name == name; }) -
           steps.begin();
  };
  {
    const StepTimer first("first");
    const StepTimer second("second");
  }
  EXPECT_LT(index("first"), index("second"));
}

}  // namespace
}  // namespace xsp::core
