#include "answer/analyze/yaml_fields.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace xsp::analyze {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

YamlFields FieldsOf(const std::string& yaml) {
  return YamlFields("a.yaml", YAML::Load(yaml), "See README.md.");
}

TEST(YamlFieldsTest, ReadsTextsNumbersAndTruths) {
  YamlFields fields = FieldsOf("name: x\nvalue: 0.25\nflag: true\nlist: [a, b]\none: c\n");
  EXPECT_EQ(fields.Text("name").value(), "x");
  EXPECT_EQ(fields.Number("value").value(), 0.25);
  EXPECT_TRUE(fields.Truth("flag", false).value());
  EXPECT_TRUE(fields.Truth("other_flag", true).value());
  EXPECT_THAT(fields.Texts("list").value(), ElementsAre("a", "b"));
  EXPECT_THAT(fields.Texts("one").value(), ElementsAre("c"));
  EXPECT_TRUE(fields.NothingElse().ok());
}

TEST(YamlFieldsTest, ErrorsNameFileAndLine) {
  YamlFields fields = FieldsOf("name: x\nvalue: y\nflag: perhaps\n");
  EXPECT_EQ(fields.Number("value").error().what, "'value' is not a number: y: a.yaml:2");
  EXPECT_EQ(fields.Truth("flag", false).error().what,
            "'flag' is neither true nor false: perhaps: a.yaml:3");
  EXPECT_EQ(fields.Text("title").error().what, "'title' is missing: a.yaml:1");
  EXPECT_EQ(fields.List("name").error().what, "'name' is not a list with items: a.yaml:1");
  EXPECT_EQ(fields.Map("name").error().what, "'name' is not a map: a.yaml:1");
  EXPECT_EQ(fields.Text("title").error().hint, "See README.md.");
}

TEST(YamlFieldsTest, AnUnknownKeyIsRefusedWithTheNearestKnownOne) {
  YamlFields fields = FieldsOf("title: x\nthresholdd: 1\n");
  ASSERT_TRUE(fields.Text("title").ok());
  ASSERT_TRUE(fields.Text("threshold", false).ok());
  const Status nothing = fields.NothingElse();
  EXPECT_EQ(nothing.error().what, "'thresholdd' is not one of title, threshold: a.yaml:2");
  EXPECT_THAT(nothing.error().hint, HasSubstr("Did you mean threshold?"));
}

}  // namespace
}  // namespace xsp::analyze
