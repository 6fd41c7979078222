#include <gtest/gtest.h>

#include <fstream>

#include "api/operations/operation_list.h"
#include "store/store_testing.h"

namespace xsp::api {
namespace {

using nlohmann::json;

class ModelCheckOperationTest : public testing::Test {
 protected:
  std::string Write(const std::string& name, const std::string& text) const {
    const std::filesystem::path file = folder_.path() / name;
    std::ofstream(file) << text;
    return file.string();
  }
  static Document Check(const std::vector<std::string>& files) {
    auto document = Perform("model/check", {{"file", files}}, Context{});
    EXPECT_TRUE(document.ok());
    return document.ok() ? std::move(document).value() : Document{};
  }

 private:
  store::TestFolder folder_;
};

TEST_F(ModelCheckOperationTest, AnswersWithWhatAManifestMeans) {
  const std::string file = Write("net.yaml", "name: net\nfiles: {toy: {file: net.toy}}\n");
  const Document document = Check({file});
  EXPECT_EQ(document.exit_status, 0);
  const json answer = ToJson(document).at(0);
  EXPECT_EQ(answer["file"], file);
  EXPECT_EQ(answer["ok"], true);
  EXPECT_EQ(answer["form"], "xsp");
  EXPECT_EQ(answer["manifest"]["name"], "net");
}

TEST_F(ModelCheckOperationTest, NamesTheProblemsOfEveryFileAndFails) {
  const Document document =
      Check({Write("right.yaml", "name: net\n"), Write("wrong.yaml", "name: net\ntsak: x\n"),
             "/no/such/file.yaml"});
  EXPECT_EQ(document.exit_status, static_cast<int>(ErrorKind::kBadInput));
  const json answers = ToJson(document);
  ASSERT_EQ(answers.size(), 3U);
  EXPECT_EQ(answers[0]["ok"], true);
  EXPECT_EQ(answers[1]["ok"], false);
  EXPECT_FALSE(answers[1].contains("manifest"));
  EXPECT_EQ(answers[1]["problems"][0]["line"], 2);
  EXPECT_EQ(answers[1]["problems"][0]["kind"], "error");
  EXPECT_EQ(answers[2]["problems"].size(), 1U);
}

TEST_F(ModelCheckOperationTest, FindsProblemsOfStepsBesideThoseOfTheFile) {
  const Document document =
      Check({Write("net.yaml", "name: net\npreprocess:\n  - {step: decode, color: rgb}\n")});
  const json problems = ToJson(document).at(0)["problems"];
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0]["line"], 3);
}

}  // namespace
}  // namespace xsp::api
