#include "store/store_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "core/json_text.h"
#include "store/baselines.h"
#include "store/experiment_changes.h"
#include "store/experiment_writer.h"
#include "store/staging_folder.h"
#include "store/store_testing.h"

namespace xsp::store {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class StoreCheckTest : public testing::Test {
 protected:
  StoreCheckTest() {
    ExperimentWriter writer = ExperimentWriter::Create(store(), "a").value();
    EXPECT_TRUE(writer.AddRun("r", RandomTrace(1, 500), "{}").ok());
    EXPECT_TRUE(writer.Commit(R"({"kind": "run", "model": "m", "status": "done"})").ok());
  }
  const fs::path& store() const { return folder_.path(); }

  std::vector<StoreProblem> Check(CheckRequest request = {}) {
    core::NoProgress nobody;
    return CheckStore(store(), request, nobody).value();
  }
  /// "NAME: PROBLEM" of each.
  std::vector<std::string> Problems(CheckRequest request = {}) {
    std::vector<std::string> texts;
    for (const StoreProblem& one : Check(request)) texts.push_back(one.name + ": " + one.what);
    return texts;
  }
  void Overwrite(const fs::path& file, std::streamoff at, const std::string& bytes) {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(at);
    stream << bytes;
  }

  TestFolder folder_;
};

TEST_F(StoreCheckTest, ASoundStoreHasNoProblems) {
  EXPECT_THAT(Problems(), IsEmpty());
  EXPECT_THAT(Problems({.all_data = true}), IsEmpty());
}

TEST_F(StoreCheckTest, FindsTablesThatCannotBeRead) {
  const fs::path table = store() / "a/r/span.parquet";
  Overwrite(table, 100, std::string(1000, 'x'));
  EXPECT_THAT(Problems(), IsEmpty());  // It ends as it should.
  EXPECT_THAT(Problems({.all_data = true}), ElementsAre(HasSubstr("a/r: ")));
  fs::resize_file(table, fs::file_size(table) / 2);
  EXPECT_THAT(Problems(), ElementsAre(HasSubstr("span.parquet")));
}

TEST_F(StoreCheckTest, FindsTablesThatAreLostOrOfOtherRows) {
  const fs::path run = store() / "a/r";
  fs::copy_file(run / "track.parquet", run / "span.parquet", fs::copy_options::overwrite_existing);
  EXPECT_THAT(Problems(), ElementsAre(AllOf(HasSubstr("a/r: span.parquet has "),
                                            HasSubstr("was written with 500"))));
  fs::remove(run / "span.parquet");
  EXPECT_THAT(Problems(), ElementsAre("a/r: span.parquet is missing (500 rows)"));
}

TEST_F(StoreCheckTest, AsksNothingOfExperimentsWhoseTablesAreNotListed) {
  for (const fs::path& file : {store() / "a/experiment.json", store() / "a/r/run.json"}) {
    nlohmann::json earlier = core::ParseJson(std::ifstream(file));
    ASSERT_EQ(earlier.erase("tables"), 1U);
    std::ofstream(file) << earlier;
  }
  fs::remove(store() / "a/r/span.parquet");
  EXPECT_THAT(Problems(), IsEmpty());
}

TEST_F(StoreCheckTest, FindsDamagedJson) {
  std::ofstream(store() / "a/r/run.json") << "{";
  EXPECT_THAT(Problems(), ElementsAre(HasSubstr("a/r: ")));
  fs::remove(store() / "a/experiment.json");
  EXPECT_THAT(Problems()[0], HasSubstr("experiment.json is missing"));
}

TEST_F(StoreCheckTest, RemovesWhatKilledWritersLeftWhenAsked) {
  const pid_t pid = fork();
  if (pid == 0) {
    fs::create_directories(store() / TemporaryName("b"));
    _exit(0);
  }
  waitpid(pid, nullptr, 0);
  EXPECT_THAT(Problems(), ElementsAre(HasSubstr("what a killed process left")));
  EXPECT_FALSE(Check()[0].is_repaired);
  EXPECT_TRUE(Check({.repair = true})[0].is_repaired);
  EXPECT_THAT(Problems(), IsEmpty());
}

TEST_F(StoreCheckTest, FindsBaselinesWithoutTheirExperiment) {
  ASSERT_TRUE(SetBaseline(store(), "main", "a", "").ok());
  fs::remove_all(store() / "a");
  EXPECT_THAT(Problems(), ElementsAre("main: the baseline's experiment is removed"));
}

TEST_F(StoreCheckTest, AStoreThatIsNotThereIsEmpty) {
  core::NoProgress nobody;
  EXPECT_THAT(CheckStore(store() / "none", {}, nobody).value(), IsEmpty());
}

}  // namespace
}  // namespace xsp::store
