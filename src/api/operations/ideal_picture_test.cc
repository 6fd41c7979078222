#include "api/operations/ideal_picture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string_view>

namespace xsp::api {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

json LayerOf(const std::string& name, double measured_ns, double best_ns, const json& bound_ns,
             const json& best_known = nullptr) {
  return {{"name", name},
          {"measured_ns", measured_ns},
          {"best_known_ns", best_ns},
          {"best_known", best_known},
          {"bound_ns", bound_ns}};
}

json DocumentOf(json layers) {
  return {{"points",
           {{{"model", "a <model>"},
             {"backend", "b"},
             {"measured_ns", 9e6},
             {"best_known_ns", 8e6},
             {"bound_ns", nullptr},
             {"layers", std::move(layers)}}}}};
}

std::size_t CountOf(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(IdealPictureTest, DrawsThreeBarsALayerAndTheSourceOfTheBest) {
  const std::string svg = IdealSvg(DocumentOf(
      {LayerOf("conv1", 5e6, 4e6, 2e6, {{"experiment", "r50"}, {"backend", "ORT"}}),
       LayerOf("conv2", 1e6, 5e5, nullptr,
               {{"experiment", nullptr}, {"backend", "oneDNN 3"}, {"implementation", "brg"}})}));
  EXPECT_EQ(CountOf(svg, "<title>conv1: "), 3U);
  EXPECT_EQ(CountOf(svg, "<title>conv2: "), 2U) << "no cost is known of the second";
  EXPECT_THAT(svg, HasSubstr("conv1: best known 4.00 ms"));
  EXPECT_THAT(svg, HasSubstr("r50 (ORT)"));
  EXPECT_THAT(svg, HasSubstr("oneDNN 3 brg"));
  EXPECT_THAT(svg, HasSubstr("a &lt;model&gt; (b)"));
  EXPECT_THAT(svg, Not(HasSubstr("shorter layers")));
}

TEST(IdealPictureTest, ShowsTheTwentyLongestAndCountsTheOthers) {
  json layers = json::array();
  for (int i = 0; i < 25; ++i)
    layers.push_back(LayerOf("layer" + std::to_string(i), 1000 + i, 900, 100));
  const std::string svg = IdealSvg(DocumentOf(layers));
  EXPECT_THAT(svg, HasSubstr(">layer24<"));
  EXPECT_THAT(svg, HasSubstr(">layer5<"));
  EXPECT_THAT(svg, Not(HasSubstr(">layer4<")));
  EXPECT_THAT(svg, HasSubstr("5 shorter layers are not shown"));
}

TEST(IdealPictureTest, LongNamesKeepTheirEnd) {
  const std::string svg =
      IdealSvg(DocumentOf(json::array({LayerOf(std::string(200, 'a') + ".conv", 1000, 1000, 10)})));
  EXPECT_THAT(svg, HasSubstr("..."));
  EXPECT_THAT(svg, HasSubstr(".conv</text>"));
}

TEST(IdealPictureTest, NoPointsAreAnEmptyDrawing) {
  EXPECT_THAT(IdealSvg({{"points", json::array()}}), HasSubstr("<svg"));
}

}  // namespace
}  // namespace xsp::api
