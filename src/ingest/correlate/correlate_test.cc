#include "ingest/correlate/correlate.h"

#include <gtest/gtest.h>

#include <map>

#include "ingest/correlate/layers.h"

namespace xsp::correlate {
namespace {

using trace::Level;
using trace::SpanId;

// One convolution block as the worker records it, without parents: the whole way in one trace.
TEST(Correlate, EveryLayerOfACpuModelHasItsKernels) {
  trace::Trace trace;
  trace::TraceWriter writer(trace);
  writer.AddTrack({.kind = trace::TrackKind::kThread, .name = "main"});
  const auto add = [&](Level level, std::string_view type, std::int64_t start,
                       std::int64_t length) {
    return writer.AddSpan({.level = level,
                           .type = type,
                           .name = type,
                           .track = 1,
                           .start_ns = start,
                           .duration_ns = length});
  };
  add(Level::kModel, "predict", 0, 1000);
  add(Level::kLayer, "function", 5, 990);
  const SpanId conv = add(Level::kLayer, "aten::_convolution", 10, 400);
  add(Level::kLayer, "aten::mkldnn_convolution", 20, 380);
  add(Level::kKernel, "primitive", 30, 40);
  add(Level::kKernel, "primitive", 80, 300);
  const SpanId norm = add(Level::kLayer, "aten::batch_norm", 420, 200);
  add(Level::kLayer, "aten::native_batch_norm", 430, 180);
  const SpanId relu = add(Level::kLayer, "aten::relu_", 640, 100);
  add(Level::kLayer, "aten::clamp_min_", 650, 80);

  ASSERT_TRUE(Correlate(trace).ok());

  const LayerMap layers = FindLayers(trace, ParentsFirst(trace));
  std::map<SpanId, std::int64_t> kernel_ns;
  for (std::size_t i = 0; i < trace.spans.size(); ++i)
    if (trace.spans.level[i] == Level::kKernel)
      kernel_ns[layers.outermost_layer[i]] += trace.spans.duration_ns[i];
  EXPECT_EQ(kernel_ns, (std::map<SpanId, std::int64_t>{{conv, 340}, {norm, 180}, {relu, 80}}));
  EXPECT_TRUE(trace.diagnostics.empty());
}

TEST(Correlate, AnEmptyTraceIsFine) {
  trace::Trace trace;
  EXPECT_TRUE(Correlate(trace).ok());
}

}  // namespace
}  // namespace xsp::correlate
