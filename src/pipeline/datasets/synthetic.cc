#include <algorithm>
#include <nlohmann/json.hpp>

#include "pipeline/base/random.h"
#include "pipeline/base/text_file.h"
#include "pipeline/datasets/dataset_kinds.h"
#include "pipeline/image/encoders.h"
#include "pipeline/image/image.h"

namespace xsp::pipeline {
namespace {

struct Rule {
  std::int64_t count = 100;
  std::int64_t seed = 1;
  std::int64_t width = 224;
  std::int64_t height = 224;
  std::int64_t classes = 1000;
  std::int64_t objects = 3;
  bool png = false;
  std::int64_t words = 20;
};

/// A gradient with a little noise, and rectangles on it: compresses as photographs do, unlike white
/// noise, so that decoding takes a likely time.
class Pictures : public Dataset {
 public:
  Rule rule;

  std::size_t size() const override { return static_cast<std::size_t>(rule.count); }

  Status Read(std::size_t index, Sample& sample) const override {
    return WithoutExceptions([&]() -> Status {
      sample = {};
      Random random(static_cast<std::uint64_t>(rule.seed), index);
      sample.name = "synthetic " + std::to_string(index);
      sample.truth.label = random.Below(rule.classes);
      sample.truth.image_id = static_cast<std::int64_t>(index);
      sample.truth.has_objects = true;
      Image image;
      XSP_RETURN_IF_ERROR(
          MakeImage(static_cast<int>(rule.width), static_cast<int>(rule.height), 3, image));
      Background(random, image);
      for (std::int64_t i = 0; i < rule.objects; ++i) {
        sample.truth.objects.push_back(Rectangle(random, image));
      }
      return rule.png ? EncodePng(image, sample.bytes) : EncodeJpeg(image, 90, sample.bytes);
    });
  }

 private:
  static void Background(Random& random, Image& image) {
    std::int64_t from[3], to[3];
    for (int c = 0; c < 3; ++c) {
      from[c] = random.Below(200);
      to[c] = random.Below(200);
    }
    for (int y = 0; y < image.height; ++y) {
      std::uint8_t* row = image.Row(y);
      for (int x = 0; x < image.width; ++x) {
        const std::uint64_t noise = random.Bits();
        const std::int64_t along = std::int64_t{256} * (x + y) / (image.width + image.height);
        for (int c = 0; c < 3; ++c) {
          const std::int64_t base = (from[c] * (256 - along) + to[c] * along) / 256;
          row[x * 3 + c] =
              static_cast<std::uint8_t>(base + static_cast<std::int64_t>(noise >> (8 * c) & 0x1f));
        }
      }
    }
  }

  TruthObject Rectangle(Random& random, Image& image) const {
    TruthObject object;
    object.category = random.Below(rule.classes);
    const std::int64_t width = 1 + random.Below(std::max(image.width / 2, 1));
    const std::int64_t height = 1 + random.Below(std::max(image.height / 2, 1));
    const std::int64_t left = random.Below(image.width - width + 1);
    const std::int64_t top = random.Below(image.height - height + 1);
    const std::uint64_t colour = random.Bits();
    for (std::int64_t y = top; y < top + height; ++y) {
      std::uint8_t* pixel = image.Row(static_cast<int>(y)) + left * 3;
      for (std::int64_t i = 0; i < width * 3; ++i) {
        pixel[i] = static_cast<std::uint8_t>(colour >> (8 * (i % 3)));
      }
    }
    object.box.x = static_cast<double>(left);
    object.box.y = static_cast<double>(top);
    object.box.width = static_cast<double>(width);
    object.box.height = static_cast<double>(height);
    object.area = object.box.Area();
    return object;
  }
};

/// Words of a vocabulary, or of two random syllables each, as many as asked.
class Sentences : public Dataset {
 public:
  Rule rule;
  std::vector<std::string> vocabulary;

  std::size_t size() const override { return static_cast<std::size_t>(rule.count); }

  Status Read(std::size_t index, Sample& sample) const override {
    return WithoutExceptions([&]() -> Status {
      sample = {};
      Random random(static_cast<std::uint64_t>(rule.seed), index);
      sample.name = "synthetic " + std::to_string(index);
      sample.truth.label = random.Below(rule.classes);
      for (std::int64_t i = 0; i < rule.words; ++i) {
        sample.text += (i == 0 ? "" : " ") + Word(random);
      }
      return Ok{};
    });
  }

 private:
  std::string Word(Random& random) const {
    if (!vocabulary.empty()) {
      return vocabulary[static_cast<std::size_t>(
          random.Below(static_cast<std::int64_t>(vocabulary.size())))];
    }
    constexpr std::string_view kConsonants = "bdfgklmnprst";
    constexpr std::string_view kVowels = "aeiou";
    std::string word;
    for (int i = 0; i < 2; ++i) {
      word += kConsonants[static_cast<std::size_t>(random.Below(kConsonants.size()))];
      word += kVowels[static_cast<std::size_t>(random.Below(kVowels.size()))];
    }
    return word;
  }
};

}  // namespace

Status OpenSynthetic(Parameters& parameters, const std::string& folder,
                     std::unique_ptr<Dataset>& dataset) {
  Rule rule;
  bool text = false;
  std::string vocabulary;
  parameters.Choice<bool>("content", text, {{"images", false}, {"texts", true}});
  parameters.Integer("count", rule.count, 1, std::int64_t{1} << 40);
  parameters.Integer("seed", rule.seed, 0, INT64_MAX);
  parameters.Integer("classes", rule.classes, 1, 1 << 30);
  if (text) {
    parameters.Integer("words", rule.words, 1, 1 << 20);
    parameters.Text("vocabulary", vocabulary);
  } else {
    parameters.Integer("width", rule.width, 1, 8192);
    parameters.Integer("height", rule.height, 1, 8192);
    parameters.Integer("objects", rule.objects, 0, 1000);
    parameters.Choice<bool>("format", rule.png, {{"jpeg", false}, {"png", true}});
  }
  XSP_RETURN_IF_ERROR(parameters.Finish());
  if (!text) {
    auto made = std::make_unique<Pictures>();
    made->rule = rule;
    dataset = std::move(made);
    return Ok{};
  }
  auto made = std::make_unique<Sentences>();
  made->rule = rule;
  if (!vocabulary.empty()) {
    XSP_RETURN_IF_ERROR(ReadLines(Below(folder, vocabulary), made->vocabulary));
  }
  dataset = std::move(made);
  return Ok{};
}

}  // namespace xsp::pipeline
