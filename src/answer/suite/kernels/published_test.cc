#include "answer/suite/kernels/published.h"

#include <gmock/gmock.h>

#include <cmath>

namespace xsp::suite::kernels {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

const RuleBook& BookOfProducts() {
  static const RuleBook book =
      RuleBook::Parse(
          "kinds: {mm: Products}\nrules:\n"
          "  - {class: \"MM_{m}\", kind: mm, match: \"gemm_{m}\", examples: {gemm_8: MM_8}}\n",
          "test.yaml")
          .value();
  return book;
}

/// A class and its numbers.
struct ClassRow {
  std::string name;
  std::vector<double> numbers;
};

store::Table ClassTableOf(std::vector<std::string> columns, const std::vector<ClassRow>& rows) {
  store::Table table{std::move(columns), {}};
  for (const ClassRow& row : rows) {
    std::vector<store::Cell> cells = {row.name};
    for (const double number : row.numbers)
      cells.push_back(std::isnan(number) ? store::Cell() : store::Cell(number));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

/// The error for a table of classes with times and shares.
std::string AgainstShares(const std::vector<ClassRow>& rows) {
  const store::Table table = ClassTableOf({"class", "time_ms", "time_percent"}, rows);
  const auto added = PublishedClasses(BookOfProducts()).AddClasses(Columns(table, "a.csv"));
  return added.ok() ? std::string("fine") : added.error().what;
}

TEST(PublishedClassesTest, WhatATableDoesNotSayIsMissing) {
  const store::Table table =
      ClassTableOf({"class", "time_ms", "time_percent"}, {{"Copy", {30, 30}}, {"MM_8", {50, 50}}});
  PublishedClasses published(BookOfProducts());
  ASSERT_TRUE(published.AddClasses(Columns(table, "a.csv")).ok());
  const Summary summary = published.Take();
  ASSERT_EQ(summary.classes.size(), 3U);
  EXPECT_EQ(summary.classes[0].kernel_class, "MM_8");
  EXPECT_EQ(summary.classes[0].kind, "mm");
  EXPECT_TRUE(std::isnan(summary.classes[0].sums.calls));
  EXPECT_TRUE(std::isnan(summary.classes[0].sums.unique_kernels));
  EXPECT_EQ(summary.classes[2].kernel_class, kNotClassed);
  EXPECT_NEAR(summary.classes[2].percent, 20, 1e-9);
}

TEST(PublishedClassesTest, SharesAboveAHundredBeyondRoundingAreRefused) {
  EXPECT_EQ(AgainstShares({{"A", {50, 70}}, {"B", {50, 70}}}),
            "a.csv: the shares of all kernel time add to 140.00 %");
  EXPECT_EQ(AgainstShares({{"A", {50, 50.25}}, {"B", {50, 50.25}}}),
            "a.csv: the shares of all kernel time add to 100.50 %");
  // Each may be half of its last digit too large.
  EXPECT_EQ(AgainstShares({{"A", {33.5, 34}}, {"B", {33.5, 34}}, {"C", {33, 33}}}), "fine");
  EXPECT_EQ(AgainstShares({{"A", {100, 80}}, {"B", {100, kMissing}}}),
            "a.csv: the times are 160.00 % of the total that the shares imply");
}

TEST(PublishedClassesTest, ClassesThatStandTwiceOrHaveNoNameAreRefused) {
  EXPECT_EQ(AgainstShares({{"A", {5, 10}}, {"B", {5, 10}}, {"A", {5, 10}}}),
            "a.csv: row 3 is of class A, and so is row 1 of a.csv");
  EXPECT_EQ(AgainstShares({{"A", {5, 10}}, {"", {5, 10}}}), "a.csv: row 2 names no class");
}

TEST(PublishedClassesTest, SecondTableOfAllKernelsIsRefused) {
  const store::Table table = ClassTableOf({"class", "time_ms"}, {{"A", {5}}});
  PublishedClasses published(BookOfProducts());
  ASSERT_TRUE(published.AddClasses(Columns(table, "a.csv")).ok());
  const auto second = published.AddClasses(Columns(table, "b.csv"));
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().what, "b.csv: classes of all kernels are in a.csv already");
}

TEST(PublishedClassesTest, OwnRowForTheRestIsNotDoubled) {
  const store::Table table = ClassTableOf({"class", "time_ms", "time_percent"},
                                          {{kNotClassed, {20, 20}}, {"A", {10, 10}}});
  PublishedClasses published(BookOfProducts());
  ASSERT_TRUE(published.AddClasses(Columns(table, "a.csv")).ok());
  const Summary summary = published.Take();
  ASSERT_EQ(summary.classes.size(), 2U);
  EXPECT_EQ(summary.classes[1].kernel_class, kNotClassed);
  EXPECT_NEAR(summary.classes[1].percent, 90, 1e-9);
}

/// Rows of class, workload and a number.
store::Table InWorkloads(const char* number, std::vector<std::vector<store::Cell>> rows) {
  return {{"class", "workload", number}, std::move(rows)};
}

TEST(PublishedClassesTest, SharesAreOfEachWorkload) {
  const std::string a = "A";
  const std::string b = "B";
  const std::string x = "x";
  const std::string y = "y";
  const store::Table shares =
      InWorkloads("time_percent", {{a, x, 60.0}, {b, x, 30.0}, {a, y, 80.0}});
  const store::Table unique =
      InWorkloads("unique_kernels", {{a, x, 2.0}, {a, y, 3.0}, {b, y, 1.0}});
  PublishedClasses published(BookOfProducts());
  // In whichever order the tables are asked for.
  ASSERT_TRUE(published.AddUnique(Columns(unique, "u.csv")).ok());
  ASSERT_TRUE(published.AddShares(Columns(shares, "s.csv")).ok());
  const Summary summary = published.Take();
  ASSERT_EQ(summary.workloads.size(), 2U);
  EXPECT_DOUBLE_EQ(summary.workloads[0].classed_percent, 90);
  EXPECT_DOUBLE_EQ(summary.workloads[1].unique_kernels, 4);
  EXPECT_TRUE(std::isnan(summary.workloads[0].calls));
  ASSERT_EQ(summary.in_workloads.size(), 4U);
  EXPECT_DOUBLE_EQ(summary.in_workloads[0].percent, 80);
  EXPECT_DOUBLE_EQ(summary.in_workloads[0].unique_kernels, 3);
  EXPECT_DOUBLE_EQ(summary.in_workloads[3].percent, 0);  // B in y: not among its shares.
}

TEST(PublishedClassesTest, SharesOfAWorkloadThatCannotBeAreRefused) {
  const std::string a = "A";
  const std::string b = "B";
  const std::string x = "x";
  const auto against = [](const store::Table& table) {
    const auto added = PublishedClasses(BookOfProducts()).AddShares(Columns(table, "s.csv"));
    return added.ok() ? std::string("fine") : added.error().what;
  };
  EXPECT_EQ(against(InWorkloads("time_percent", {{a, x, 70.0}, {b, x, 70.0}})),
            "s.csv: the shares of x add to 140.00 %");
  EXPECT_EQ(against(InWorkloads("time_percent", {{a, x, 7.0}, {a, x, 7.0}})),
            "s.csv: row 2 is of class A in x, and so is row 1 of s.csv");
  EXPECT_THAT(against(InWorkloads("time_percent", {{a, std::string(), 7.0}})),
              AllOf(HasSubstr("row 1"), HasSubstr("no workload")));
}

}  // namespace
}  // namespace xsp::suite::kernels
