#include "derive/match/point_kernels.h"

#include <gtest/gtest.h>

#include <random>

#include "derive/match/match_testing.h"

namespace xsp::match {
namespace {

TEST(PointKernels, EstimatesNativeKernelsFromTheShapesOfTheirOperator) {
  TestExperiment experiment;
  Recording kernel, details;
  for (std::int64_t i = 0; i < 3; ++i) {
    const std::int64_t at = i * 1000;
    const auto call = kernel.Call(i, at, 500);
    const auto outer = kernel.Layer(call, "aten::block", at + 10, 100);
    // The second of two operators of one type inside one layer.
    kernel.Layer(outer, "aten::relu_", at + 11, 5);
    const auto second = kernel.Layer(outer, "aten::relu_", at + 20, 20);
    kernel.Kernel(second, "aten::relu_", at + 21, 15, "native");
    const auto deep = details.Call(i, at, 500);
    const auto shaped = details.Layer(deep, "aten::block", at + 10, 100);
    details.Attribute(shaped, "input_shapes", "[[4,8]]");
    for (const char* shapes : {"[[2,3]]", "[[4,8]]"}) {
      const auto relu = details.Layer(shaped, "aten::relu_", at + (shapes[2] == '2' ? 11 : 20), 5);
      details.Attribute(relu, "input_shapes", shapes);
      details.Attribute(relu, "input_types", "[float32]");
      details.Attribute(relu, "output_shapes", shapes);
    }
  }
  experiment.AddRun("kernel", kernel);
  experiment.AddRun("details", details);
  const ExperimentTables tables = experiment.Match();
  ASSERT_EQ(tables.kernel.size(), 1u);
  EXPECT_EQ(tables.kernel.at(0).flops, 32);
  EXPECT_EQ(tables.kernel.at(0).read_bytes, 128);
  EXPECT_EQ(tables.kernel.at(0).write_bytes, 128);
  EXPECT_EQ(tables.kernel.at(0).dtype, "float32");
  EXPECT_EQ(tables.kernel.at(0).flops_provenance, "analytic");
  EXPECT_EQ(tables.kernel.at(0).matched, "single");
}

// The nodes of a loop come in another order in each run, so that few of their layers match.
TEST(PointKernels, NodesOfLayersThatDoNotMatchAreFoundByTheirName) {
  TestExperiment experiment;
  Recording kernel, details;
  const auto node = [](Recording& run, trace::SpanId call, std::string_view name, std::int64_t at,
                       const std::string& shape) {
    const auto layer = run.Layer(call, "AddV2", at, 20, name);
    run.Attribute(layer, "input_shapes", "[" + shape + "," + shape + "]");
    run.Attribute(layer, "input_types", "[float32,float32]");
    run.Attribute(layer, "output_shapes", "[" + shape + "]");
  };
  for (std::int64_t i = 0; i < 3; ++i) {
    const std::int64_t at = i * 1000;
    const auto call = kernel.Call(i, at, 500);
    for (const auto& [name, after] : {std::pair("while/c", 10), {"while/a", 60}, {"while/b", 110}})
      kernel.Kernel(kernel.Layer(call, "AddV2", at + after, 20, name), "AddV2", at + after + 1, 15,
                    "native");
    const auto deep = details.Call(i, at, 500);
    node(details, deep, "while/a", at + 10, "[2,3]");
    // Of two shapes: nothing tells which one it had.
    node(details, deep, "while/b", at + 60, "[4,3]");
    node(details, deep, "while/b", at + 110, "[5,3]");
    node(details, deep, "while/c", at + 160, "[7,3]");
  }
  experiment.AddRun("kernel", kernel);
  experiment.AddRun("details", details);
  const ExperimentTables tables = experiment.Match();
  ASSERT_EQ(tables.kernel.size(), 3u);
  EXPECT_EQ(tables.kernel.at(0).flops, 21);
  EXPECT_EQ(tables.kernel.at(1).flops, 6);
}

// Attention as PyTorch runs it on a CPU: products of blocks on several threads, some of which are
// not seen, and the softmax in a loop of its own.
TEST(PointKernels, AFusedOperatorCountsWhatItsShapesSayOnce) {
  TestExperiment experiment;
  Recording kernel, details;
  const std::string type = "aten::_scaled_dot_product_flash_attention_for_cpu";
  for (std::int64_t i = 0; i < 3; ++i) {
    const std::int64_t at = i * 1000;
    const auto outer =
        kernel.Layer(kernel.Call(i, at, 500), "aten::scaled_dot_product_attention", at + 10, 100);
    const auto fused = kernel.Layer(outer, type, at + 11, 90);
    const auto product = kernel.Kernel(fused, "gemm mkl:SGEMM", at + 20, 10);
    kernel.Metric(product, "flops.float32.vector", 120);
    kernel.Metric(product, "algorithmic_read_bytes", 1000);
    kernel.Kernel(fused, type, at + 12, 80, "native");
    const auto shaped =
        details.Layer(details.Call(i, at, 500), "aten::scaled_dot_product_attention", at + 10, 100);
    for (const auto span : {shaped, details.Layer(shaped, type, at + 11, 90)}) {
      details.Attribute(span, "input_shapes", "[[1,2,3,4],[1,2,5,4],[1,2,5,4]]");
      details.Attribute(span, "input_types", "[float32,float32,float32]");
      details.Attribute(span, "output_shapes", "[[1,2,3,4]]");
    }
  }
  experiment.AddRun("kernel", kernel);
  experiment.AddRun("details", details);
  const ExperimentTables tables = experiment.Match();
  ASSERT_EQ(tables.kernel.size(), 2u);
  EXPECT_EQ(tables.layer.at(0).flops, 480 + 5 * 30);
  EXPECT_EQ(tables.kernel.at(0).flops, 630 - 120);
  EXPECT_EQ(tables.kernel.at(0).read_bytes, 0);
  EXPECT_EQ(tables.kernel.at(0).write_bytes, 96);
}

TEST(PointKernels, APrimitiveAnnouncedWithoutSizesTakesThoseOfItsOperator) {
  TestExperiment experiment;
  Recording kernel, details;
  for (std::int64_t i = 0; i < 3; ++i) {
    const std::int64_t at = i * 1000;
    const auto outer = kernel.Layer(kernel.Call(i, at, 500), "aten::matmul", at + 10, 100);
    const auto inner = kernel.Layer(outer, "aten::bmm", at + 20, 50);
    kernel.Kernel(inner, "gemm_batch mkl:SGEMM_BATCH", at + 21, 40);
    const auto shaped = details.Layer(details.Call(i, at, 500), "aten::matmul", at + 10, 100);
    for (const auto& [span, shapes] :
         {std::pair{shaped, "[[1,4,2,3],[4,3,5]]"},
          std::pair{details.Layer(shaped, "aten::bmm", at + 20, 50), "[[4,2,3],[4,3,5]]"}}) {
      details.Attribute(span, "input_shapes", shapes);
      details.Attribute(span, "input_types", "[float32,float32]");
    }
  }
  experiment.AddRun("kernel", kernel);
  experiment.AddRun("details", details);
  const ExperimentTables tables = experiment.Match();
  ASSERT_EQ(tables.kernel.size(), 1u);
  EXPECT_EQ(tables.kernel.at(0).flops, 240);
  EXPECT_EQ(tables.kernel.at(0).read_bytes, 4 * 84);
  EXPECT_EQ(tables.layer.at(0).flops, 240);
  EXPECT_EQ(tables.layer.at(0).flops_provenance, "analytic");
}

TEST(UnionNs, CountsOverlapOnce) {
  std::mt19937 random(11);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::pair<std::int64_t, std::int64_t>> intervals;
    std::vector<bool> covered(120, false);
    for (unsigned i = random() % 8; i > 0; --i) {
      const std::int64_t start = random() % 100, duration = random() % 20;
      intervals.emplace_back(start, duration);
      for (std::int64_t t = start; t < start + duration; ++t) {
        covered[static_cast<std::size_t>(t)] = true;
      }
    }
    EXPECT_EQ(UnionNs(intervals), std::count(covered.begin(), covered.end(), true));
  }
}

/// Random kernels in random layers: per call, sums of the rows are the sums of the spans.
TEST(PointKernels, AddsUpTheKernelsOfEachLayer) {
  std::mt19937 random(12);
  for (int round = 0; round < 8; ++round) {
    TestExperiment experiment;
    Recording kernel;
    const unsigned layers = 1 + random() % 5;
    std::vector<unsigned> kernels(layers);
    for (unsigned& count : kernels) count = random() % 4;
    kernels[random() % layers] = 3;  // Without any kernel their time would not be known.
    std::vector<double> time(layers, 0), flops(layers, 0);
    std::int64_t now = 0;
    const std::int64_t length = 1 + random() % 50;  // The same in each call: means are exact.
    for (int call = 0; call < 7; ++call) {
      const auto root = kernel.Call(call, now, 100000);
      for (unsigned layer = 0; layer < layers; ++layer) {
        const auto span = kernel.Layer(root, "op" + std::to_string(layer), now, 1000);
        for (unsigned k = 0; k < kernels[layer]; ++k) {
          const std::int64_t duration = length * (k + 1);
          const auto id = kernel.Kernel(span, "k" + std::to_string(k % 2), now + 200 * k, duration);
          kernel.Metric(id, "flops.float32.vector", 100.0 * (k + 1));
          if (call == 0) {
            time[layer] += static_cast<double>(duration);
            flops[layer] += 100.0 * (k + 1);
          }
        }
        now += 1000;
      }
      now += 100000;
    }
    experiment.AddRun("kernel", kernel);
    const ExperimentTables tables = experiment.Match();
    ASSERT_EQ(tables.layer.size(), layers);
    for (unsigned layer = 0; layer < layers; ++layer) {
      EXPECT_DOUBLE_EQ(tables.layer.at(layer).kernel_ns.value(), time[layer]);
      if (kernels[layer] > 0) {
        EXPECT_DOUBLE_EQ(tables.layer.at(layer).flops.value(), flops[layer]);
      } else {
        EXPECT_EQ(tables.layer.at(layer).flops, std::nullopt);
      }
    }
  }
}

}  // namespace
}  // namespace xsp::match
