#include "answer/suite/stored_experiment.h"

#include <gmock/gmock.h>

#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/json_text.h"

namespace xsp::suite {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class StoredExperimentTest : public ::testing::Test {
 protected:
  StoredExperimentTest() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(::testing::TempDir()) / (std::string("stored_") + test->name());
    std::filesystem::create_directories(folder_);
  }
  ~StoredExperimentTest() override { std::filesystem::remove_all(folder_); }

  void Write(const nlohmann::json& experiment) const {
    std::ofstream(folder_ / "experiment.json") << core::JsonText(experiment);
  }

  std::filesystem::path folder_;
};

TEST_F(StoredExperimentTest, StatusIsThatOfTheFileAndOfTheProgram) {
  EXPECT_EQ(StoredStatus(folder_), "");
  std::ofstream(folder_ / "experiment.json") << "{\"status\": ";
  EXPECT_EQ(StoredStatus(folder_), "");
  Write({{"model", "old files say no status"}});
  EXPECT_EQ(StoredStatus(folder_), "done");
  Write({{"status", "partial"}});
  EXPECT_EQ(StoredStatus(folder_), "partial");
  Write({{"status", "done"}, {"program_exit", {{"exit_code", 0}, {"signal", 11}}}});
  EXPECT_EQ(StoredStatus(folder_), "failed");
  Write({{"status", "done"}, {"program_exit", {{"exit_code", 0}, {"signal", 0}}}});
  EXPECT_EQ(StoredStatus(folder_), "done");
}

TEST_F(StoredExperimentTest, AnotherCommandIsADifference) {
  Write({{"command", "xsp run 'my model.pt' --batch 1 --name a --store s"}});
  EXPECT_THAT(DifferenceFrom(folder_, "xsp run 'my model.pt' --batch 1"), IsEmpty());
  EXPECT_THAT(DifferenceFrom(folder_, "xsp run 'my model.pt' --batch 16"),
              HasSubstr("measured by: xsp run 'my model.pt' --batch 1"));
  // 1 is not the beginning of 16.
  Write({{"command", "xsp run m --batch 16"}});
  EXPECT_THAT(DifferenceFrom(folder_, "xsp run m --batch 1"), HasSubstr("--batch 16"));
}

TEST_F(StoredExperimentTest, OrderOfOptionsAndWhereResultsGoAreNoDifference) {
  Write({{"command", "xsp run m --only --iterations 5 --batch 1,2 --format json --name a"}});
  EXPECT_THAT(DifferenceFrom(folder_,
                             "xsp run m --batch 1,2 --only --iterations 5 --name a "
                             "--keep-outputs /tmp/x"),
              IsEmpty());
  EXPECT_THAT(DifferenceFrom(folder_, "xsp run m --batch 1,2 --iterations 5"),
              HasSubstr("measured by"));
  Write({{"command", "xsp record --format json --name a -- python3 train.py --steps 40"}});
  EXPECT_THAT(DifferenceFrom(folder_, "xsp record --name a --program-output /tmp/x"), IsEmpty());
}

TEST(StoreNameTest, OtherCharactersAreReplaced) {
  EXPECT_EQ(StoreName({"a b", "", "c/d.e_f"}), "a_b-c_d.e_f");
}

TEST_F(StoredExperimentTest, ModelThatChangedIsADifference) {
  const std::filesystem::path model = folder_ / "m.pt";
  std::ofstream(model) << "12345";
  const std::string command = "xsp run " + model.string() + " --batch 1";
  Write({{"command", command}, {"model_file", {{"path", model.string()}, {"size_bytes", 5}}}});
  std::filesystem::last_write_time(
      model, std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
  EXPECT_THAT(DifferenceFrom(folder_, command, model), IsEmpty());
  std::filesystem::last_write_time(
      model, std::filesystem::file_time_type::clock::now() + std::chrono::hours(1));
  EXPECT_THAT(DifferenceFrom(folder_, command, model), HasSubstr("before this file was changed"));
  std::filesystem::last_write_time(
      model, std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
  Write({{"command", command}, {"model_file", {{"path", model.string()}, {"size_bytes", 6}}}});
  EXPECT_THAT(DifferenceFrom(folder_, command, model), HasSubstr("before this file was changed"));
}

TEST_F(StoredExperimentTest, WhatStandsAsideComesBackUnlessItIsReplaced) {
  const std::filesystem::path old = folder_ / "e", aside = folder_ / ".before-e";
  const auto make = [](const std::filesystem::path& folder, const char* file) {
    std::filesystem::create_directories(folder);
    std::ofstream(folder / file) << "x";
  };
  make(old, "old");
  {
    const ExperimentBackup before(old);
    EXPECT_FALSE(std::filesystem::exists(old));
    make(old, "part of a new one");
  }
  EXPECT_TRUE(std::filesystem::exists(old / "old"));
  EXPECT_FALSE(std::filesystem::exists(old / "part of a new one"));
  // A call was killed while it was a backup, and the next one fails.
  std::filesystem::rename(old, aside);
  { const ExperimentBackup before(old); }
  EXPECT_TRUE(std::filesystem::exists(old / "old"));
  {
    ExperimentBackup before(old);
    make(old, "new");
    before.Replaced();
  }
  EXPECT_TRUE(std::filesystem::exists(old / "new"));
  EXPECT_FALSE(std::filesystem::exists(aside));
}

}  // namespace
}  // namespace xsp::suite
