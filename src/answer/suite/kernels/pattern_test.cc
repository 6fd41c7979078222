#include "answer/suite/kernels/pattern.h"

#include <gmock/gmock.h>

#include <chrono>
#include <random>

#include "core/hang_limit_testing.h"

namespace xsp::suite::kernels {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

bool Fits(std::string_view pattern, std::string_view name) {
  const auto parsed = NamePattern::Parse(pattern);
  EXPECT_TRUE(parsed.ok()) << (parsed.ok() ? "" : parsed.error().what);
  return parsed.ok() && parsed.value().Matches(KernelName(name));
}

Captures Named(std::string_view pattern, std::string_view name) {
  Captures captures;
  EXPECT_TRUE(NamePattern::Parse(pattern).value().Matches(KernelName(name), &captures));
  return captures;
}

TEST(NamePatternTest, TextIsFoundAnywhereInEitherCase) {
  EXPECT_TRUE(Fits("softmax", "cunn_SoftMaxForward<2>"));
  EXPECT_TRUE(Fits("SoftMax", "softmax_warp_forward"));
  EXPECT_FALSE(Fits("softmax", "soft_max"));
  EXPECT_FALSE(Fits("softmax", ""));
}

TEST(NamePatternTest, StarsJoinPartsInTheirOrder) {
  EXPECT_TRUE(Fits("volta*gemm*nn", "volta_sgemm_128x64_nn"));
  EXPECT_TRUE(Fits("a*b", "ab"));
  EXPECT_FALSE(Fits("gemm*volta", "volta_sgemm_128x64_nn"));
  EXPECT_FALSE(Fits("ab*bc", "abc"));
}

TEST(NamePatternTest, AnchorsHoldTheEnds) {
  EXPECT_TRUE(Fits("^fusion", "fusion_12"));
  EXPECT_FALSE(Fits("^fusion", "loop_fusion"));
  EXPECT_TRUE(Fits("_nn$", "sgemm_nn_x_nn"));
  EXPECT_FALSE(Fits("_nn$", "sgemm_nn_v1"));
  EXPECT_TRUE(Fits("^fusion_#$", "fusion_12"));
  EXPECT_FALSE(Fits("^fusion_#$", "fusion_12b"));
  EXPECT_TRUE(Fits("^*fusion", "loop_fusion"));
}

TEST(NamePatternTest, NumbersAndWordsAreNamed) {
  EXPECT_THAT(Named("gemm*_{m}x{n}", "volta_s884gemm_fp16_256x128_ldg8"),
              ElementsAre(Pair("m", "256"), Pair("n", "128")));
  EXPECT_THAT(Named("<Tensor{op:word}Op<", "kernelPointwiseApply2<TensorTakeOp<float>>"),
              ElementsAre(Pair("op", "Take")));
  EXPECT_THAT(Named("::{op:word}_kernel_cuda", "void at::native::neg_kernel_cuda(int)"),
              ElementsAre(Pair("op", "neg")));
}

TEST(NamePatternTest, AWordThatNothingFollowsIsWhole) {
  EXPECT_THAT(Named("memcpy {d:word}", "[CUDA memcpy HtoD]"), ElementsAre(Pair("d", "HtoD")));
}

TEST(NamePatternTest, APlaceThatFailsLeavesNoCaptures) {
  EXPECT_THAT(Named("{m}x{n}_k", "8x9_128x64_k"), ElementsAre(Pair("m", "128"), Pair("n", "64")));
  Captures captures;
  EXPECT_FALSE(NamePattern::Parse("{m}x{n}*end$").value().Matches(KernelName("8x9 en"), &captures));
  EXPECT_THAT(captures, IsEmpty());
}

TEST(NamePatternTest, OneCharacterAndEscapes) {
  EXPECT_TRUE(Fits("_?gemm_", "volta_sgemm_128"));
  EXPECT_FALSE(Fits("_?gemm_", "volta_gemm_128"));
  EXPECT_TRUE(Fits("\\{lambda()\\#1", "f::{lambda()#1}"));
  EXPECT_TRUE(Fits("float\\*", "f(float*)"));
  EXPECT_FALSE(Fits("float\\*", "f(float)"));
  EXPECT_FALSE(Fits("x?", "x"));
  EXPECT_TRUE(Fits("*", ""));
}

TEST(NamePatternTest, BrokenPatternsSayWhy) {
  const auto why = [](std::string_view text) {
    const auto parsed = NamePattern::Parse(text);
    return parsed.ok() ? std::string("fine") : parsed.error().what;
  };
  EXPECT_THAT(why(""), HasSubstr("fits every name"));
  EXPECT_THAT(why("*#*"), HasSubstr("fits every name"));
  EXPECT_THAT(why("gemm_{m"), HasSubstr("not closed"));
  EXPECT_THAT(why("gemm_{}"), HasSubstr("without a name"));
  EXPECT_THAT(why("gemm_{m:float}"), HasSubstr("unknown kind {m:float}"));
  EXPECT_THAT(why("{m}x{m}"), HasSubstr("{m} twice"));
  EXPECT_THAT(why("gemm\\"), HasSubstr("lone"));
}

/// The slow way: all splits are tried. Wildcards "*" and "?" only.
bool SlowFits(std::string_view pattern, std::string_view name) {
  if (pattern.empty()) return true;
  if (pattern.front() == '*')
    return SlowFits(pattern.substr(1), name) ||
           (!name.empty() && SlowFits(pattern, name.substr(1)));
  return !name.empty() && (pattern.front() == '?' || pattern.front() == name.front()) &&
         SlowFits(pattern.substr(1), name.substr(1));
}

TEST(NamePatternTest, AgreesWithTryingEverySplitOnRandomInput) {
  std::mt19937 random(7);
  const auto text = [&](std::string_view letters, int most) {
    std::string made;
    for (int i = static_cast<int>(random() % static_cast<unsigned>(most)); i >= 0; --i)
      made += letters[random() % letters.size()];
    return made;
  };
  int fitting = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::string pattern = text("ab*?", 6);
    const auto parsed = NamePattern::Parse(pattern);
    if (!parsed.ok()) continue;
    const std::string name = text("ab", 9);
    const bool expected = SlowFits("*" + pattern, name);
    EXPECT_EQ(parsed.value().Matches(KernelName(name)), expected) << pattern << " on " << name;
    fitting += expected ? 1 : 0;
  }
  EXPECT_GT(fitting, 1000);
}

TEST(NamePatternTest, NamesMadeToBeHardTakeNoLonger) {
  const KernelName name(std::string(20000, 'a'));
  const auto pattern = NamePattern::Parse("a*a*a*a*a*a*a*a*{w:word}b").value();
  const auto start = std::chrono::steady_clock::now();
  EXPECT_FALSE(pattern.Matches(name));
  EXPECT_LT(std::chrono::steady_clock::now() - start, core::kHangLimit);
}

}  // namespace
}  // namespace xsp::suite::kernels
