#include "ingest/importers/nvidia_smi_dmon/log_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <time.h>

namespace xsp::importers::nvidia_smi_dmon {
namespace {

using testing::ElementsAre;

std::vector<std::string_view> Fields(std::string_view line, LineKind kind) {
  std::vector<std::string_view> fields;
  EXPECT_EQ(ReadFields(line, fields), kind) << line;
  return fields;
}

TEST(LogLineTest, FieldsAreSeparatedBySpacesOrCommas) {
  EXPECT_THAT(Fields("# gpu   pwr \r", LineKind::kNames), ElementsAre("gpu", "pwr"));
  EXPECT_THAT(Fields("#Date       Time   gpu  sm", LineKind::kNames),
              ElementsAre("Date", "Time", "gpu", "sm"));
  EXPECT_THAT(Fields("#gpu, pwr, sm", LineKind::kNames), ElementsAre("gpu", "pwr", "sm"));
  EXPECT_THAT(Fields("gpu, pwr", LineKind::kNames), ElementsAre("gpu", "pwr"));
  EXPECT_THAT(Fields("# Idx     W", LineKind::kUnits), ElementsAre("Idx", "W"));
  EXPECT_THAT(Fields("    0    37     -  ", LineKind::kSample), ElementsAre("0", "37", "-"));
  EXPECT_THAT(Fields("0, 37,", LineKind::kSample), ElementsAre("0", "37"));
  EXPECT_THAT(Fields("0,,37", LineKind::kSample), ElementsAre("0", "", "37"));
  EXPECT_THAT(Fields("  ", LineKind::kEmpty), ElementsAre());
  // A sentence with that word in it is no header.
  EXPECT_THAT(Fields("the gpu", LineKind::kSample), ElementsAre("the", "gpu"));
}

TEST(LogLineTest, KnowsTheColumnsOfDmon) {
  EXPECT_TRUE(AreOfDmon({"gpu", "pwr"}));
  EXPECT_TRUE(AreOfDmon({"Date", "Time", "gpu", "new", "sm"}));
  EXPECT_FALSE(AreOfDmon({"gpu", "pid", "type", "sm"})) << "pmon";
  EXPECT_FALSE(AreOfDmon({"gpu", "name"}));
  EXPECT_FALSE(AreOfDmon({"host", "gpu", "pwr"}));
  EXPECT_FALSE(AreOfDmon({"gpu"}));
}

TEST(LogLineTest, TimesAreInTheZoneOfTheProcess) {
  constexpr std::int64_t kNs = 1'000'000'000;
  setenv("TZ", "UTC", 1);
  tzset();
  EXPECT_EQ(LocalTimeNs("20231114", "22:13:20"), 1'700'000'000 * kNs);
  setenv("TZ", "EET-2", 1);  // Two hours east of Greenwich.
  tzset();
  EXPECT_EQ(LocalTimeNs("20231114", "22:13:20"), (1'700'000'000 - 7200) * kNs);
  for (const char* date : {"2023111", "202311140", "20231314", "20230011", "2023-11-14", "", "x"})
    EXPECT_EQ(LocalTimeNs(date, "22:13:20"), std::nullopt) << date;
  for (const char* time : {"24:00:00", "22:61:00", "22:13", "22.13.20", "22:13:200", "-2:13:20"})
    EXPECT_EQ(LocalTimeNs("20231114", time), std::nullopt) << time;
  unsetenv("TZ");
  tzset();
}

}  // namespace
}  // namespace xsp::importers::nvidia_smi_dmon
