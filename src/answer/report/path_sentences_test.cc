#include "answer/report/path_sentences.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "answer/report/sentences_testing.h"

namespace xsp::report {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class PathSentencesTest : public ImportedRunTest {
 protected:
  void InsertPath(const std::string& kind, const std::string& name, int ns) {
    Insert(fmt::format("critical_path VALUES (1, NULL, 3, '{}', '{}', 1, {})", kind, name, ns));
  }

  /// `calls` collectives of two ranks: rank 1 is `late_ns` later in `late_calls` of them, rank 0 in
  /// the others; rank 1's clock is `ahead_ns` ahead.
  void InsertCollectives(int calls, int late_calls, int late_ns, int ahead_ns = 0) {
    for (const int rank : {0, 1})
      Insert(fmt::format(
          "device_time VALUES (1, {}, 0, NULL, 0, 100000, 0, 0, 0, 0, 0, 0, 0, 0, 9)", rank));
    for (int i = 0; i < calls; ++i) {
      const int late_rank = i < late_calls ? 1 : 0;
      const int start[] = {10'000 * i + (late_rank == 0 ? late_ns : 0),
                           10'000 * i + (late_rank == 1 ? late_ns : 0) + ahead_ns};
      const int last = std::max(start[0], start[1]);
      for (const int rank : {0, 1})
        Insert(fmt::format(
            "collective VALUES (1, {}, 0, 40, NULL, 'all_reduce', 'k', '0', 2, NULL, NULL, {}, {}, "
            "{}, 0, {}, 500)",
            rank, i, start[rank], 10'000 * i + 5000 + rank * ahead_ns - start[rank],
            last - start[rank]));
    }
  }

  std::vector<std::string> Texts() { return TextsOf(PathSentences(database_, 1)); }
};

TEST_F(PathSentencesTest, SaysWhatMostOfThePathIs) {
  InsertPath("host", "aten::mm", 300);
  InsertPath("host", "(between operators)", 400);
  InsertPath("synchronisation", "cudaDeviceSynchronize", 50);
  InsertPath("compute", "gemm", 250);
  EXPECT_THAT(Texts(),
              ElementsAre("The host is 70.0 % of the critical path, `aten::mm` alone 30.0 %; "
                          "faster kernels would gain at most 25.0 %."));
}

TEST_F(PathSentencesTest, PromisesNothingWithoutCallsThatWait) {
  InsertPath("host", "(between operators)", 1000);
  EXPECT_THAT(Texts(), ElementsAre("The host is 100 % of the critical path; no call that waits for "
                                   "the device is recorded on it."));
  InsertPath("synchronisation", "cudaDeviceSynchronize", 1);
  EXPECT_THAT(Texts(), ElementsAre("The host is 99.9 % of the critical path; faster kernels would "
                                   "gain nothing."));
}

TEST_F(PathSentencesTest, NamesNoNameThatTakesLittle) {
  InsertPath("compute", "gemm", 90);
  InsertPath("compute", "(other names)", 810);
  InsertPath("launch", "gemm", 100);
  EXPECT_THAT(Texts(), ElementsAre("Computing kernels are 90.0 % of the critical path."));
}

TEST_F(PathSentencesTest, APathOfManyKindsSaysNothing) {
  InsertPath("host", "aten::mm", 500);
  InsertPath("compute", "gemm", 500);
  EXPECT_THAT(Texts(), IsEmpty());
}

TEST_F(PathSentencesTest, ARunWithoutAPathSaysNothing) { EXPECT_THAT(Texts(), IsEmpty()); }

TEST_F(PathSentencesTest, NamesTheRankThatTheOthersWaitFor) {
  InsertCollectives(10, 9, 1000);
  EXPECT_THAT(
      Texts(),
      ElementsAre("Rank 1 comes last to 90.0 % of the collectives; in collectives the other "
                  "ranks of this import wait 9.00 % of their devices' time for whoever is "
                  "last."));
}

TEST_F(PathSentencesTest, RanksThatTakeTurnsSayNothing) {
  InsertCollectives(10, 5, 1000);
  EXPECT_THAT(Texts(), IsEmpty());
}

TEST_F(PathSentencesTest, ShortWaitsSayNothing) {
  InsertCollectives(10, 9, 100);
  EXPECT_THAT(Texts(), IsEmpty());
}

TEST_F(PathSentencesTest, ClocksThatDisagreeSayNothing) {
  InsertCollectives(10, 9, 1000, 900);
  EXPECT_THAT(Texts(), IsEmpty());
}

}  // namespace
}  // namespace xsp::report
