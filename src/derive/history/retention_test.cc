#include "derive/history/retention.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace xsp::history {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

store::CatalogueEntry Entry(const std::string& name, const std::string& created,
                            const std::string& model = "m", const std::string& status = "done") {
  return {name, "/store/" + name, created, model, "torch", status, 1, {}};
}

/// The names of those that are kept.
std::vector<std::string> Kept(const std::vector<store::CatalogueEntry>& entries,
                              const Retention& retention) {
  const std::vector<std::string> reasons = ReasonsToKeep(entries, retention);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (!reasons[i].empty()) names.push_back(entries[i].name);
  return names;
}

/// Two on each of 2026-11-01 (a Sunday) to 2026-11-09, "1a" and "1b" to "9b".
std::vector<store::CatalogueEntry> NineDays() {
  std::vector<store::CatalogueEntry> entries;
  for (int day = 1; day <= 9; ++day)
    for (const char* part : {"a", "b"})
      entries.push_back(Entry(
          std::to_string(day) + part,
          "2026-11-0" + std::to_string(day) + (part[0] == 'a' ? "T08:00:00Z" : "T20:00:00Z")));
  return entries;
}

TEST(RetentionTest, KeepsTheNewestOfPeriodsThatHaveSome) {
  EXPECT_THAT(Kept(NineDays(), {.last = 3}), ElementsAre("8b", "9a", "9b"));
  EXPECT_THAT(Kept(NineDays(), {.daily = 2}), ElementsAre("8b", "9b"));
  // 2026-11-01 ends a week; 2026-11-08, too.
  EXPECT_THAT(Kept(NineDays(), {.weekly = 2}), ElementsAre("8b", "9b"));
  EXPECT_THAT(Kept(NineDays(), {.weekly = 9}), ElementsAre("1b", "8b", "9b"));
  EXPECT_THAT(Kept(NineDays(), {.monthly = 5}), ElementsAre("9b"));
  EXPECT_THAT(Kept(NineDays(), {.last = 1, .daily = 1, .monthly = 1, .since = "2026-11-09"}),
              ElementsAre("9a", "9b"));
  EXPECT_THAT(Kept(NineDays(), {}), IsEmpty());
}

TEST(RetentionTest, CountsEachModelApart) {
  EXPECT_THAT(Kept({Entry("rare", "2026-01-01T00:00:00Z", "rare"),
                    Entry("old", "2026-11-01T00:00:00Z"), Entry("new", "2026-11-02T00:00:00Z")},
                   {.last = 1}),
              ElementsAre("rare", "new"));
}

TEST(RetentionTest, WhatIsNotFinishedIsKeptAndCountsForNothing) {
  EXPECT_THAT(
      Kept({Entry("old", "2026-11-01T00:00:00Z"), Entry("new", "2026-11-02T00:00:00Z"),
            Entry("half", "2026-11-03T00:00:00Z", "m", "interrupted"),
            Entry("damaged", "2026-11-03T00:00:00Z", "m", "unreadable: no experiment.json")},
           {.last = 1}),
      ElementsAre("new", "half", "damaged"));
}

TEST(RetentionTest, AYearEndsNoWeek) {
  // 2026-01-01 is a Thursday.
  EXPECT_THAT(
      Kept({Entry("wednesday", "2025-12-31T00:00:00Z"), Entry("thursday", "2026-01-01T00:00:00Z")},
           {.weekly = 2}),
      ElementsAre("thursday"));
}

TEST(RetentionTest, TagsKeep) {
  std::vector<store::CatalogueEntry> entries = {Entry("a", "2026-11-01T00:00:00Z"),
                                                Entry("b", "2026-11-02T00:00:00Z")};
  entries[0].tags["keep"] = "paper";
  EXPECT_THAT(Kept(entries, {.tags = {"keep"}}), ElementsAre("a"));
  EXPECT_THAT(Kept(entries, {.tags = {"keep=never"}}), IsEmpty());
}

}  // namespace
}  // namespace xsp::history
