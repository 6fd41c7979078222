#include "harness/span_counters.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <thread>

#include "capture/wire/collected_records.h"
#include "harness/worker.h"

namespace xsp::worker {
namespace {

/// While it lives, this process can open no file more.
class NoMoreFiles {
 public:
  NoMoreFiles() {
    getrlimit(RLIMIT_NOFILE, &before_);
    const int next = dup(0);
    close(next);
    rlimit now = before_;
    now.rlim_cur = static_cast<rlim_t>(next);
    setrlimit(RLIMIT_NOFILE, &now);
  }
  ~NoMoreFiles() { setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_;
};

/// Begins and ends a counted layer of that name on a thread that has counted nothing before.
void CountLayer(const std::string& name) {
  std::thread([&name] {
    const xsp_string id = xsp_intern(name.data(), name.size());
    xsp_worker_end_counted(xsp_worker_begin_counted(id, id));
  }).join();
}

TEST(SpanCounters, LayersOfAThreadWhoseCountersCannotBeOpenedHaveNoCounts) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("span_counters_test." + std::to_string(getpid())))
          .string();
  ASSERT_EQ(xsp_open(path.c_str(), nullptr), 0);
  {
    const counters::Event clock = counters::SoftwareEvents().front();
    if (!counters::CounterSet({&clock, 1}, counters::Scope::kThread).IsCounted(0)) {
      xsp_close();
      std::filesystem::remove(path);
      GTEST_SKIP() << "perf_event_open counts nothing here";
    }
    const SpanCounters counters({clock});
    CountLayer("counted");
    const NoMoreFiles full;
    CountLayer("uncounted");
  }
  xsp_close();
  const auto read = wire::ReadRecording(path);
  std::filesystem::remove(path);
  ASSERT_EQ(read->spans.size(), 2u);
  for (const auto& span : read->spans) {
    bool has_count = false;
    for (const auto& metric : read->metrics) has_count |= metric.span == span.id;
    EXPECT_EQ(has_count, span.name == "counted") << span.name;
  }
}

}  // namespace
}  // namespace xsp::worker
