#include "capture/monitor/monitor.h"

#include <gmock/gmock.h>
#include <signal.h>
#include <time.h>

#include <atomic>
#include <thread>

#include "capture/monitor/row_store.h"

namespace xsp::monitor {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;

std::atomic<int> readings = 0;
std::atomic<int> slow_ms = 0;

/// Waits until the samplers were read so often.
void WaitForReadings(int count) {
  for (int seen = readings; seen < count; seen = readings) readings.wait(seen);
}

/// Counts how often it was read; its second channel is never known.
class Counting : public Sampler {
 public:
  Counting() {
    Add({"counting.readings", "1", ""});
    Add({"counting.nothing", "1", "part"});
    Hide("counting.secret", "it is a secret");
  }
  void Sample(std::int64_t, std::span<double> values) override {
    values[0] = readings++;
    readings.notify_all();
    if (slow_ms > 0) std::this_thread::sleep_for(milliseconds(slow_ms));
  }
};

constexpr SamplerSpec kCounting{
    .name = "counting",
    .summary = "For tests",
    .open = [](const collect::MachineFiles&) -> std::unique_ptr<Sampler> {
      return std::make_unique<Counting>();
    }};
constexpr const SamplerSpec* kSpecs[] = {&kCounting};

class MonitorTest : public testing::Test {
 protected:
  MonitorTest() { readings = slow_ms = 0; }
};

std::int64_t MonotonicNs() {
  return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

// However late samples are woken and long they take, deadlines do not move: taken and left out
// together there are as many as the time holds.
TEST_F(MonitorTest, DeadlinesAreMultiplesOfThePeriod) {
  constexpr std::int64_t kPeriodNs = 10'000'000;
  slow_ms = 3;
  auto started = Monitor::Start(kSpecs, {.rate_hz = 100});
  ASSERT_TRUE(started.ok());
  WaitForReadings(50);
  const std::int64_t before_ns = MonotonicNs();
  const Series& series = started.value()->Stop();
  const std::int64_t after_ns = MonotonicNs();
  const std::int64_t deadlines = series.samples - 1 + series.late;
  // The last one may just have come when it is stopped.
  EXPECT_GE(deadlines, (before_ns - series.start_ns) / kPeriodNs - 1);
  EXPECT_LE(deadlines, (after_ns - series.start_ns) / kPeriodNs);
  for (std::size_t row = 0; row + 1 < series.rows(); ++row) {
    EXPECT_GE(series.end_ns[row] - series.start_ns, static_cast<std::int64_t>(row + 1) * kPeriodNs)
        << "none comes before its deadline";
    EXPECT_EQ(series.Value(row, 0), static_cast<double>(row + 1)) << "the first is only a start";
  }
  EXPECT_TRUE(std::isnan(series.Value(0, 1)));
  EXPECT_EQ(series.hidden.at(0).name, "counting.secret");
}

TEST_F(MonitorTest, ASamplerSlowerThanThePeriodLosesSamplesAndIsToldSo) {
  slow_ms = 25;
  auto started = Monitor::Start(kSpecs, {.rate_hz = 100});
  ASSERT_TRUE(started.ok());
  WaitForReadings(10);
  const Series& series = started.value()->Stop();
  EXPECT_GT(series.late, 0);
  for (std::size_t row = 0; row < series.rows(); ++row)
    EXPECT_GT(series.end_ns[row], series.BeginOf(row));
}

TEST_F(MonitorTest, TellsWhatItCostAndNotWhatItSlept) {
  slow_ms = 3;
  auto started = Monitor::Start(kSpecs, {.rate_hz = 50});
  ASSERT_TRUE(started.ok());
  WaitForReadings(11);
  const Series& series = started.value()->Stop();
  EXPECT_GT(series.cpu_ns, 0);
  EXPECT_LT(series.cpu_ns, series.wall_ns);
  EXPECT_GE(series.wall_ns, 200'000'000) << "ten periods of 20 ms have passed";
  EXPECT_DOUBLE_EQ(series.CostShare(), double(series.cpu_ns) / double(series.wall_ns));
}

TEST_F(MonitorTest, StopsAtOnceHoweverLongThePeriod) {
  auto started = Monitor::Start(kSpecs, {.rate_hz = 0.01});
  ASSERT_TRUE(started.ok());
  const Series& series = started.value()->Stop();
  ASSERT_EQ(series.rows(), 1u) << "what was up to the end is not lost";
  EXPECT_EQ(&started.value()->Stop(), &series);
  EXPECT_EQ(series.samples, 1);
}

TEST_F(MonitorTest, TimesBelongToTheWallClock) {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  const std::int64_t before_ns = now.tv_sec * 1'000'000'000 + now.tv_nsec;
  auto started = Monitor::Start(kSpecs, {.rate_hz = 100});
  ASSERT_TRUE(started.ok());
  const Series series = started.value()->Stop();
  clock_gettime(CLOCK_REALTIME, &now);
  const std::int64_t after_ns = now.tv_sec * 1'000'000'000 + now.tv_nsec;
  constexpr std::int64_t kAdjustmentNs = 1'000'000;  // The clocks' rates may differ.
  EXPECT_GE(series.start_ns + series.realtime_offset_ns, before_ns - kAdjustmentNs);
  EXPECT_LE(series.end_ns.back() + series.realtime_offset_ns, after_ns + kAdjustmentNs);
}

TEST_F(MonitorTest, RefusesARateThatNobodyMeans) {
  for (const double rate : {0.0, -1.0, 1e9, std::nan("")}) {
    const auto started = Monitor::Start(kSpecs, {.rate_hz = rate});
    ASSERT_FALSE(started.ok());
    EXPECT_EQ(started.error().kind, ErrorKind::kUsage);
  }
}

TEST_F(MonitorTest, ItsThreadTakesNoSignals) {
  static std::atomic<bool> on_main;
  static const pthread_t main_thread = pthread_self();
  struct sigaction action = {}, before = {};
  action.sa_handler = [](int) { on_main = pthread_equal(pthread_self(), main_thread) != 0; };
  sigaction(SIGUSR1, &action, &before);
  slow_ms = 1;
  auto started = Monitor::Start(kSpecs, {.rate_hz = 500});
  ASSERT_TRUE(started.ok());
  for (int i = 0; i < 50; ++i) {
    on_main = false;
    kill(getpid(), SIGUSR1);
    EXPECT_TRUE(on_main);
    WaitForReadings(readings + 1);  // Its thread has run since.
  }
  sigaction(SIGUSR1, &before, nullptr);
}

/// A series of one channel, of `rows` readings 10 ns apart with values 0, 1, 2, ...
Series Readings(int count, std::size_t most_values, double unknown_at = -1) {
  Series series;
  series.channels.push_back({"x", "1", ""});
  RowStore rows(series, most_values);
  for (int i = 0; i < count; ++i) {
    const double value = i == unknown_at ? kUnknown : i;
    rows.Add((i + 1) * 10, std::span(&value, 1));
  }
  rows.Finish();
  return series;
}

TEST(RowStoreTest, KeepsEveryReadingWhileThereIsRoom) {
  const Series series = Readings(3, 100);
  EXPECT_THAT(series.values, ElementsAre(0, 1, 2));
  EXPECT_THAT(series.end_ns, ElementsAre(10, 20, 30));
  EXPECT_EQ(series.samples_a_row, 1);
}

TEST(RowStoreTest, MergesNeighboursIntoTheirMeanWhenFull) {
  const Series series = Readings(7, 6);
  // 0 to 5 is full: 0.5 2.5 4.5; of the next pair only 6 came.
  EXPECT_THAT(series.values, ElementsAre(0.5, 2.5, 4.5, 6));
  EXPECT_THAT(series.end_ns, ElementsAre(20, 40, 60, 70));
  EXPECT_EQ(series.samples_a_row, 2);
  EXPECT_EQ(series.samples, 7);
}

TEST(RowStoreTest, NeverHoldsMoreThanItsBoundAndLosesNoTime) {
  for (const int count : {10, 1000, 12345}) {
    const Series series = Readings(count, 64);
    EXPECT_LE(series.rows(), 64u);
    EXPECT_LE(series.values.capacity(), 128u);
    EXPECT_EQ(series.end_ns.back(), count * 10);
    double sum = 0;
    for (std::size_t row = 0; row < series.rows(); ++row)
      sum += series.Value(row, 0) * double(series.end_ns[row] - series.BeginOf(row));
    EXPECT_NEAR(sum / (count * 10), (count - 1) / 2.0, 1e-6 * count) << "the mean stays";
  }
}

TEST(RowStoreTest, AMissingValueIsNoZeroInTheMean) {
  const Series series = Readings(4, 4, /*unknown_at=*/1);
  EXPECT_THAT(series.values, ElementsAre(0, 2.5));
}

TEST(RowStoreTest, WeighsReadingsByTheTimeThatTheyStandFor) {
  Series series;
  series.channels.push_back({"x", "1", ""});
  RowStore rows(series, 2);
  for (const auto& [end_ns, value] : {std::pair(10, 1.0), std::pair(40, 5.0)})
    rows.Add(end_ns, std::span(&value, 1));
  EXPECT_THAT(series.values, ElementsAre((1 * 10 + 5 * 30) / 40.0));
}

}  // namespace
}  // namespace xsp::monitor
