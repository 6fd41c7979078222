#include "capture/record/process.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <optional>
#include <string>

#include "capture/wire/collected_records.h"

namespace xsp::record {
namespace {

TEST(CapacityTest, TakesBytesAndUnitsOf1024) {
  EXPECT_EQ(ParseCapacity("1048576"), 1u << 20);
  EXPECT_EQ(ParseCapacity("64K"), 64u << 10);
  EXPECT_EQ(ParseCapacity("300M"), std::uint64_t{300} << 20);
  EXPECT_EQ(ParseCapacity("8G"), std::uint64_t{8} << 30);
}

TEST(CapacityTest, WhatIsNoSizeIsNone) {
  for (const char* text : {"", "0", "G", "-1", "4T", "4 G", "4GB", "4GB!", "99999999999999999999",
                           "18446744073709551615K"})
    EXPECT_EQ(ParseCapacity(text), std::nullopt) << text;
}

/// What a recording says of its capacity that was opened with this value; null: it is not set.
std::string SaidOf(const char* capacity) {
  const wire::ScratchFolder folder;
  setenv(kFolderVariable, folder.path().c_str(), 1);
  if (capacity == nullptr) unsetenv(kCapacityVariable);
  if (capacity != nullptr) setenv(kCapacityVariable, capacity, 1);
  EXPECT_TRUE(OpenRecording());
  xsp_close();
  unsetenv(kFolderVariable);
  unsetenv(kCapacityVariable);
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    const auto read = wire::ReadRecording(entry.path().string());
    for (const auto& attribute : read->attributes)
      if (attribute.key == "problem.xsp_recording_capacity") return attribute.value;
  }
  return "";
}

TEST(OpenRecordingTest, ACapacityThatIsNoSizeIsSaidWithWhatIsTaken) {
  for (const char* text : {"4GB!", "-1", ""}) {
    const std::string said = SaidOf(text);
    EXPECT_TRUE(
        said.starts_with("this recording may take 4 GiB, not what XSP_RECORD_CAPACITY asks "
                         "for, which is no size: " +
                         std::string(*text == '\0' ? "it is empty" : text)))
        << said;
    EXPECT_NE(said.find("XSP_RECORD_CAPACITY=8G"), std::string::npos) << "what to do";
  }
  EXPECT_EQ(SaidOf("64M"), "");
  EXPECT_EQ(SaidOf(nullptr), "");
}

}  // namespace
}  // namespace xsp::record
