#include "store/kernel_layers.h"

#include <gtest/gtest.h>

#include <string_view>

namespace xsp::store {
namespace {

using trace::Level;
using trace::PlacedBy;
using trace::SpanId;

class KernelLayersTest : public testing::Test {
 protected:
  SpanId Add(Level level, std::string_view type, SpanId parent, PlacedBy placed_by) {
    const SpanId span = writer_.AddSpan({level, type, type, track_, 0, 10});
    trace_.spans.parent[span - 1] = parent;
    trace_.spans.placed_by[span - 1] = placed_by;
    return span;
  }
  void Expect(SpanId kernel, SpanId innermost, SpanId outermost, double confidence) {
    for (const KernelLayer& layer : KernelLayers(trace_)) {
      if (layer.kernel != kernel) continue;
      EXPECT_EQ(layer.innermost, innermost);
      EXPECT_EQ(layer.outermost, outermost);
      EXPECT_DOUBLE_EQ(layer.confidence, confidence);
      return;
    }
    ADD_FAILURE() << "no kernel " << kernel;
  }

  trace::Trace trace_;
  trace::TraceWriter writer_{trace_};
  trace::TrackId track_ = writer_.AddTrack({trace::TrackKind::kThread, "main"});
};

TEST_F(KernelLayersTest, FindsInnermostAndOutermostOperator) {
  const auto model = Add(Level::kModel, "predict", 0, PlacedBy::kNone);
  const auto module = Add(Level::kLayer, "module", model, PlacedBy::kNesting);
  const auto outer = Add(Level::kLayer, "conv2d", module, PlacedBy::kNesting);
  const auto inner = Add(Level::kLayer, "convolution", outer, PlacedBy::kSequence);
  const auto call = Add(Level::kLibrary, "cudnn", inner, PlacedBy::kNesting);
  Expect(Add(Level::kKernel, "kernel", call, PlacedBy::kLaunch), inner, outer, 0.95);
  Expect(Add(Level::kKernel, "primitive", inner, PlacedBy::kId), inner, outer, 1);
  Expect(Add(Level::kKernel, "native", module, PlacedBy::kNesting), 0, 0, 0);
  Expect(Add(Level::kKernel, "kernel", 0, PlacedBy::kNone), 0, 0, 0);
}

TEST_F(KernelLayersTest, AReplayedKernelIsAsSureAsItsAlignment) {
  const auto layer = Add(Level::kLayer, "conv2d", 0, PlacedBy::kSequence);
  const auto said = Add(Level::kKernel, "kernel", layer, PlacedBy::kSequence);
  const auto unsaid = Add(Level::kKernel, "kernel", layer, PlacedBy::kSequence);
  const auto other = Add(Level::kKernel, "kernel", layer, PlacedBy::kId);
  writer_.AddMetric(said, "confidence", 0.6, "1", "analytic");
  writer_.AddMetric(other, "confidence", 0.6, "1", "analytic");
  Expect(said, layer, layer, 0.6);
  Expect(unsaid, layer, layer, 0.7);
  Expect(other, layer, layer, 1);
}

TEST_F(KernelLayersTest, ACircleOfParentsEnds) {
  const auto kernel = Add(Level::kKernel, "kernel", 0, PlacedBy::kId);
  const auto call = Add(Level::kLibrary, "x", kernel, PlacedBy::kId);
  trace_.spans.parent[kernel - 1] = call;
  Expect(kernel, 0, 0, 0);
}

}  // namespace
}  // namespace xsp::store
