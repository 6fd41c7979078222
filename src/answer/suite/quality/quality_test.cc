#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include "answer/suite/quality/curve.h"
#include "answer/suite/suite_command_testing.h"

namespace xsp::suite::quality {

extern const SuiteSpec kSpec;

namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// What the command answers of a program that it runs.
Result<Answer> RunProgram(const std::string& script, const std::string& target) {
  return RunCommand(kSpec, {{"target", target}, {"program", {"sh", "-c", script}}});
}

/// A folder of one test, which goes with it.
class QualityFolder {
 public:
  QualityFolder() : path(TextFile("", "") + "folder") {}
  ~QualityFolder() { std::filesystem::remove_all(path); }

  /// The path of a new file below it.
  std::string File(const std::string& name, const char* text) const {
    const auto file = path / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
    return file.string();
  }

  std::filesystem::path path;
};

/// A data set of published minutes in `folder`.
std::string Published(const QualityFolder& folder, const char* rows) {
  folder.File("suite.yaml",
              "name: s\nsource: a paper\ntables:\n  - kind: reference_minutes\n    file: m.csv\n"
              "    columns:\n      task: {help: t}\n      minutes: {unit: min, help: m}\n");
  folder.File("m.csv", rows);
  return folder.path.string();
}

TEST(QualityLineTest, NumberFollowsItsWholeName) {
  EXPECT_EQ(NumberAfter("epoch=3 accuracy=0.71", "accuracy"), 0.71);
  EXPECT_EQ(NumberAfter("epoch 3 step 40 quality accuracy 0.7100 seconds 12.5", "seconds"), 12.5);
  EXPECT_EQ(NumberAfter("val_accuracy: 0.3 accuracy: -1e-2", "accuracy"), -0.01);
  EXPECT_EQ(NumberAfter("accuracy", "accuracy"), std::nullopt);
  EXPECT_EQ(NumberAfter("accuracy is 3", "accuracy"), std::nullopt);
  EXPECT_EQ(NumberAfter("accuracy nano", "accuracy"), std::nullopt);
  EXPECT_EQ(NumberAfter("epoch 3rd", "epoch"), std::nullopt);
}

TEST(QualityLineTest, LongerWordIsAnotherName) {
  EXPECT_EQ(NumberAfter("train-accuracy=0.9 accuracy=0.5", "accuracy"), 0.5);
  EXPECT_EQ(NumberAfter("val/accuracy=0.9 top.accuracy=0.8", "accuracy"), std::nullopt);
  EXPECT_EQ(NumberAfter("val/accuracy=0.9", "val/accuracy"), 0.9);
  EXPECT_EQ(NumberAfter("loss: 0.4 - accuracy: 0.7", "accuracy"), 0.7);
}

TEST(QualityLineTest, NumberThatIsNotFiniteIsToldApartFromNone) {
  for (const char* line : {"accuracy nan", "accuracy=-NaN", "accuracy: inf", "accuracy=1e999"}) {
    const auto number = NumberAfter(line, "accuracy");
    ASSERT_TRUE(number.has_value()) << line;
    EXPECT_TRUE(std::isnan(*number)) << line;
  }
}

TEST(QualityLineTest, PercentAreHundredths) {
  EXPECT_EQ(NumberAfter("accuracy=71%", "accuracy"), 0.71);
  // 99.9 / 100 is more than 0.999.
  EXPECT_EQ(NumberAfter("accuracy 99.9 %, loss 3", "accuracy"), 0.999);
  EXPECT_EQ(NumberAfter("accuracy=7.1e1%", "accuracy"), 0.71);
  EXPECT_EQ(ParseTarget("accuracy=75%", false).value().value, 0.75);
  EXPECT_FALSE(ParseTarget("accuracy=nan", false).ok());
}

TEST(QualityLineTest, PatternTakesItsFirstGroup) {
  const Target target{"accuracy", 0.5, false};
  const auto reader = LineReader::Make(target, "top1 = ([0-9.]+)%");
  ASSERT_TRUE(reader.ok()) << reader.error().what;
  const auto point = reader.value().Read("epoch 7: top1 = 71.5%");
  ASSERT_TRUE(point.has_value());
  EXPECT_EQ(point->quality, 71.5);
  EXPECT_EQ(point->epoch, 7);
  EXPECT_FALSE(reader.value().Read("accuracy=0.3").has_value());
  EXPECT_THAT(LineReader::Make(target, "top1").error().what, HasSubstr("no group"));
  EXPECT_EQ(LineReader::Make(target, "(").error().kind, ErrorKind::kUsage);
}

TEST(QualityTest, LinesThatCameAtOnceWereHeldBack) {
  const Curve at_once{"a", {{5, 1, 0.1}, {5.0002, 2, 0.2}, {5.0004, 3, 0.3}}};
  EXPECT_THAT(HeldBack(at_once, 5.0005), HasSubstr("3 of 3 measurements came within 1 ms"));
  EXPECT_THAT(HeldBack(at_once, 9), HasSubstr("stdbuf -oL"));
  const Curve late{"a", {{1, 1, 0.1}, {2, 2, 0.2}, {3, 3, 0.3}, {3.0003, 4, 0.3}}};
  EXPECT_THAT(HeldBack(late, 3.0006), HasSubstr("2 of 4 measurements"));
  EXPECT_THAT(HeldBack(late, 4), IsEmpty());
  EXPECT_THAT(HeldBack({"a", {{3, 1, 0.1}}}, 3), IsEmpty());
  EXPECT_THAT(HeldBack({"a", {}}, 3), IsEmpty());
}

TEST(QualityTest, PythonIsToldNotToHoldItsLinesBack) {
  const auto answer = RunProgram("echo accuracy=0.$PYTHONUNBUFFERED", "accuracy=0.75");
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_EQ(answer.value().tables.at(1).rows.rows.at(0).at(3), store::Cell(0.1));
}

TEST(QualityTest, ProgramThatFailsAfterItMetTheTargetHasAnAnswer) {
  const char* script = "echo epoch=0 accuracy=0.8; echo out of luck >&2; exit 3";
  const auto answer = RunProgram(script, "accuracy=75%");
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_EQ(answer.value().tables.at(0).rows.rows.at(0).at(1), store::Cell(true));
  EXPECT_THAT(answer.value().sentences,
              Contains("The program met the target, and failed afterwards: exit status 3; error "
                       "excerpt: out of luck"));
  const auto missed = RunProgram(script, "accuracy=0.9");
  ASSERT_FALSE(missed.ok());
  EXPECT_EQ(missed.error().kind, ErrorKind::kBadInput);
  EXPECT_THAT(missed.error().what, HasSubstr("exit status 3"));
  EXPECT_THAT(missed.error().hint, HasSubstr("out of luck"));
}

TEST(QualityTest, ProgramThatTellsNoFiniteNumberSaysSo) {
  const auto answer = RunProgram("echo accuracy=nan; echo accuracy=0.5", "accuracy=0.75");
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_THAT(answer.value().method, Contains(HasSubstr("1 of 2 measurements without")));
  EXPECT_THAT(RunProgram("echo accuracy=nan", "accuracy=0.75").error().what,
              HasSubstr("has no accuracy that is a finite number"));
}

TEST(QualityTest, EpochMayBeZeroOrMissing) {
  const auto log =
      TextFile("train.log", "epoch=0 accuracy=0.8 seconds 10\naccuracy=0.9 seconds 20\n");
  const auto answer = RunCommand(kSpec, {{"source", {log}}, {"target", "accuracy=0.75"}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_EQ(answer.value().tables.at(0).rows.rows.at(0).at(3), store::Cell(0.0));
  EXPECT_THAT(answer.value().sentences, Contains(HasSubstr("after 10 s (epoch 0)")));
  const auto& curve = answer.value().tables.at(1).rows.rows;
  EXPECT_EQ(curve.at(0).at(1), store::Cell(0.0));
  EXPECT_EQ(curve.at(1).at(1), store::Cell());
  const auto table = TextFile("curve.csv", "seconds,epoch,accuracy\n1,0,0.8\n2,,0.9\n");
  const auto of_table = RunCommand(kSpec, {{"source", {table}}, {"target", "accuracy=0.75"}});
  ASSERT_TRUE(of_table.ok()) << of_table.error().what;
  EXPECT_EQ(of_table.value().tables.at(1).rows.rows.at(0).at(1), store::Cell(0.0));
  EXPECT_EQ(of_table.value().tables.at(1).rows.rows.at(1).at(1), store::Cell());
}

TEST(QualityTest, LogHasTheChecksOfATable) {
  const auto past = TextFile("past.log", "accuracy=0.2 seconds -1\n");
  EXPECT_THAT(RunCommand(kSpec, {{"source", {past}}, {"target", "accuracy=1"}}).error().what,
              HasSubstr("a time is negative: -1"));
  const auto log = TextFile("nan.log", "accuracy=nan seconds 1\naccuracy=0.5 seconds 2\n");
  const auto answer = RunCommand(kSpec, {{"source", {log}}, {"target", "accuracy=1"}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_THAT(answer.value().method,
              Contains(HasSubstr("1 of 2 measurements without a time or a quality")));
  const auto none = TextFile("none.log", "accuracy=nan seconds 1\naccuracy=inf\n");
  EXPECT_THAT(RunCommand(kSpec, {{"source", {none}}, {"target", "accuracy=1"}}).error().what,
              HasSubstr("has no accuracy that is a finite number with a time: 2 meas"));
}

TEST(QualityTest, CellOfTextInATableIsNamed) {
  const auto text = TextFile("curve.csv", "seconds,accuracy\n1,n/a\n2,0.5\n");
  const auto refused = RunCommand(kSpec, {{"source", {text}}, {"target", "accuracy=1"}});
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().what,
              HasSubstr("column accuracy contains text, not numbers: n/a in row 1"));
  EXPECT_THAT(refused.error().hint, HasSubstr("leave unknown values empty"));
  const auto none = TextFile("none.csv", "seconds,accuracy\n1,nan\n2,nan\n");
  EXPECT_EQ(RunCommand(kSpec, {{"source", {none}}, {"target", "accuracy=1"}}).error().hint,
            "no row has a finite number both in accuracy and in seconds");
}

TEST(QualityTest, SourcesOfOneNameAreToldApartByTheirPaths) {
  const QualityFolder folder;
  const auto first = folder.File("1/train.log", "accuracy=0.8 seconds 10\n");
  const auto second = folder.File("2/train.log", "accuracy=0.8 seconds 20\n");
  const auto other = folder.File("2/other.log", "accuracy=0.8 seconds 30\n");
  const auto answer =
      RunCommand(kSpec, {{"source", {first, second, other}}, {"target", "accuracy=0.75"}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  const auto& rows = answer.value().tables.at(0).rows.rows;
  EXPECT_EQ(rows.at(0).at(0), store::Cell(first));
  EXPECT_EQ(rows.at(1).at(0), store::Cell(second));
  EXPECT_EQ(rows.at(2).at(0), store::Cell(std::string("other.log")));
}

TEST(QualityTest, PriceIsAFiniteNumber) {
  for (const double price : {std::nan(""), std::numeric_limits<double>::infinity(), 0.0, -1.0}) {
    const auto answer = RunCommand(kSpec, {{"source", {"mlperf-v0.5"}}, {"price_per_hour", price}});
    ASSERT_FALSE(answer.ok()) << price;
    EXPECT_EQ(answer.error().kind, ErrorKind::kUsage);
    EXPECT_EQ(answer.error().field, "price_per_hour");
  }
}

TEST(QualityTest, PublishedMinutesThatAreMissingHaveNoCost) {
  const QualityFolder folder;
  const auto source = Published(folder, "task,minutes\na,60\nb,\nc,120\n");
  const auto answer = RunCommand(kSpec, {{"source", {source}}, {"price_per_hour", 2}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  const auto& rows = answer.value().tables.at(0).rows.rows;
  EXPECT_EQ(rows.at(0).back(), store::Cell(2.0));
  EXPECT_EQ(rows.at(1).back(), store::Cell());
  EXPECT_EQ(rows.at(2).back(), store::Cell(4.0));
  EXPECT_EQ(answer.value().sentences.at(0),
            "c takes longest to its target, 2 h of 3 h for the 2 tasks whose minutes are known.");
  EXPECT_EQ(answer.value().sentences.at(1), "Those cost 6 at 2 an hour.");
  EXPECT_THAT(answer.value().method, Contains("1 task has no minutes, and so no cost: b."));
}

TEST(QualityTest, PublishedMinutesThatCannotBeAreRefused) {
  const QualityFolder folder;
  const auto refused = [&folder](const char* rows, const char* expected) {
    const auto answer = RunCommand(kSpec, {{"source", {Published(folder, rows)}}});
    ASSERT_FALSE(answer.ok()) << rows;
    EXPECT_EQ(answer.error().kind, ErrorKind::kBadInput);
    EXPECT_THAT(answer.error().what, HasSubstr(expected));
  };
  refused("task,minutes\na,60\nb,-5\n", "the minutes of b are negative: -5");
  refused("task,minutes\na,60\nb,n/a\n", "column minutes contains text, not numbers: n/a in row 2");
  refused("task,minutes\na,nan\n", "knows the minutes of no task");
}

TEST(QualityTest, FirstMeasurementThatMeetsTheTargetCounts) {
  const Curve curve{"a", {{10, 1, 0.5}, {20, 2, 0.8}, {30, 3, 0.7}}};
  EXPECT_EQ(Reached(curve, {"accuracy", 0.7, false})->seconds, 20);
  EXPECT_EQ(Reached(curve, {"loss", 0.5, true})->seconds, 10);
  EXPECT_EQ(Reached(curve, {"accuracy", 0.81, false}), nullptr);
}

TEST(QualityTest, LogOfATrainingProgramGivesTimeAndCost) {
  const auto log = TextFile("train.log",
                            "loading\nepoch 1 step 20 loss 1.2 quality accuracy 0.4 seconds 900\n"
                            "epoch 2 step 40 loss 0.9 quality accuracy 0.76 seconds 1800\n");
  const auto answer =
      RunCommand(kSpec, {{"source", {log}}, {"target", "accuracy=0.75"}, {"price_per_hour", 3}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  const auto& row = answer.value().tables.at(0).rows.rows.at(0);
  EXPECT_EQ(row.at(1), store::Cell(true));
  EXPECT_EQ(row.at(2), store::Cell(1800.0));
  EXPECT_EQ(row.at(3), store::Cell(2.0));
  EXPECT_EQ(row.at(4), store::Cell(1.5));
  EXPECT_EQ(answer.value().tables.at(1).rows.rows.size(), 2U);
  EXPECT_THAT(answer.value().sentences,
              Contains(HasSubstr("after 30 min (epoch 2), which costs 1.5")));
}

TEST(QualityTest, TargetThatIsNotReachedSaysHowFarItCame) {
  const auto table = TextFile("curve.csv", "minutes,accuracy\n1,0.2\n2,0.6\n3,0.5\n");
  const auto answer = RunCommand(kSpec, {{"source", {table}}, {"target", "accuracy=0.75"}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_THAT(answer.value().sentences,
              Contains(HasSubstr("the best is 0.6, after 120 s")).Times(0));
  EXPECT_THAT(answer.value().sentences, Contains(HasSubstr("the best is 0.6, after 2 min")));
  EXPECT_EQ(answer.value().tables.at(0).rows.rows.at(0).at(2), store::Cell());
}

TEST(QualityTest, MeasurementsThatAreNoFiniteNumberAreLeftOutAndCounted) {
  const auto table =
      TextFile("curve.csv", "seconds,accuracy\n1,nan\n2,0.6\n3,inf\nnan,0.9\n5,0.5\n");
  const auto answer = RunCommand(kSpec, {{"source", {table}}, {"target", "accuracy=0.75"}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_THAT(answer.value().sentences,
              Contains(HasSubstr("accuracy at least 0.75 in 2 measurements: the best is 0.6")));
  EXPECT_THAT(answer.value().method,
              Contains(HasSubstr("3 of 5 rows without a time or a quality")));
}

TEST(QualityTest, OneMeasurementIsOne) {
  const auto table = TextFile("curve.csv", "seconds,accuracy\n1,0.5\n");
  const auto answer = RunCommand(kSpec, {{"source", {table}}, {"target", "accuracy=0.75"}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_THAT(answer.value().sentences, Contains(HasSubstr("in 1 measurement: ")));
  const auto lacks = RunCommand(kSpec, {{"source", {table}}, {"target", "loss=0.75"}});
  EXPECT_THAT(lacks.error().hint, HasSubstr("its columns: seconds, accuracy"));
}

TEST(QualityTest, PublishedMinutesHaveACost) {
  const auto answer = RunCommand(kSpec, {{"source", {"mlperf-v0.5"}}, {"price_per_hour", 2}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  const auto& rows = answer.value().tables.at(0).rows;
  EXPECT_EQ(rows.columns.back(), "cost");
  // Image classification: 8831.3 minutes at 2 an hour.
  EXPECT_NEAR(std::get<double>(rows.rows.at(0).back()), 8831.3 / 30, 1e-9);
  EXPECT_THAT(answer.value().sentences.front(), HasSubstr("takes longest"));
}

TEST(QualityTest, DataSetTakesNoTarget) {
  const auto answer = RunCommand(kSpec, {{"source", {"mlperf-v0.5"}}, {"target", "accuracy=0.7"}});
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().kind, ErrorKind::kUsage);
  EXPECT_THAT(answer.error().hint, HasSubstr("without --target: xsp suite quality mlperf-v0.5"));
}

TEST(QualityTest, SourcesThatTellNothingAreRefused) {
  const auto log = TextFile("other.log", "nothing here\n");
  EXPECT_THAT(RunCommand(kSpec, {{"source", {log}}, {"target", "accuracy=1"}}).error().what,
              HasSubstr("has no accuracy"));
  const auto timeless = TextFile("timeless.log", "accuracy 0.5\n");
  EXPECT_THAT(RunCommand(kSpec, {{"source", {timeless}}, {"target", "accuracy=1"}}).error().hint,
              HasSubstr("seconds"));
  EXPECT_EQ(RunCommand(kSpec, {{"source", {log}}}).error().kind, ErrorKind::kUsage);
  EXPECT_EQ(RunCommand(kSpec, {{"source", {log}}, {"target", "accuracy"}}).error().kind,
            ErrorKind::kUsage);
  const auto past = TextFile("past.csv", "seconds,accuracy\n-1,0.2\n");
  EXPECT_THAT(RunCommand(kSpec, {{"source", {past}}, {"target", "accuracy=1"}}).error().what,
              HasSubstr("negative"));
}

}  // namespace
}  // namespace xsp::suite::quality
