#include "pipeline/datasets/dataset.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/json_text.h"
#include "pipeline/base/sample_testing.h"
#include "pipeline/image/image.h"

namespace xsp::pipeline {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

std::unique_ptr<Dataset> Open(const char* description) {
  std::unique_ptr<Dataset> dataset;
  const Status status = OpenDataset(core::ParseJson(description), kSamples, dataset);
  EXPECT_TRUE(status.ok()) << status.error().what;
  return dataset;
}

std::string WhyNoDataSet(const char* description) {
  std::unique_ptr<Dataset> dataset;
  const Status status = OpenDataset(core::ParseJson(description), kSamples, dataset);
  return status.ok() ? "" : status.error().what + " | " + status.error().hint;
}

Sample SampleOf(const Dataset& dataset, std::size_t index) {
  Sample sample;
  const Status status = dataset.Read(index, sample);
  EXPECT_TRUE(status.ok()) << status.error().what;
  return sample;
}

TEST(FolderDataset, TakesFoldersAsClasses) {
  const auto dataset = Open(R"({"kind": "folder", "path": "folder"})");
  ASSERT_EQ(dataset->size(), 4u);
  EXPECT_THAT(dataset->labels(), ElementsAre("cat", "dog"));
  EXPECT_EQ(SampleOf(*dataset, 0).name, "cat/1.jpg");
  EXPECT_EQ(SampleOf(*dataset, 0).truth.label, 0);
  EXPECT_EQ(SampleOf(*dataset, 2).name, "dog/2.png");
  EXPECT_EQ(SampleOf(*dataset, 2).truth.label, 1);
  Image image;
  EXPECT_TRUE(DecodeImage(SampleOf(*dataset, 2).bytes, {}, image).ok());
  EXPECT_FALSE(DecodeImage(SampleOf(*dataset, 3).bytes, {}, image).ok()) << "broken.jpg";
  ASSERT_EQ(dataset->damaged(), 1u);
  EXPECT_EQ(dataset->damages()[0].name, "dog/notes.txt");
}

TEST(FolderDataset, TakesAListAndNamesWhatIsWrongInIt) {
  const auto dataset =
      Open(R"({"kind": "folder", "path": "folder", "list": "list.txt", "labels": "labels.txt"})");
  ASSERT_EQ(dataset->size(), 2u);
  EXPECT_EQ(SampleOf(*dataset, 0).name, "dog/2.png");
  EXPECT_EQ(SampleOf(*dataset, 0).truth.label, 1);
  ASSERT_EQ(dataset->damaged(), 3u);
  EXPECT_EQ(dataset->damages()[0].name, "cat/gone.jpg");
  EXPECT_THAT(dataset->damages()[1].reason, HasSubstr("number of a class"));
  EXPECT_THAT(dataset->damages()[2].reason, HasSubstr("leads out of"));
}

TEST(CocoDataset, GivesObjectsInTheOrderOfImages) {
  const auto dataset =
      Open(R"({"kind": "coco", "annotations": "coco/annotations.json", "images": "coco"})");
  ASSERT_EQ(dataset->size(), 2u);
  const Sample first = SampleOf(*dataset, 0);
  EXPECT_EQ(first.name, "a.jpg");
  EXPECT_EQ(first.truth.image_id, 3);
  ASSERT_EQ(first.truth.objects.size(), 2u);
  EXPECT_EQ(first.truth.objects[0].category, 18);
  EXPECT_EQ(first.truth.objects[0].area, 70);
  EXPECT_EQ(first.truth.objects[0].segmentation, "[[1,2,11,2,11,10]]");
  EXPECT_TRUE(first.truth.objects[1].crowd);
  EXPECT_EQ(first.truth.objects[1].area, 25);
  EXPECT_TRUE(SampleOf(*dataset, 1).truth.has_objects);
  EXPECT_TRUE(SampleOf(*dataset, 1).truth.objects.empty());
  EXPECT_EQ(dataset->labels().at(18), "dog");
  // gone.jpg, the image without a name, the annotation of no image and the one with a bad box.
  EXPECT_EQ(dataset->damaged(), 4u);
}

TEST(TextDataset, ReadsCsv) {
  const auto dataset = Open(R"({"kind": "texts", "path": "texts.csv", "text": "sentence",
      "second_text": "other", "label": "kind", "labels": "labels.txt"})");
  ASSERT_EQ(dataset->size(), 2u);
  EXPECT_EQ(SampleOf(*dataset, 0).text, "The quick fox");
  EXPECT_EQ(SampleOf(*dataset, 0).truth.label, 0);
  const Sample second = SampleOf(*dataset, 1);
  EXPECT_EQ(second.text, "He said \"no\",\nand left");
  EXPECT_EQ(second.second_text, "a dog");
  EXPECT_EQ(second.truth.label, 1);
  ASSERT_EQ(dataset->damaged(), 3u);
  EXPECT_THAT(dataset->damages()[0].reason, HasSubstr("2 instead of 3"));
  EXPECT_THAT(dataset->damages()[1].reason, HasSubstr("bird"));
  EXPECT_THAT(dataset->damages()[2].reason, HasSubstr("quote"));
}

