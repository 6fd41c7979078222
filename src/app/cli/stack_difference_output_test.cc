#include "app/cli/stack_difference_output.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace xsp::cli {
namespace {

using testing::HasSubstr;

const StackCapture kOld{"old",
                        "file",
                        {{"cpu.model", "A CPU of many words", ""},
                         {"cpu.smt", "", "no such file"},
                         {"cpu.cores", "4", ""},
                         {"backend.torch.framework.version", "2.15", ""},
                         {"load.average", "1", ""}}};
const StackCapture kNew{"now",
                        "machine",
                        {{"cpu.model", "Another", ""},
                         {"cpu.smt", "on", ""},
                         {"cpu.cores", "4", ""},
                         {"cpu.extra", "yes", ""},
                         {"load.average", "2", ""}}};

collect::StackDifference Difference() {
  return collect::Compare(kOld.facts, kNew.facts,
                          [](std::string_view key) { return key == "load.average"; });
}

TEST(StackDifferenceOutput, ShowsBothValuesBesideEachOther) {
  EXPECT_EQ(FormatStackDifference(kOld, kNew, Difference(), Format::kTable, 45),
            "fact       old               now\n"
            "cpu.extra  (not there)       yes\n"
            "cpu.model  A CPU of many     Another\n"
            "           words\n"
            "cpu.smt    not visible: no   on\n"
            "           such file\n"
            "\n"
            "old and now: 3 facts differ, 1 is the same; 1 momentary fact is omitted "
            "(--all shows it).\n"
            "Not compared: backend.torch (only old has it).\n");
}

TEST(StackDifferenceOutput, BreaksAWordThatIsTooLong) {
  const StackCapture long_one{"a", "file", {{"x.library", "/one/very/long/path", ""}}};
  const StackCapture short_one{"b", "file", {{"x.library", "/path", ""}}};
  EXPECT_THAT(
      FormatStackDifference(long_one, short_one, collect::Compare(long_one.facts, short_one.facts),
                            Format::kTable, 45),
      HasSubstr("\nx.library  /one/very/long/p  /path\n           ath\n"));
}

TEST(StackDifferenceOutput, SaysThatNothingDiffers) {
  EXPECT_EQ(FormatStackDifference(kOld, kOld, collect::Compare(kOld.facts, kOld.facts),
                                  Format::kTable, 100),
            "old and old: no fact differs, 4 are the same.\n");
}

TEST(StackDifferenceOutput, KeepsReasonsBesideNullsForPrograms) {
  const auto document =
      nlohmann::json::parse(FormatStackDifference(kOld, kNew, Difference(), Format::kJson, 100));
  EXPECT_EQ(document["a"]["name"], "old");
  EXPECT_EQ(document["b"]["kind"], "machine");
  EXPECT_EQ(document["same"], 1);
  EXPECT_EQ(document["left_out"], 1);
  EXPECT_EQ(document["only_in_a"], nlohmann::json::parse(R"(["backend.torch"])"));
  ASSERT_EQ(document["differences"].size(), 3U);
  EXPECT_EQ(document["differences"][2],
            nlohmann::json::parse(R"({"key": "cpu.smt", "a": null, "b": "on",
                                      "a_hidden": "no such file", "b_hidden": null})"));
  EXPECT_THAT(FormatStackDifference(kOld, kNew, Difference(), Format::kCsv, 100),
              HasSubstr("key,a,b,a_hidden,b_hidden"));
}

}  // namespace
}  // namespace xsp::cli
