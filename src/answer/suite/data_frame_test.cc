#include "answer/suite/data_frame.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "answer/suite/table_query.h"

namespace xsp::suite {
namespace {

/// Without limits.
Result<store::Table> RowsWhereFree(const store::Table& rows, const std::string& condition) {
  store::QueryBudget budget;
  return RowsWhere(rows, condition, &budget);
}
Result<std::vector<double>> NumbersOfFree(const store::Table& rows, const std::string& expression) {
  store::QueryBudget budget;
  return NumbersOf(rows, expression, &budget);
}

using ::testing::Contains;
using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsNan;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

store::Table Jobs() {
  return {{"job", "gpus", "suite", "cpu", "memory"},
          {{std::string("a"), std::int64_t{1}, std::string("x"), 1.5, std::int64_t{10}},
           {std::string("b"), std::int64_t{1}, std::string("y"), kNaN, std::int64_t{20}},
           {std::string("b"), std::int64_t{2}, std::string("y"), kInfinity, {}}}};
}

DataFrame Holed() {
  DataFrame frame;
  frame.labels = {"a", "b", "c"};
  frame.groups = {"", "", ""};
  frame.metrics = {{"full", "s", "measured:x"}, {"holed", "", ""}, {"never", "", ""}};
  frame.values = {{1, 10, kMissing}, {2, kMissing, kMissing}, {3, 30, kMissing}};
  return frame;
}

TEST(DataFrameTest, ColumnsThatTogetherNameAWorkloadAreJoined) {
  std::vector<std::string> treatments;
  const auto frame = DataFrameOf(Jobs(), {{"job", "gpus"}, "suite", {}}, &treatments);
  ASSERT_TRUE(frame.ok()) << frame.error().what;
  EXPECT_THAT(frame.value().labels, ElementsAre("a-1", "b-1", "b-2"));
  EXPECT_THAT(frame.value().groups, ElementsAre("x", "y", "y"));
  ASSERT_EQ(frame.value().metrics.size(), 2U);
  EXPECT_EQ(frame.value().metrics[1].name, "memory");
}

TEST(DataFrameTest, NaNInfinityAndNullAreMissingNeverZero) {
  std::vector<std::string> treatments;
  const auto frame = DataFrameOf(Jobs(), {{"job", "gpus"}, "suite", {}}, &treatments);
  ASSERT_TRUE(frame.ok());
  EXPECT_THAT(frame.value().values[0], ElementsAre(DoubleEq(1.5), DoubleEq(10)));
  EXPECT_THAT(frame.value().values[1], ElementsAre(IsNan(), DoubleEq(20)));
  EXPECT_THAT(frame.value().values[2], ElementsAre(IsNan(), IsNan()));
  EXPECT_THAT(treatments, ElementsAre("1 infinite value is taken as missing."));
  EXPECT_EQ(TableOf(frame.value(), "t", "T").rows.rows[2][2], store::Cell());
}

TEST(DataFrameTest, OneLabelTwiceIsRefusedWithTheLabel) {
  std::vector<std::string> treatments;
  const auto frame = DataFrameOf(Jobs(), {{"job"}, "", {}}, &treatments);
  ASSERT_FALSE(frame.ok());
  EXPECT_EQ(frame.error().kind, ErrorKind::kBadInput);
  EXPECT_THAT(frame.error().what, HasSubstr("the same label: b"));
}

TEST(DataFrameTest, TextIsNoMetricAndUnknownColumnsAreNamed) {
  std::vector<std::string> treatments;
  const auto text = DataFrameOf(Jobs(), {{"job", "gpus"}, "", {"suite"}}, &treatments);
  ASSERT_FALSE(text.ok());
  EXPECT_THAT(text.error().what, HasSubstr("suite"));
  const auto unknown = DataFrameOf(Jobs(), {{"job", "gpus"}, "", {"gpu"}}, &treatments);
  ASSERT_FALSE(unknown.ok());
  EXPECT_THAT(unknown.error().hint, HasSubstr("job, gpus, suite, cpu, memory"));
}

TEST(DataFrameTest, ColumnThatOneCellMakesTextIsNamed) {
  const auto text = [](const char* word) { return store::Cell(std::string(word)); };
  const store::Table table = {
      {"job", "cpu", "gpu", "colour"},
      {{text("a"), text("1.5"), 2.0, text("red")}, {text("b"), text("n/a"), 3.0, text("blue")}}};
  std::vector<std::string> treatments;
  const auto frame = DataFrameOf(table, {}, &treatments);
  ASSERT_TRUE(frame.ok()) << frame.error().what;
  EXPECT_EQ(frame.value().metrics.size(), 1U);
  EXPECT_THAT(treatments, ElementsAre("Column cpu is not a metric, because it contains text: n/a "
                                      "in row 2. Leave unknown values empty."));
}

TEST(DataFrameTest, RowWithoutALabelIsNamed) {
  std::vector<std::string> treatments;
  const auto frame = DataFrameOf({{"job", "cpu"}, {{std::string("a"), 1.0}, {store::Cell(), 2.0}}},
                                 {}, &treatments);
  ASSERT_FALSE(frame.ok());
  EXPECT_EQ(frame.error().what, "row 2 of the table names no workload");
}

TEST(DataFrameTest, TablesWithoutRowsLabelsOrMetricsAreRefused) {
  std::vector<std::string> treatments;
  EXPECT_FALSE(DataFrameOf({{"job", "cpu"}, {}}, {}, &treatments).ok());
  EXPECT_FALSE(DataFrameOf({{"cpu"}, {{1.0}}}, {}, &treatments).ok());
  EXPECT_FALSE(DataFrameOf({{"job"}, {{std::string("a")}}}, {}, &treatments).ok());
  EXPECT_TRUE(DataFrameOf({{"job", "cpu"}, {{std::string("a"), 1.0}}}, {}, &treatments).ok());
}

TEST(DataFrameTest, WorkloadsThatLackValuesAreLeftOutByName) {
  std::vector<std::string> treatments;
  const auto frame = Completed(Holed(), MissingRule::kDropRows, &treatments);
  ASSERT_TRUE(frame.ok()) << frame.error().what;
  EXPECT_THAT(frame.value().labels, ElementsAre("a", "c"));
  EXPECT_EQ(frame.value().metrics.size(), 2U);
  EXPECT_THAT(treatments, Contains(HasSubstr("1 of 3 workloads lacks values and is excluded: b")));
  EXPECT_THAT(treatments, Contains(HasSubstr("never")));
}

TEST(DataFrameTest, MetricsThatLackValuesAreLeftOutByName) {
  std::vector<std::string> treatments;
  const auto frame = Completed(Holed(), MissingRule::kDropMetrics, &treatments);
  ASSERT_TRUE(frame.ok()) << frame.error().what;
  EXPECT_EQ(frame.value().rows(), 3U);
  ASSERT_EQ(frame.value().metrics.size(), 1U);
  EXPECT_EQ(frame.value().metrics[0].unit, "s");
  EXPECT_EQ(frame.value().metrics[0].provenance, "measured:x");
  EXPECT_THAT(treatments, ElementsAre(HasSubstr("holed, never")));
}

TEST(DataFrameTest, MeanStandsInOnlyWhereSomethingIsKnown) {
  std::vector<std::string> treatments;
  const auto frame = Completed(Holed(), MissingRule::kMean, &treatments);
  ASSERT_TRUE(frame.ok()) << frame.error().what;
  EXPECT_THAT(frame.value().values[1], ElementsAre(DoubleEq(2), DoubleEq(20)));
  EXPECT_EQ(frame.value().metrics.size(), 2U);
}

TEST(DataFrameTest, NothingLeftIsAnErrorThatNamesTheRules) {
  DataFrame frame = Holed();
  frame.values = {{1, kMissing, kMissing}, {kMissing, 2, kMissing}};
  frame.labels = {"a", "b"};
  frame.groups = {"", ""};
  std::vector<std::string> treatments;
  for (const MissingRule rule : {MissingRule::kDropRows, MissingRule::kDropMetrics}) {
    const auto completed = Completed(frame, rule, &treatments);
    ASSERT_FALSE(completed.ok());
    EXPECT_THAT(completed.error().hint, HasSubstr("--missing"));
  }
  EXPECT_FALSE(MissingRuleOf("zero").ok());
}

TEST(DataFrameTest, CompleteFrameIsLeftAsItIs) {
  DataFrame frame = Holed();
  frame.metrics.resize(1);
  for (auto& row : frame.values) row.resize(1);
  std::vector<std::string> treatments;
  const auto completed = Completed(frame, MissingRule::kDropRows, &treatments);
  ASSERT_TRUE(completed.ok());
  EXPECT_EQ(completed.value().values, frame.values);
  EXPECT_THAT(treatments, IsEmpty());
}

TEST(TableQueryTest, ConditionKeepsRowsForWhichItIsTrueInTheirOrder) {
  const auto kept = RowsWhereFree(Jobs(), "gpus = 1 OR suite = 'x'");
  ASSERT_TRUE(kept.ok()) << kept.error().what;
  ASSERT_EQ(kept.value().rows.size(), 2U);
  EXPECT_EQ(kept.value().rows[1][0], store::Cell(std::string("b")));
  // NULL is not true.
  const auto memory = RowsWhereFree(Jobs(), "memory > 5");
  ASSERT_TRUE(memory.ok());
  EXPECT_EQ(memory.value().rows.size(), 2U);
}

TEST(TableQueryTest, ValuesArriveAsTheyWere) {
  const store::Table odd = {{"a \"b\"", "c"},
                            {{std::string("it's"), 1e-300},
                             {std::string("größer\n"), 0.1},
                             {std::string("exact"), 0.12345678901234568},
                             {{}, -kInfinity}}};
  const auto numbers = NumbersOfFree(odd, "c");
  ASSERT_TRUE(numbers.ok()) << numbers.error().what;
  EXPECT_THAT(numbers.value(), ElementsAre(1e-300, 0.1, 0.12345678901234568, -kInfinity));
  const auto texts = RowsWhereFree(
      odd, R"("a ""b""" IN ('it''s', 'exact', 'größer' || chr(10)) OR "a ""b""" IS NULL)");
  ASSERT_TRUE(texts.ok()) << texts.error().what;
  EXPECT_EQ(texts.value().rows, odd.rows);
}

TEST(TableQueryTest, MoreRowsThanAreInsertedAtOnceAllArrive) {
  store::Table many{{"n"}, {}};
  for (std::int64_t i = 0; i < 1234; ++i) many.rows.push_back({i});
  const auto numbers = NumbersOfFree(many, "2 * n");
  ASSERT_TRUE(numbers.ok()) << numbers.error().what;
  ASSERT_EQ(numbers.value().size(), 1234U);
  for (std::size_t i = 0; i < 1234; ++i) ASSERT_EQ(numbers.value()[i], 2 * static_cast<double>(i));
}

TEST(TableQueryTest, WrongConditionsNameTheColumns) {
  for (const char* condition : {"gpu = 1", "gpus =", "gpus = 17"}) {
    const auto kept = RowsWhereFree(Jobs(), condition);
    ASSERT_FALSE(kept.ok()) << condition;
    EXPECT_EQ(kept.error().kind, ErrorKind::kBadInput);
    EXPECT_THAT(kept.error().hint, HasSubstr("gpus, suite"));
  }
}

TEST(TableQueryTest, NumbersAreThoseOfOneExpressionWithOneValueARow) {
  const auto numbers = NumbersOfFree(Jobs(), "gpus * 2 -- of both");
  ASSERT_TRUE(numbers.ok()) << numbers.error().what;
  EXPECT_EQ(numbers.value().size(), Jobs().rows.size());
  for (const char* expression : {"gpus) + (gpus", "gpus, cpu", "", "sum(gpus)", "unnest([1, 2])",
                                 "'many'", "gpus FROM input --"}) {
    const auto refused = NumbersOfFree(Jobs(), expression);
    ASSERT_FALSE(refused.ok()) << expression;
    EXPECT_EQ(refused.error().kind, ErrorKind::kBadInput);
    EXPECT_THAT(refused.error().hint, HasSubstr("gpus, suite"));
  }
}

TEST(TableQueryTest, ConditionIsOneExpression) {
  for (const char* condition : {"gpus > 1) OR (1 = 1", "gpus > 1, true", "true) AND (SELECT true"})
    EXPECT_FALSE(RowsWhereFree(Jobs(), condition).ok()) << condition;
  const auto refused = RowsWhereFree(Jobs(), "gpus > 1) OR (1 = 1");
  EXPECT_EQ(refused.error().kind, ErrorKind::kBadInput);
  EXPECT_EQ(refused.error().what, "not one expression: gpus > 1) OR (1 = 1");
  const auto kept = RowsWhereFree(Jobs(), "(gpus > 1) OR (cpu = 1.5) -- two of three");
  ASSERT_TRUE(kept.ok()) << kept.error().what;
  EXPECT_EQ(kept.value().rows.size(), 2U);
}

TEST(TableQueryTest, ABudgetThatIsSpentIsNoFaultOfTheExpression) {
  // Of limits close to what the statements need, some end between the two.
  bool is_ok = false;
  for (double limit_s = 50e-6; limit_s < 60 && !is_ok; limit_s *= 1.1) {
    store::QueryBudget budget({.time_s = limit_s});
    const auto kept = RowsWhere(Jobs(), "gpus > 1", &budget);
    is_ok = kept.ok();
    if (!is_ok) {
      EXPECT_THAT(kept.error().what, HasSubstr("longer than its limit")) << limit_s;
    }
  }
  EXPECT_TRUE(is_ok);
}

TEST(TableQueryTest, ColumnMayBeCalledAsTheRowsNumberIs) {
  const store::Table table = {{"Input_Row", "input_row_"},
                              {{std::int64_t{10}, 1.0}, {std::int64_t{20}, 2.0}}};
  const auto kept = RowsWhereFree(table, "input_row > 10");
  ASSERT_TRUE(kept.ok()) << kept.error().what;
  ASSERT_EQ(kept.value().rows.size(), 1U);
  EXPECT_EQ(kept.value().rows[0][1], store::Cell(2.0));
  const auto numbers = NumbersOfFree(table, "input_row + input_row_");
  ASSERT_TRUE(numbers.ok()) << numbers.error().what;
  EXPECT_THAT(numbers.value(), ElementsAre(11, 22));
}

TEST(TableQueryTest, NamesAreFoldedAsSqlDoes) {
  EXPECT_EQ(FoldedName("Batch_Größe Ä"), "batch_größe Ä");
}

TEST(TableQueryTest, FilesAreClosedToConditions) {
  EXPECT_FALSE(RowsWhereFree(Jobs(), "EXISTS (SELECT * FROM read_text('/etc/hostname'))").ok());
}

TEST(RowsWhere, IsOneSelectWithinItsLimits) {
  store::QueryBudget time({.time_s = 0.2, .memory_bytes = 256 << 20});
  const std::string endless =
      "(SELECT count(*) FROM range(10000000) AS a(i), range(10000000) AS b(j) "
      "WHERE (i * j) % 7 = gpus) > 0";
  EXPECT_EQ(RowsWhere(Jobs(), endless, &time).error().what,
            "the SQL of the request took longer than its limit: 0.2 s");
  store::QueryBudget memory({.memory_bytes = 32 << 20});
  EXPECT_THAT(RowsWhere(Jobs(),
                        "(SELECT count(*) FROM (SELECT DISTINCT hash(i) FROM range(100000000) AS "
                        "t(i))) > 0",
                        &memory)
                  .error()
                  .what,
              testing::HasSubstr("more memory than its limit"));
  store::QueryBudget rows({.rows = 1000});
  EXPECT_THAT(NumbersOf(Jobs(), "unnest(range(2000))", &rows).error().what,
              testing::HasSubstr("more rows than its limit: 1000"));
  for (const char* condition :
       {"true); DROP TABLE input; SELECT (1", "true); CREATE TABLE t (a INT); SELECT (1 = 1",
        "current_setting('threads') = '1'",
        "EXISTS (FROM enable_logging(storage = 'file', storage_config = {'path': '/tmp/x'}))"}) {
    store::QueryBudget budget({.time_s = 60});
    EXPECT_FALSE(RowsWhere(Jobs(), condition, &budget).ok()) << condition;
  }
}

}  // namespace
}  // namespace xsp::suite
