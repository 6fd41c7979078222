#include "measure/requests/dataset_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "source_dir.h"

namespace xsp::requests {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

const fs::path kSample = fs::path(XSP_SOURCE_DIR) / "src/pipeline/sample";

class ParseDatasetTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "xsp-dataset-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  std::string Write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  fs::path folder_;
};

TEST_F(ParseDatasetTest, TakesAFolderOfImages) {
  const DatasetRequest request = ParseDataset((kSample / "folder").string()).value();
  EXPECT_EQ(request.description["kind"], "folder");
  const auto dataset = Open(request).value();
  EXPECT_GT(dataset->size(), 0u);
  EXPECT_EQ(CountSamples(request, *dataset), dataset->size());
}

TEST_F(ParseDatasetTest, TakesADescriptionRelativeToItsFile) {
  fs::copy(kSample / "texts.csv", folder_);
  const DatasetRequest request =
      ParseDataset(Write("d.yaml", "kind: texts\npath: texts.csv\ntext: source\n")).value();
  EXPECT_EQ(request.folder, folder_.string());
  EXPECT_EQ(request.description["text"], "source");
}

TEST_F(ParseDatasetTest, SaysWhereADescriptionIsWrong) {
  const auto request = ParseDataset(Write("d.yaml", "kind: texts\nkind: coco\n"));
  ASSERT_FALSE(request.ok());
  EXPECT_EQ(request.error().kind, ErrorKind::kBadInput);
  EXPECT_THAT(request.error().what, HasSubstr("d.yaml:2:1"));
}

TEST_F(ParseDatasetTest, TakesATableOfTexts) {
  const DatasetRequest request = ParseDataset(Write("t.jsonl", "{\"text\": \"a b\"}\n")).value();
  EXPECT_EQ(Open(request).value()->size(), 1u);
}

TEST_F(ParseDatasetTest, TakesAKindAndItsParameters) {
  const DatasetRequest request = ParseDataset("synthetic:count=7,seed=2,format=png").value();
  EXPECT_EQ(request.description,
            (json{{"kind", "synthetic"}, {"count", 7}, {"seed", 2}, {"format", "png"}}));
  EXPECT_EQ(Open(request).value()->size(), 7u);
  EXPECT_EQ(ParseDataset("synthetic").value().description, (json{{"kind", "synthetic"}}));
}

TEST_F(ParseDatasetTest, RefusesWhatIsNone) {
  for (const char* text :
       {"", "nowhere", "nowhere.yaml", "pictures:path=x", "synthetic:count", "synthetic:=3"})
    EXPECT_EQ(ParseDataset(text).error().kind, ErrorKind::kUsage) << text;
  EXPECT_EQ(Open(ParseDataset("synthetic:colour=red").value()).error().kind, ErrorKind::kBadInput);
}

TEST_F(ParseDatasetTest, TakesNoMoreSamplesThanThereAre) {
  DatasetRequest request = ParseDataset("synthetic:count=7").value();
  const auto dataset = Open(request).value();
  request.samples = 3;
  EXPECT_EQ(CountSamples(request, *dataset), 3u);
  request.samples = 30;
  EXPECT_EQ(CountSamples(request, *dataset), 7u);
}

TEST(SpreadIndex, IsEvenAndWithoutRepetition) {
  for (std::size_t size = 1; size < 40; ++size) {
    for (std::size_t count = 1; count <= size; ++count) {
      std::size_t before = 0;
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t index = pipeline::SpreadIndex(i, count, size);
        ASSERT_LT(index, size);
        ASSERT_EQ(index, i * size / count);
        ASSERT_TRUE(i == 0 || index > before);
        before = index;
      }
    }
  }
}

}  // namespace
}  // namespace xsp::requests
