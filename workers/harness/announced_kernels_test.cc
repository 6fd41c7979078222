#include "harness/announced_kernels.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <random>

#include "capture/wire/reader.h"

namespace xsp::worker {
namespace {

AnnouncedKernel Kernel(std::uint64_t start_ns, std::uint64_t end_ns) {
  return {0, start_ns, end_ns, ""};
}

Placement PlaceOne(const AnnouncedKernel& kernel, const std::vector<RecordedLayer>& layers) {
  return PlaceKernels({&kernel, 1}, layers).front();
}

TEST(PlaceKernels, TakesTheLayerAroundTheKernel) {
  const std::vector<RecordedLayer> layers = {{1, 0, 100}, {2, 100, 200}, {3, 250, 300}};
  EXPECT_EQ(PlaceOne(Kernel(10, 90), layers).layer, 0u);
  EXPECT_EQ(PlaceOne(Kernel(110, 190), layers).layer, 1u);
  EXPECT_EQ(PlaceOne(Kernel(205, 245), layers).layer, kNoLayer);
  EXPECT_EQ(PlaceOne(Kernel(270, 270), layers).layer, 2u);
  EXPECT_EQ(PlaceOne(Kernel(1000, 1001), layers).layer, kNoLayer);
  EXPECT_EQ(PlaceOne(Kernel(10, 90), {}).layer, kNoLayer);
}

TEST(PlaceKernels, ForgivesClocksThatDisagreeALittle) {
  const std::vector<RecordedLayer> layers = {{1, 0, 100}, {2, 100, 200}};
  // Announced a little after its layer's end.
  EXPECT_EQ(PlaceOne(Kernel(5, 103), layers).layer, 0u);
  EXPECT_EQ(PlaceOne(Kernel(99, 199), layers).layer, 1u);
}

TEST(PlaceKernels, GivesTheShorterOfTwoParallelLayersTheKernelThatFillsIt) {
  const std::vector<RecordedLayer> layers = {{1, 0, 100}, {2, 10, 50}};
  const Placement wide = PlaceOne(Kernel(1, 98), layers);
  EXPECT_EQ(wide.layer, 0u);
  EXPECT_FALSE(wide.ambiguous);
  const Placement narrow = PlaceOne(Kernel(12, 48), layers);
  EXPECT_EQ(narrow.layer, 1u);
  EXPECT_TRUE(narrow.ambiguous);
  const Placement alone = PlaceOne(Kernel(51, 99), layers);
  EXPECT_EQ(alone.layer, 0u);
  EXPECT_FALSE(alone.ambiguous);
}

/// The definition, layer by layer.
std::uint64_t LeastLeft(const AnnouncedKernel& kernel, const std::vector<RecordedLayer>& layers,
                        int& candidates) {
  std::uint64_t least = UINT64_MAX;
  candidates = 0;
  for (const RecordedLayer& layer : layers) {
    std::uint64_t shared = 0;
    for (std::uint64_t t = kernel.start_ns; t < kernel.end_ns; ++t)
      shared += t >= layer.start_ns && t < layer.end_ns;
    if (2 * shared < kernel.end_ns - kernel.start_ns) continue;
    ++candidates;
    least = std::min(least, layer.end_ns - layer.start_ns - shared);
  }
  return least;
}

TEST(PlaceKernels, AgreesWithTheDefinitionOnRandomLayers) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    std::vector<RecordedLayer> layers;
    for (unsigned i = 0; i < random() % 12; ++i) {
      const std::uint64_t start = random() % 200;
      layers.push_back({i + 1, start, start + random() % 60});
    }
    for (int i = 0; i < 10; ++i) {
      const std::uint64_t start = random() % 220;
      const auto kernel = Kernel(start, start + 1 + random() % 40);
      int candidates = 0;
      const std::uint64_t least = LeastLeft(kernel, layers, candidates);
      const Placement placed = PlaceOne(kernel, layers);
      ASSERT_EQ(placed.layer == kNoLayer, candidates == 0);
      ASSERT_EQ(placed.ambiguous, candidates > 1);
      if (candidates == 0) continue;
      const RecordedLayer& layer = layers[placed.layer];
      const std::uint64_t from = std::max(layer.start_ns, kernel.start_ns);
      const std::uint64_t to = std::min(layer.end_ns, kernel.end_ns);
      ASSERT_EQ(layer.end_ns - layer.start_ns - (to > from ? to - from : 0), least);
    }
  }
}

class Sink : public wire::RecordSink {
 public:
  void OnSpan(const wire::SpanRecord& span) override {
    parents[std::string(span.name)] = span.parent;
    ids[std::string(span.name)] = span.id;
  }
  void OnAttribute(const wire::AttributeRecord& attribute) override {
    attributes[std::string(attribute.key)] = attribute.value;
  }
  void OnMetric(const wire::MetricRecord&) override {}
  void OnMark(const wire::MarkRecord&) override {}
  void OnCounter(const wire::CounterRecord&) override {}

  std::map<std::string, std::uint32_t> parents, ids;
  std::map<std::string, std::string> attributes;
};

TEST(AnnouncedKernels, FilesWhatWasPrintedDuringTheCallUnderALayerRecordedLater) {
  std::string folder = (std::filesystem::temp_directory_path() / "xsp-announced.XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  const std::string path = folder + "/r.xspr";
  ASSERT_EQ(xsp_open(path.c_str(), nullptr), 0);
  AnnouncedKernels::Start();
  const auto id = [](const char* text) {
    return xsp_intern(text, std::char_traits<char>::length(text));
  };
  std::printf("onednn_verbose,v1,primitive,exec,cpu,reorder,jit,undef,,,,8x8,0.001\n");
  AnnouncedKernels::Keep(true);
  const xsp_span call = xsp_begin(XSP_LEVEL_MODEL, id("predict"), id("m"));
  const std::uint64_t start_ns = xsp_now_ns();
  std::printf("onednn_verbose,v1,primitive,exec,cpu,convolution,jit,undef,,,,8x8,0\n");
  const std::uint64_t end_ns = xsp_now_ns();
  xsp_end(call);
  const xsp_span layer =
      xsp_complete_in(call, XSP_LEVEL_LAYER, id("Conv2D"), id("conv"), start_ns, end_ns - start_ns);
  const RecordedLayer recorded = {layer, start_ns, end_ns};
  AnnouncedKernels::File(call, {&recorded, 1});
  AnnouncedKernels::RecordFacts();
  xsp_close();
  wire::ReadError error;
  const auto reader = wire::Reader::Open(path, &error);
  ASSERT_NE(reader, nullptr) << error.what;
  Sink sink;
  reader->Read(sink);
  std::filesystem::remove_all(folder);
  // What was printed before Keep(true) belongs to no call.
  EXPECT_FALSE(sink.ids.contains("reorder"));
  EXPECT_EQ(sink.parents.at("convolution"), sink.ids.at("conv"));
  EXPECT_EQ(sink.attributes.at("raw"),
            "onednn_verbose,v1,primitive,exec,cpu,convolution,jit,undef,,,,8x8,0");
  EXPECT_EQ(sink.attributes.at("cpu_capture.outside_layers"), "0");
}

}  // namespace
}  // namespace xsp::worker
