#include "answer/findings/focus.h"

#include "answer/findings/rule_testing.h"

namespace xsp::findings {
namespace {

using FocusTest = UserRules;

TEST_F(FocusTest, ThePointWithTheHighestThroughputIsTheBest) {
  EXPECT_EQ(BestPoint(database_).value(), 0);
  InsertPoint();
  Insert(
      "point (point_id, model, backend, device, precision, batch, settings, latency_ns, status) "
      "VALUES (2, 'm', 'PyTorch', 'cpu', 'float32', 1, '{}', 500, 'done')");
  EXPECT_EQ(BestPoint(database_).value(), 1);
}

TEST_F(FocusTest, OneBackendIsNotNamed) {
  InsertPoint();
  const Focus focus = FocusOn(database_, 1).value();
  EXPECT_EQ(focus.where, " (batch 8)");
  EXPECT_EQ(focus.of, "");
  EXPECT_EQ(focus.backend, "");
}

TEST_F(FocusTest, AmongSeveralTheBackendIsNamed) {
  InsertPoint();
  Insert(
      "comparison (point_id, against_point_id, ratio, ratio_low, ratio_high, verdict) VALUES "
      "(1, 2, 1, 1, 1, 'slower')");
  const Focus focus = FocusOn(database_, 1).value();
  EXPECT_EQ(focus.where, " (PyTorch, batch 8)");
  EXPECT_EQ(focus.of, " of PyTorch");
  EXPECT_EQ(focus.backend, "PyTorch");
}

TEST_F(FocusTest, NoPointNoFocus) { EXPECT_EQ(FocusOn(database_, 1).value().point_id, 0); }

}  // namespace
}  // namespace xsp::findings
