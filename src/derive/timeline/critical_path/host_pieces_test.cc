#include "derive/timeline/critical_path/host_pieces.h"

#include <gtest/gtest.h>

#include <random>
#include <tuple>
#include <vector>

#include "derive/timeline/timeline_testing.h"

namespace xsp::timeline::critical_path {
namespace {

TEST(HostPiecesTest, TimeBelongsToTheInnermostSpan) {
  Recording recording;
  const auto thread = recording.Thread();
  const auto outer =
      recording.Add(trace::Level::kLayer, "aten::linear", "aten::linear", thread, 10, 90);
  const auto inner =
      recording.Add(trace::Level::kLayer, "aten::addmm", "aten::addmm", thread, 20, 30);
  HostPieces pieces(recording.trace(), {outer, inner});
  using Piece = std::tuple<std::int64_t, std::int64_t, trace::SpanId>;
  std::vector<Piece> found;
  pieces.ForEach(0, 110, [&](std::int64_t from, std::int64_t to, trace::SpanId span) {
    found.emplace_back(from, to, span);
  });
  EXPECT_EQ(found,
            (std::vector<Piece>{
                {0, 10, 0}, {10, 20, outer}, {20, 50, inner}, {50, 100, outer}, {100, 110, 0}}));
}

TEST(HostPiecesTest, AgreesWithLookingAtEveryNanosecond) {
  std::mt19937 random(41);
  const auto below = [&](int n) {
    return static_cast<std::int64_t>(random() % static_cast<unsigned>(n));
  };
  for (int round = 0; round < 500; ++round) {
    Recording recording;
    const auto thread = recording.Thread();
    std::vector<trace::SpanId> spans;
    // They overlap in every way, as those of damaged traces do; some have no length.
    for (std::int64_t i = 0, n = below(12); i < n; ++i)
      spans.push_back(recording.Add(static_cast<trace::Level>(below(4)), "t", "n", thread,
                                    below(100), below(3) == 0 ? below(4) : below(60)));
    const trace::SpanTable& table = recording.trace().spans;
    HostPieces pieces(recording.trace(), spans);
    for (std::int64_t at = 0; at < 180;) {
      const std::int64_t from = at + below(20), to = from + 1 + below(40);
      std::int64_t covered = from;
      pieces.ForEach(from, to, [&](std::int64_t start, std::int64_t end, trace::SpanId span) {
        ASSERT_EQ(start, covered);
        covered = end;
        for (std::int64_t t = start; t < end; ++t) {
          trace::SpanId innermost = 0;
          const auto order = [&](trace::SpanId id) {
            return std::tuple(table.start_ns[id - 1],
                              -(table.start_ns[id - 1] + table.duration_ns[id - 1]),
                              table.level[id - 1], id);
          };
          for (const trace::SpanId id : spans) {
            const std::int64_t begin = table.start_ns[id - 1];
            if (begin > t || begin + table.duration_ns[id - 1] <= t) continue;
            if (innermost == 0 || order(innermost) < order(id)) innermost = id;
          }
          ASSERT_EQ(span, innermost) << "round " << round << " at " << t;
        }
      });
      ASSERT_EQ(covered, to);
      at = to;
    }
  }
}

}  // namespace
}  // namespace xsp::timeline::critical_path
