#include "app/cli/stack_difference_output.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/operations/stack_difference_document.h"

namespace xsp::cli {
namespace {

using api::StackCapture;
using nlohmann::json;
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

json Difference(const StackCapture& a, const StackCapture& b) {
  return api::StackDifferenceDocument(a, b,
                                      collect::Compare(a.facts, b.facts, [](std::string_view key) {
                                        return key == "load.average";
                                      }));
}

json Difference() { return Difference(kOld, kNew); }

TEST(StackDifferenceOutput, ShowsBothValuesBesideEachOther) {
  EXPECT_EQ(FormatStackDifference(Difference(), Format::kTable, 45),
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
  EXPECT_THAT(FormatStackDifference(Difference(long_one, short_one), Format::kTable, 45),
              HasSubstr("\nx.library  /one/very/long/p  /path\n           ath\n"));
}

TEST(StackDifferenceOutput, SaysThatNothingDiffers) {
  EXPECT_EQ(FormatStackDifference(Difference(kOld, kOld), Format::kTable, 100),
            "old and old: no fact differs, 4 are the same.\n");
}

TEST(StackDifferenceOutput, IsEmptyInCsvWhereAValueIsNotThere) {
  const std::string text = FormatStackDifference(Difference(), Format::kCsv, 100);
  EXPECT_THAT(text, HasSubstr("key,a,b,a_hidden,b_hidden\r\n"));
  EXPECT_THAT(text, HasSubstr("cpu.smt,,on,no such file,\r\n"));
}

}  // namespace
}  // namespace xsp::cli
