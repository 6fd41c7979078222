#include "api/field_names.h"

#include <gtest/gtest.h>

namespace xsp::api {
namespace {

TEST(FieldNamesTest, OptionsBecomeFields) {
  EXPECT_EQ(WithFieldNames("Leave out --batch."), "Leave out `batch`.");
  EXPECT_EQ(WithFieldNames("--time-limit (of all) allows more"),
            "`time_limit` (of all) allows more");
  EXPECT_EQ(WithFieldNames("in common (--model, --tag)"), "in common (`model`, `tag`)");
  EXPECT_EQ(WithFieldNames("Write --precision-target 5%."), "Write `precision_target` 5%.");
}

TEST(FieldNamesTest, AllElseStays) {
  for (const char* hint : {"", "-", "--", "a--b", "a -- b", "--X", "well-known --", "x\n--",
                           "Slurm runs it: `xsp sweep FILE --executor slurm`."})
    EXPECT_EQ(WithFieldNames(hint), hint);
  EXPECT_EQ(WithFieldNames("`xsp list --all` or --model"), "`xsp list --all` or `model`");
}

}  // namespace
}  // namespace xsp::api
