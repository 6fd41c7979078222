#include "os/published_table.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <string_view>

namespace xsp::os {
namespace {

using ::testing::HasSubstr;

Result<PublishedTable> ReadText(std::string_view text) {
  const auto path = std::filesystem::path(::testing::TempDir()) / "sheet_table.csv";
  std::ofstream(path, std::ios::binary) << text;
  return PublishedTable::Read(path, {"device", "match"});
}

TEST(PublishedTable, PassesOverCommentsAndReadsQuotedFields) {
  const auto table =
      ReadText("# \"so, it\ndevice,match,watts\n\"T4, 16 GB\",t4,70\n#end\nT40,t4 x,\n");
  ASSERT_TRUE(table.ok()) << table.error().what;
  ASSERT_EQ(table.value().rows().size(), 2u);
  const PublishedTable::Row& first = table.value().rows()[0];
  EXPECT_EQ(table.value().Text(first, "device"), "T4, 16 GB");
  EXPECT_EQ(table.value().Number(first, "watts"), 70);
  EXPECT_FALSE(table.value().Number(table.value().rows()[1], "watts"));
  EXPECT_EQ(table.value().BestMatch("Tesla T4"), &first);
}

TEST(PublishedTable, NamesWhatIsDamaged) {
  EXPECT_THAT(ReadText("device,match\nT4\n").error().what, HasSubstr("T4 has 1 of 2 fields"));
  EXPECT_THAT(ReadText("device,match\n\nT4,\"t4\n").error().what,
              HasSubstr("the quotes of line 3 are not closed"));
  EXPECT_THAT(ReadText("device\nT4\n").error().what, HasSubstr("no column match"));
}

}  // namespace
}  // namespace xsp::os
