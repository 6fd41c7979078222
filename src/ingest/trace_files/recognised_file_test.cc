#include "ingest/trace_files/recognised_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

namespace xsp::trace_files {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class RecogniseTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "xsp-recognise-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  fs::path folder_;
};

TEST_F(RecogniseTest, SaysWhatIsWrongWithAFile) {
  const auto what = [&](const fs::path& file) { return Recognise(file).error().what; };
  EXPECT_THAT(what(folder_ / "none"), HasSubstr("no such file"));
  EXPECT_THAT(what(folder_), HasSubstr("is a directory"));
  std::ofstream(folder_ / "empty");
  EXPECT_THAT(what(folder_ / "empty"), HasSubstr("is empty"));
  std::ofstream(folder_ / "noise") << "\x01\x02 neither this nor that";
  EXPECT_THAT(what(folder_ / "noise"), HasSubstr("has no known format"));
  EXPECT_THAT(Recognise(folder_ / "noise").error().hint,
              AllOf(HasSubstr("xsp_recording"), HasSubstr("It looks like text.")));
}

TEST_F(RecogniseTest, AProfileOfOnnxRuntimeIsNotTakenForAnothers) {
  const fs::path profile = folder_ / "ort.json";
  std::ofstream(profile)
      << R"([{"cat" : "Session","pid" :1,"tid" :1,"dur" :20,"ts" :1,"ph" : "X","name" :"session_initialization","args" : {}}])";
  const auto recognised = Recognise(profile);
  ASSERT_FALSE(recognised.ok());
  EXPECT_THAT(recognised.error().what, HasSubstr("no importer reads an ONNX Runtime profile"));
  EXPECT_THAT(recognised.error().hint, HasSubstr("xsp run MODEL.onnx"));
}

}  // namespace
}  // namespace xsp::trace_files
