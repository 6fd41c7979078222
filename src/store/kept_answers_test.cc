#include "store/kept_answers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "store/store_testing.h"

namespace xsp::store {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

class KeptAnswersTest : public testing::Test {
 protected:
  KeptAnswersTest() { setenv("XSP_CACHE", folder_.path().c_str(), 1); }
  ~KeptAnswersTest() override { unsetenv("XSP_CACHE"); }

  TestFolder folder_;
};

TEST_F(KeptAnswersTest, AnAnswerIsFoundForItsQuestionAndExperimentOnly) {
  const json answer = {{"text", "a \"b\"\n"}, {"numbers", {1, 0.1, nullptr}}};
  EXPECT_TRUE(KeptAnswers("vectors", "q").Find("f").is_discarded());
  ASSERT_TRUE(KeptAnswers("vectors", "q").Keep("f", answer).ok());
  EXPECT_EQ(KeptAnswers("vectors", "q").Find("f"), answer);
  EXPECT_TRUE(KeptAnswers("vectors", "q").Find("g").is_discarded());
  EXPECT_TRUE(KeptAnswers("vectors", "another").Find("f").is_discarded());
  EXPECT_TRUE(KeptAnswers("findings", "q").Find("f").is_discarded());
}

TEST_F(KeptAnswersTest, ADamagedFileIsNotKnownAndIsReplaced) {
  const KeptAnswers answers("vectors", "q");
  ASSERT_TRUE(answers.Keep("f", {1, 2}).ok());
  fs::path file;
  for (const auto& entry : fs::recursive_directory_iterator(folder_.path()))
    if (entry.is_regular_file()) file = entry.path();
  for (const char* text : {"", "[1,", "\xff"}) {
    std::ofstream(file) << text;
    EXPECT_TRUE(answers.Find("f").is_discarded()) << text;
  }
  ASSERT_TRUE(answers.Keep("f", {3}).ok());
  EXPECT_EQ(answers.Find("f"), json({3}));
}

TEST_F(KeptAnswersTest, AFolderThatCannotBeMadeIsNamed) {
  std::ofstream(folder_.path() / "vectors") << "a file";
  const Status kept = KeptAnswers("vectors", "q").Keep("f", {1});
  ASSERT_FALSE(kept.ok());
  EXPECT_EQ(kept.error().kind, ErrorKind::kEnvironment);
  EXPECT_THAT(kept.error().what, HasSubstr((folder_.path() / "vectors").string()));
  EXPECT_THAT(kept.error().hint, HasSubstr("XSP_CACHE"));
}

}  // namespace
}  // namespace xsp::store