TEST(TextDataset, ReadsJsonLines) {
  const auto dataset =
      Open(R"({"kind": "texts", "path": "texts.jsonl", "text": "source", "reference": "target"})");
  ASSERT_EQ(dataset->size(), 1u);
  EXPECT_EQ(SampleOf(*dataset, 0).truth.text, "hallo welt");
  EXPECT_EQ(dataset->damaged(), 2u);
}

TEST(SyntheticDataset, IsTheSameForTheSameSeed) {
  const char* description = R"({"kind": "synthetic", "width": 40, "height": 30, "count": 3})";
  const auto one = Open(description);
  const auto two = Open(description);
  const auto other = Open(R"({"kind": "synthetic", "width": 40, "height": 30, "seed": 2})");
  ASSERT_EQ(one->size(), 3u);
  EXPECT_EQ(SampleOf(*one, 2).bytes, SampleOf(*two, 2).bytes);
  EXPECT_NE(SampleOf(*one, 2).bytes, SampleOf(*one, 1).bytes);
  EXPECT_NE(SampleOf(*one, 2).bytes, SampleOf(*other, 2).bytes);
  const Sample sample = SampleOf(*one, 0);
  ASSERT_EQ(sample.truth.objects.size(), 3u);
  for (const TruthObject& object : sample.truth.objects) {
    EXPECT_GE(object.box.x, 0);
    EXPECT_LE(object.box.x + object.box.width, 40);
    EXPECT_LE(object.box.y + object.box.height, 30);
  }
  Image image;
  ASSERT_TRUE(DecodeImage(sample.bytes, {}, image).ok());
  EXPECT_EQ(image.width, 40);
}

TEST(SyntheticDataset, MakesTexts) {
  const auto dataset = Open(R"({"kind": "synthetic", "content": "texts", "words": 4,
                                "vocabulary": "words.txt"})");
  const std::string text = SampleOf(*dataset, 0).text;
  EXPECT_EQ(std::count(text.begin(), text.end(), ' '), 3);
  EXPECT_EQ(text, SampleOf(*dataset, 0).text);
}

TEST(OpenDataset, SaysWhatIsWrong) {
  EXPECT_THAT(WhyNoDataSet(R"({"kind": "tape"})"),
              HasSubstr("\"tape\" | it is one of folder, coco"));
  EXPECT_THAT(WhyNoDataSet(R"({})"), HasSubstr("none given"));
  EXPECT_THAT(WhyNoDataSet(R"([])"), HasSubstr("must be described by an object"));
  EXPECT_THAT(WhyNoDataSet(R"({"kind": "folder"})"), HasSubstr("path is missing"));
  EXPECT_THAT(WhyNoDataSet(R"({"kind": "folder", "path": "none"})"),
              HasSubstr("folder is missing"));
  EXPECT_THAT(WhyNoDataSet(R"({"kind": "folder", "path": "folder/cat"})"),
              HasSubstr("no usable sample"));
  EXPECT_THAT(WhyNoDataSet(R"({"kind": "coco", "annotations": "labels.txt", "images": "coco"})"),
              HasSubstr("no JSON"));
  EXPECT_THAT(WhyNoDataSet(R"({"kind": "coco", "annotations": "priors.json", "images": "coco"})"),
              HasSubstr("no list of images"));
  EXPECT_THAT(WhyNoDataSet(R"({"kind": "texts", "path": "texts.csv", "text": "title"})"),
              HasSubstr("no column of this name: title"));
  EXPECT_THAT(WhyNoDataSet(R"({"kind": "texts", "path": "labels.txt", "text": "title"})"),
              HasSubstr("say format"));
}

}  // namespace
}  // namespace xsp::pipeline
