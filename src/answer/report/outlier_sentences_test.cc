#include "answer/report/outlier_sentences.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "answer/report/sentences_testing.h"

namespace xsp::report {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class OutlierSentencesTest : public ImportedRunTest {
 protected:
  void SetUp() override {
    ImportedRunTest::SetUp();
    Insert(
        "roof (kind, name, dtype, unit, value, provenance, how, used) VALUES "
        "('flops', 'r', 'float32', 'vector', 1e12, 'measured:test', 'x', true)");
    for (int i = 0; i < 6; ++i) AddLayer(i, "conv2d", i < 4 ? 2e6 : 4e6);
  }
  /// A layer of 1e9 FLOPs: 1 ms under the roof.
  void AddLayer(int index, const std::string& type, double ns) {
    Insert(fmt::format(
        "layer (point_id, layer_index, name, type, latency_ns, matched) VALUES (1, {0}, "
        "'{1}{0}', '{1}', {2}, 'all')",
        index, type, ns));
    Insert(
        fmt::format("kernel (point_id, kernel_index, layer_index, name, type, duration_ns, flops, "
                    "dtype, unit, matched) "
                    "VALUES (1, {0}, {0}, 'k', 'primitive', {1}, 1e9, 'float32', 'vector', 'all')",
                    index, ns));
  }
  std::vector<std::string> Texts() { return TextsOf(OutlierSentences(database_, 1)); }
};

TEST_F(OutlierSentencesTest, NamesLayersFarBelowOthersOfTheirType) {
  AddLayer(6, "conv2d", 40e6);
  AddLayer(7, "conv2d", 40e6);
  EXPECT_THAT(Texts(),
              ElementsAre("`conv2d6`, `conv2d7` run at 2.50 % of their roof, where other `conv2d` "
                          "layers reach 37.5 % of theirs, and hold 83.3 % of kernel time: numbers "
                          "too small for the usual format (denormal), a fallback or a layout would "
                          "show like this."));
}

TEST_F(OutlierSentencesTest, IsSilentWhereTheTypeIsSlowOrLittleIsLost) {
  EXPECT_THAT(Texts(), IsEmpty());
  AddLayer(6, "matmul", 1000e6);  // Nothing to compare it with.
  EXPECT_THAT(Texts(), IsEmpty());
  AddLayer(7, "conv2d", 20e6);  // 2 % of all.
  EXPECT_THAT(Texts(), IsEmpty());
}

}  // namespace
}  // namespace xsp::report
