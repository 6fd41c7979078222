#include "capture/record/cuda/activity/graph_captures.h"

#include <gtest/gtest.h>

#include <map>
#include <string_view>

#include "capture/wire/collected_records.h"

namespace xsp::record::cuda {
namespace {

constexpr std::uint64_t kOriginal = 1, kClone = 1001;

class GraphCapturesTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(xsp_open(path_.c_str(), nullptr), 0); }
  void TearDown() override { xsp_close(); }

  static xsp_string Text(std::string_view text) { return xsp_intern(text.data(), text.size()); }
  static xsp_span Begin(std::string_view type) {
    return xsp_begin(XSP_LEVEL_LAYER, Text(type), Text(type));
  }
  /// A node as it is captured in a layer.
  void Capture() {
    const xsp_span layer = Begin("layer");
    captures_.Created(kOriginal);
    xsp_end(layer);
  }

  /// Types of the spans that nodes belong to, as whoever reads the recording ends up with them.
  std::map<std::uint64_t, std::string> Read() {
    xsp_close();
    const auto read = wire::ReadRecording(path_);
    std::map<std::uint32_t, std::string> types;
    for (const auto& span : read->spans) types[span.id] = span.type;
    std::map<std::uint64_t, std::string> found;
    for (const auto& capture : read->captures)
      found.insert_or_assign(capture.graph_node, types[capture.span]);
    return found;
  }

  wire::ScratchFolder folder_;
  const std::string path_ = folder_ / "captures.xspr";
  GraphCaptures captures_;
};

// An instantiation also makes the clone's node, inside whatever span is open around it.
TEST_F(GraphCapturesTest, ACloneHasItsOriginalsLayerInEitherOrder) {
  Capture();
  const xsp_span outer = Begin("outer");
  captures_.Created(kClone);
  captures_.Cloned(kClone, kOriginal);
  captures_.Cloned(kClone + 1, kOriginal);
  captures_.Created(kClone + 1);
  xsp_end(outer);
  const auto spans = Read();
  EXPECT_EQ(spans.at(kOriginal), "layer");
  EXPECT_EQ(spans.at(kClone), "layer");
  EXPECT_EQ(spans.at(kClone + 1), "layer");
}

TEST_F(GraphCapturesTest, WhatAnInstantiationMakesBelongsToNothingOpenAroundIt) {
  const xsp_span outer = Begin("outer");
  GraphCaptures::Instantiating(true);
  GraphCaptures::Instantiating(true);  // The driver's call in the runtime's.
  captures_.Created(kClone);
  GraphCaptures::Instantiating(false);
  captures_.Created(kClone + 1);
  GraphCaptures::Instantiating(false);
  captures_.Created(kOriginal);
  xsp_end(outer);
  const auto spans = Read();
  EXPECT_EQ(spans.size(), 1u);
  EXPECT_EQ(spans.at(kOriginal), "outer");
}

TEST_F(GraphCapturesTest, ANumberThatIsUsedAgainIsAnotherNode) {
  Capture();
  captures_.Destroyed(kOriginal);
  const xsp_span later = Begin("later");
  captures_.Created(kOriginal);
  xsp_end(later);
  EXPECT_EQ(Read().at(kOriginal), "later");
}

}  // namespace
}  // namespace xsp::record::cuda
