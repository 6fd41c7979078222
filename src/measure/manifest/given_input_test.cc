#include "measure/manifest/given_input.h"

#include <gtest/gtest.h>

#include <string>

#include "core/json_text.h"

namespace xsp::manifest {
namespace {

using nlohmann::json;

json Parsed(const std::string& text) {
  const auto parsed = ParseGivenInput(text);
  EXPECT_TRUE(parsed.ok()) << text << ": " << (parsed.ok() ? "" : parsed.error().what);
  return parsed.ok() ? parsed.value() : json();
}

TEST(GivenInput, HasANameAShapeAndMore) {
  EXPECT_EQ(Parsed("x=1x3x48x320"), core::ParseJson(R"({"name": "x", "shape": [1, 3, 48, 320]})"));
  EXPECT_EQ(Parsed("Nx3x48x320"), core::ParseJson(R"({"shape": ["batch", 3, 48, 320]})"));
  EXPECT_EQ(Parsed("ids=1x128:int64:range=0..30522"),
            core::ParseJson(
                R"({"name": "ids", "shape": [1, 128], "dtype": "int64", "range": [0, 30522]})"));
  EXPECT_EQ(Parsed("sr=scalar:value=16000"),
            core::ParseJson(R"({"name": "sr", "shape": [], "value": 16000.0})"));
  EXPECT_EQ(Parsed("128:fill=ones"), core::ParseJson(R"({"shape": [128], "fill": "ones"})"));
}

TEST(GivenInput, NamesMayHoldColonsAndX) {
  EXPECT_EQ(Parsed("input:0=1x3"), core::ParseJson(R"({"name": "input:0", "shape": [1, 3]})"));
  EXPECT_EQ(Parsed("2x=7"), core::ParseJson(R"({"name": "2x", "shape": [7]})"));
}

TEST(GivenInput, SaysWhatItCannotRead) {
  for (const char* text : {"", "x", "x=", "=1x3", "x=1x", "x=1x0x3", "x=1x-3", "x=1x3:int63",
                           "x=1x3:range=5..5", "x=1x3:range=5", "x=1x3:value=", "x=1x3:value=1a",
                           "x=1x3:fill=water", "x=1x3:", "x=99999999999999999999"}) {
    const auto parsed = ParseGivenInput(text);
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_EQ(parsed.error().kind, ErrorKind::kUsage);
    EXPECT_NE(parsed.error().what.find(std::string("--input ") + text), std::string::npos);
  }
}

}  // namespace
}  // namespace xsp::manifest
