#ifndef XSP_STORE_STORE_TESTING_H_
#define XSP_STORE_STORE_TESTING_H_

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <random>
#include <string>

#include "trace/trace.h"

namespace xsp::store {

/// A folder of one test, removed with it.
class TestFolder {
 public:
  TestFolder() {
    static std::atomic<int> next = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("xsp-store-test-" + std::to_string(getpid()) + "-" + std::to_string(next++));
    std::filesystem::create_directories(path_);
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  ~TestFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// A trace with every kind of row, `spans` spans, and text that needs quoting.
inline trace::Trace RandomTrace(std::uint32_t seed, int spans) {
  std::mt19937 random(seed);
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  trace::Trace trace;
  trace::TraceWriter writer(trace);
  for (std::uint32_t i = 0; i < 3; ++i) {
    writer.AddTrack({static_cast<trace::TrackKind>(below(6)), "track '\"" + std::to_string(i),
                     i == 0 ? trace::kNotApplicable : 7, 1000 + i, trace::kNotApplicable, i,
                     i == 1});
  }
  for (int i = 0; i < spans; ++i) {
    const auto parent = i == 0 || below(4) == 0 ? 0 : 1 + below(static_cast<std::uint32_t>(i));
    const std::string name = "operator number " + std::to_string(below(50)) + ", größer";
    const auto span =
        writer.AddSpan({static_cast<trace::Level>(below(5)), "type" + std::to_string(below(9)),
                        name, 1 + below(3), static_cast<std::int64_t>(below(1000000)) - 1000,
                        below(10) == 0 ? trace::kNeverEnded : std::int64_t{below(5000)}, parent,
                        below(3) == 0 ? 0 : below(100)});
    trace.spans.placed_by.back() = static_cast<trace::PlacedBy>(below(trace::kPlacedByCount));
    if (below(2) == 0) {
      writer.AddMetric(span, "flops.float32.vector", below(1000) / 7.0, "flop", "analytic");
    }
    if (below(2) == 0) writer.AddAttribute(span, "problem", "line\nbreak \\ \"" + name);
    if (below(2) == 0)
      writer.AddArguments(span, "{\"id\":" + std::to_string(below(1000)) + ",\"größe\":0.5}");
    if (i > 0 && below(5) == 0) writer.AddLink(span, 1, static_cast<trace::LinkKind>(below(3)));
  }
  for (std::int64_t i = 0; i < 40; ++i)
    writer.AddCounter(2, "cpu", i * 10, 0.5 * static_cast<double>(i), "1");
  writer.AddMark(1, -5, "");
  writer.Count("strange", "an example", "a hint", 3);
  writer.Count({"informs", "another hint", trace::DiagnosticKind::kNote}, "this");
  writer.SetFact("job.rung", "layer");
  writer.SetClockOrigin(trace::ClockOrigin::kEpoch);
  return trace;
}

}  // namespace xsp::store

#endif  // XSP_STORE_STORE_TESTING_H_
