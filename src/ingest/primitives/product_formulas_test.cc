#include "ingest/primitives/product_formulas.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "ingest/primitives/operators.h"

namespace xsp::primitives {
namespace {

std::string Types(std::string_view shapes) {
  const auto lists = std::count(shapes.begin(), shapes.end(), '[') - 1;
  std::string types = "[float32";
  for (std::ptrdiff_t i = 1; i < lists; ++i) types += ",float32";
  return types + "]";
}

double FlopsOf(std::string_view type, std::string_view shapes) {
  const Cost cost = EstimateOperator(type, shapes, Types(shapes), "");
  EXPECT_EQ(cost.status, CostStatus::kKnown) << type << " " << shapes;
  return cost.flops;
}

struct Counted {
  std::string_view type, shapes;
  double products;   // As torch.utils.flop_counter counts.
  double additions;  // What it leaves out and XSP counts.
};

// FlopCounterMode of PyTorch 2.15.0 (torch/utils/flop_counter.py: mm_flop, bmm_flop,
// sdpa_flop_count, sdpa_backward_flop_count).
TEST(ProductFormulas, ProductsCountAsPyTorchsFlopCounter) {
  const Counted table[] = {
      {"aten::mm", "[[2,3],[3,5]]", 60, 0},
      {"aten::bmm", "[[4,2,3],[4,3,5]]", 240, 0},
      {"aten::addmm", "[[5],[2,3],[3,5]]", 60, 10},
      {"aten::baddbmm", "[[2,5],[4,2,3],[4,3,5]]", 240, 40},
      {"aten::matmul", "[[2,4,8,16],[4,16,5]]", 10240, 0},
      {"aten::matmul", "[[3,1,8,16],[4,16,5]]", 15360, 0},
      {"aten::matmul", "[[7],[2,7,5]]", 140, 0},
      {"aten::matmul", "[[2,3,6,7],[7,5]]", 2520, 0},
      {"aten::inner", "[[2,3,7],[4,5,7]]", 1680, 0},
      {"aten::linear", "[[2,6,7],[5,7],[5]]", 840, 0},
  };
  for (const Counted& row : table)
    EXPECT_DOUBLE_EQ(FlopsOf(row.type, row.shapes), row.products + row.additions) << row.shapes;
}

// flop_counter knows none of these: they are its 2 m n k with a side of 1.
TEST(ProductFormulas, VectorsCountAsMatricesWithASideOfOne) {
  EXPECT_EQ(FlopsOf("aten::dot", "[[7],[7]]"), 14);
  EXPECT_EQ(FlopsOf("aten::matmul", "[[7],[7]]"), 14);
  EXPECT_EQ(FlopsOf("aten::mv", "[[6,7],[7]]"), 84);
  EXPECT_EQ(FlopsOf("aten::matmul", "[[2,3,6,7],[7]]"), 504);
  EXPECT_EQ(FlopsOf("aten::addmv", "[[6],[6,7],[7]]"), 84 + 6);
  EXPECT_EQ(FlopsOf("aten::addbmm", "[[2,5],[4,2,3],[4,3,5]]"), 240 + 10);
  EXPECT_EQ(FlopsOf("aten::linear", "[[2,6,7],[7]]"), 168);
}

// The softmax is 5 a score, its gradient 6: docs/primitives.md. Shared heads (the second row) and
// other widths of the values (the third); a causal mask is not in the shapes and saves nothing.
TEST(ProductFormulas, AttentionCountsBothProductsAsPyTorchsFlopCounter) {
  struct Row {
    std::string_view query, key_and_value, gradient;
    double forward, backward, scores;
  };
  const Row table[] = {
      {"[1,2,3,4]", "[1,2,5,4],[1,2,5,4]", "[1,2,3,4]", 480, 1200, 30},
      {"[2,6,9,8]", "[2,2,9,8],[2,2,9,8]", "[2,6,9,8]", 31104, 77760, 972},
      {"[1,2,3,4]", "[1,2,5,4],[1,2,5,6]", "[1,2,3,6]", 600, 1440, 30},
  };
  for (const Row& row : table) {
    const std::string inputs = std::string(row.query) + "," + std::string(row.key_and_value) + "]";
    for (const std::string_view type :
         {"aten::scaled_dot_product_attention", "aten::_scaled_dot_product_flash_attention_for_cpu",
          "aten::_scaled_dot_product_flash_attention",
          "aten::_scaled_dot_product_efficient_attention",
          "aten::_scaled_dot_product_cudnn_attention"}) {
      EXPECT_EQ(FlopsOf(type, "[" + inputs), row.forward + 5 * row.scores) << type;
      if (type == "aten::scaled_dot_product_attention") continue;
      EXPECT_EQ(
          FlopsOf(std::string(type) + "_backward", "[" + std::string(row.gradient) + "," + inputs),
          row.backward + 6 * row.scores)
          << type;
    }
  }
}

TEST(ProductFormulas, SequencesBeforeHeadsCountTheSame) {
  EXPECT_EQ(FlopsOf("aten::_flash_attention_forward", "[[2,9,6,8],[2,7,2,8],[2,7,2,8]]"),
            FlopsOf("aten::scaled_dot_product_attention", "[[2,6,9,8],[2,2,7,8],[2,2,7,8]]"));
  EXPECT_EQ(FlopsOf("aten::_flash_attention_backward", "[[2,9,6,8],[2,9,6,8],[2,7,2,8],[2,7,2,8]]"),
            FlopsOf("aten::_scaled_dot_product_flash_attention_backward",
                    "[[2,6,9,8],[2,6,9,8],[2,2,7,8],[2,2,7,8]]"));
  // Packed sequences: their lengths are values, not shapes.
  EXPECT_EQ(EstimateOperator("aten::_flash_attention_forward", "[[9,6,8],[7,2,8],[7,2,8]]",
                             "[float32,float32,float32]", "")
                .status,
            CostStatus::kTrafficOnly);
}

TEST(ProductFormulas, ShapesThatDoNotFitAreNotCounted) {
  for (const std::string_view shapes :
       {"[[2,3],[4,5]]", "[[2,2,3],[3,3,5]]", "[[2,3]]", "[[3],[4]]"})
    EXPECT_EQ(EstimateOperator("aten::matmul", shapes, Types(shapes), "").status,
              CostStatus::kTrafficOnly)
        << shapes;
}

TEST(ProductFormulas, ResultsThatATraceLacksAreWritten) {
  EXPECT_EQ(EstimateOperator("aten::mm", "[[2,3],[3,5]]", "[float32,float32]", "").write_bytes, 40);
  EXPECT_EQ(EstimateOperator("aten::linear", "[[9,3],[5,3]]", "[float32,float32]", "").write_bytes,
            180);
  EXPECT_EQ(EstimateOperator("aten::scaled_dot_product_attention",
                             "[[1,2,3,4],[1,2,5,4],[1,2,5,6]]", "[float32,float32,float32]", "")
                .write_bytes,
            4 * 36);
}

TEST(ProductFormulas, BroadcastBatchesAreCountedOneByOne) {
  std::mt19937 random(3);
  const auto draw = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  for (int round = 0; round < 500; ++round) {
    const int m = draw(1, 4), k = draw(1, 4), n = draw(1, 4), batch_rank = draw(0, 3);
    const int lacking = draw(0, batch_rank);  // Batch dimensions that a lacks.
    Dims a, b;
    int matrices = 1;
    for (int i = 0; i < batch_rank; ++i) {
      const int size = draw(1, 3);
      const bool in_a = i >= lacking && draw(0, 2) > 0;
      if (i >= lacking) a.push_back(in_a ? size : 1);
      b.push_back(in_a && draw(0, 2) == 0 ? 1 : size);
      matrices *= size;
    }
    for (const int size : {m, k}) a.push_back(size);
    for (const int size : {k, n}) b.push_back(size);
    double flops = 0;
    for (int matrix = 0; matrix < matrices; ++matrix)
      for (int row = 0; row < m; ++row)
        for (int column = 0; column < n; ++column)
          for (int i = 0; i < k; ++i) flops += 2;
    const auto product = Multiply(a, b);
    ASSERT_TRUE(product.has_value());
    EXPECT_EQ(product->Flops(), flops);
    EXPECT_EQ(product->output.size(), b.size());
  }
}

}  // namespace
}  // namespace xsp::primitives
