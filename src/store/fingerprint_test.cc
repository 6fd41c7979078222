#include "store/fingerprint.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "store/store_testing.h"

namespace xsp::store {
namespace {

namespace fs = std::filesystem;

class FingerprintTest : public testing::Test {
 protected:
  FingerprintTest() : experiment_(folder_.path() / "experiment") {
    Put("experiment.json", "{}");
    Put("point.parquet", "points");
    Put("run-1/run.json", "{}");
    Put("run-1/span.parquet", "spans");
  }

  void Put(const std::string& name, const std::string& text) const {
    fs::create_directories((experiment_ / name).parent_path());
    std::ofstream(experiment_ / name) << text;
  }

  TestFolder folder_;
  fs::path experiment_;
};

TEST_F(FingerprintTest, ChangesWithEachFileThatAnswersDependOn) {
  std::set<std::string> seen = {FingerprintOf(experiment_)};
  const auto expect_new = [&](const char* what) {
    EXPECT_TRUE(seen.insert(FingerprintOf(experiment_)).second) << what;
  };
  Put("experiment.json", R"({"tags": {}})");
  expect_new("experiment.json has another size");
  fs::last_write_time(experiment_ / "point.parquet",
                      fs::file_time_type::clock::now() - std::chrono::hours(1));
  expect_new("a table has another time");
  Put("run-1/run.json", R"({"rung": "model"})");
  expect_new("a run has another description");
  Put("run-2/run.json", "{}");
  expect_new("there is one more run");
  fs::rename(experiment_, folder_.path() / "renamed");
  experiment_ = folder_.path() / "renamed";
  expect_new("the experiment has another name");
}

TEST_F(FingerprintTest, StaysWhereNothingChanged) {
  const std::string before = FingerprintOf(experiment_);
  EXPECT_EQ(before.size(), 16U);
  EXPECT_EQ(FingerprintOf(experiment_), before);
  // Not part of an experiment.
  Put("notes.txt", "mine");
  EXPECT_EQ(FingerprintOf(experiment_), before);
}

}  // namespace
}  // namespace xsp::store
