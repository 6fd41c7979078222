#include "answer/suite/kernels/rules.h"

#include <gmock/gmock.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "core/hang_limit_testing.h"

namespace xsp::suite::kernels {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kSmall = R"(kinds: {mm: Products, copy: Copies}
libraries:
  - library: cuBLAS
    match: [volta_]
    examples: [volta_sgemm_128x64_nn]
rules:
  - class: MM_{m}x{n}
    kind: mm
    library: cuBLAS
    match: "gemm_{m}x{n}"
    examples: {volta_sgemm_128x64_nn: MM_128x64}
  - class: Copy
    kind: copy
    type: [memcpy]
    match: [copy, cpy]
    unless: [peer]
    examples: [Memcpy HtoD]
)";

std::string Why(const std::string& text) {
  const auto book = RuleBook::Parse(text, "mine.yaml");
  return book.ok() ? std::string("fine") : book.error().what;
}

std::string WithRules(const std::string& rules) {
  return "kinds: {mm: Products}\nrules:\n" + rules;
}

TEST(RuleBookTest, FirstRuleThatFitsNamesClassKindAndLibrary) {
  const auto book = RuleBook::Parse(kSmall, "mine.yaml");
  ASSERT_TRUE(book.ok()) << book.error().what;
  const Classified product = book.value().Classify("volta_dgemm_64x32_nt", "kernel");
  EXPECT_EQ(product.kernel_class, "MM_64x32");
  EXPECT_EQ(product.kind, "mm");
  EXPECT_EQ(product.library, "cuBLAS");
  EXPECT_EQ(book.value().Classify("hopper_dgemm_64x32_nt", "kernel").kernel_class, "");
  EXPECT_EQ(book.value().Classify("Memcpy DtoD", "memcpy").kernel_class, "Copy");
  EXPECT_EQ(book.value().Classify("Memcpy DtoD", "kernel").kernel_class, "");
  EXPECT_EQ(book.value().Classify("Memcpy DtoD", "").kernel_class, "Copy");
  EXPECT_EQ(book.value().Classify("peer copy", "memcpy").kernel_class, "");
}

TEST(RuleBookTest, RuleThatCanNeverMatchIsNamedWithTheOneThatTakesItsExamples) {
  EXPECT_THAT(Why(WithRules("  - {class: A, kind: mm, match: gemm, examples: [sgemm]}\n"
                            "  - {class: B, kind: mm, match: sgemm, examples: [sgemm_nn]}\n")),
              AllOf(HasSubstr("mine.yaml:4: the rule of class B never matches"),
                    HasSubstr("line 3 matches the example first (class A): sgemm_nn")));
  EXPECT_THAT(Why(WithRules("  - {class: A, kind: mm, match: gemm, examples: [sgemm]}\n"
                            "  - {class: B, kind: mm, match: nn, examples: [nn,\n sgemm_nn]}\n")),
              AllOf(HasSubstr("mine.yaml:5: the rule of line 3 matches the example first"),
                    Not(HasSubstr("never"))));
}

TEST(RuleBookTest, ExamplesHoldTheirRule) {
  EXPECT_THAT(Why(WithRules("  - class: A\n    kind: mm\n    match: gemm\n    examples:\n"
                            "      - sgemv\n")),
              HasSubstr("mine.yaml:7: the example does not fit its own rule"));
  EXPECT_THAT(
      Why(WithRules("  - {class: \"A_{m}\", kind: mm, match: \"g{m}\", examples: {g8: A_9}}\n")),
      HasSubstr("mine.yaml:3: the example gets class A_8, not A_9: g8"));
  EXPECT_THAT(Why(WithRules("  - {class: A, kind: mm, match: gemm}\n")),
              HasSubstr("mine.yaml:3: the rule has no examples"));
}

TEST(RuleBookTest, BrokenFilesSayFileAndLine) {
  EXPECT_THAT(Why("rules: [\n  {class: A"), HasSubstr("mine.yaml:"));
  EXPECT_THAT(Why("just text"), HasSubstr("mine.yaml:1: it is not a map"));
  EXPECT_THAT(Why("kinds: {mm: x}\nrule:\n"), HasSubstr("mine.yaml:2: unknown key rule"));
  EXPECT_THAT(Why("kinds: {mm: x}\n"), HasSubstr("it has no rules"));
  const auto only = RuleBook::Parse("extends: kernel_classes\n", "mine.yaml");
  ASSERT_FALSE(only.ok());
  EXPECT_EQ(only.error().what,
            "mine.yaml:1: it extends kernel_classes and has no rules of its own");
  EXPECT_THAT(only.error().hint, HasSubstr("--rules kernel_classes"));
  EXPECT_THAT(Why(WithRules("  - {class: A, kind: mm, mach: gemm, examples: [a]}\n")),
              HasSubstr("mine.yaml:3: unknown key mach"));
  EXPECT_THAT(Why(WithRules("  - {class: A, kind: mm, match: \"g{m\", examples: [a]}\n")),
              HasSubstr("mine.yaml:3: a { of the pattern is not closed"));
  EXPECT_THAT(Why(WithRules("  - {class: A, kind: nm, match: g, examples: [g]}\n")),
              HasSubstr("mine.yaml:3: kind nm"));
  EXPECT_THAT(Why(WithRules("  - {class: A, kind: mm, library: Blas, match: g, examples: [g]}\n")),
              HasSubstr("mine.yaml:3: no such library"));
  EXPECT_THAT(Why(WithRules("  - {class: \"A_{m}\", kind: mm, match: g, examples: [g]}\n")),
              HasSubstr("mine.yaml:3: class A_{m} needs {m}"));
  EXPECT_THAT(Why(WithRules("  - {class: A, match: g, examples: [g]}\n")), HasSubstr("no kind"));
  EXPECT_THAT(Why(WithRules("  - {kind: mm, match: g, examples: [g]}\n")), HasSubstr("no class"));
  EXPECT_THAT(Why(WithRules("  - {class: A, kind: mm, examples: [g]}\n")), HasSubstr("no match"));
  EXPECT_THAT(Why(WithRules("  - {class: A, kind: mm, type: [kernle], match: g, examples: [g]}\n")),
              HasSubstr("mine.yaml:3: unknown type kernle (known: kernel, memcpy"));
  EXPECT_THAT(Why("kinds: {mm: x}\nlibraries:\n"
                  "  - {library: L, type: kern, match: g, examples: [g]}\nrules: []\n"),
              HasSubstr("mine.yaml:3: unknown type kern"));
  EXPECT_THAT(Why(WithRules("  - word\n")), HasSubstr("mine.yaml:3: a rule is a map"));
}

TEST(RuleBookTest, UnknownFileNamesThoseThatShip) {
  const auto book = RuleBook::Load("no-such-rules");
  ASSERT_FALSE(book.ok());
  EXPECT_THAT(book.error().hint, HasSubstr("kernel_classes"));
}

TEST(RuleBookTest, OwnRulesComeBeforeTheExtendedOnes) {
  const auto book = RuleBook::Parse(
      "extends: kernel_classes\nrules:\n"
      "  - {class: mine, kind: matrix_product, match: sgemm, examples: [volta_sgemm_128x64_nn]}\n",
      "mine.yaml");
  ASSERT_TRUE(book.ok()) << book.error().what;
  EXPECT_EQ(book.value().Classify("volta_sgemm_128x64_nn", "kernel").kernel_class, "mine");
  EXPECT_EQ(book.value().Classify("volta_dgemm_128x64_nn", "kernel").kernel_class, "MM_128x64");
  EXPECT_THAT(
      Why("extends: mine.yaml\nrules:\n  - {class: A, kind: mm, match: g, examples: [g]}\n"),
      HasSubstr("no such rule file"));
}

TEST(RuleBookTest, ExtendedFileIsLookedForBesideTheOneThatExtendsIt) {
  const auto folder = std::filesystem::path(::testing::TempDir()) / "rules_beside";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "base.yaml")
      << WithRules("  - {class: Base, kind: mm, match: base, examples: [base]}\n");
  std::ofstream(folder / "own.yaml") << "extends: base.yaml\nrules:\n"
                                        "  - {class: Own, kind: mm, match: own, examples: [own]}\n";
  std::ofstream(folder / "round.yaml")
      << "extends: ../rules_beside/round.yaml\nrules:\n"
         "  - {class: Own, kind: mm, match: own, examples: [own]}\n";
  const auto book = RuleBook::Load((folder / "own.yaml").string());
  ASSERT_TRUE(book.ok()) << book.error().what;
  EXPECT_EQ(book.value().Classify("base", "kernel").kernel_class, "Base");
  EXPECT_EQ(book.value().Classify("own", "kernel").kernel_class, "Own");
  const auto round = RuleBook::Load((folder / "round.yaml").string());
  ASSERT_FALSE(round.ok());
  EXPECT_THAT(round.error().what, HasSubstr("it extends itself"));
}

TEST(RuleBookTest, PartThatStandsTwiceInAClassIsReplacedTwice) {
  const auto book = RuleBook::Parse(
      WithRules("  - {class: \"T_{m}_{m}\", kind: mm, match: \"t{m}\", examples: {t8: T_8_8}}\n"),
      "mine.yaml");
  ASSERT_TRUE(book.ok()) << book.error().what;
  EXPECT_EQ(book.value().Classify("t16", "kernel").kernel_class, "T_16_16");
}

TEST(ShippedRulesTest, HoldTogetherAndTheirExamplesGetTheirClasses) {
  for (const std::string& name : ShippedRules()) {
    const auto book = RuleBook::Load(name);
    ASSERT_TRUE(book.ok()) << book.error().what;
    EXPECT_FALSE(book.value().rules().empty());
  }
  EXPECT_THAT(ShippedRules(), ::testing::Contains("kernel_classes"));
}

TEST(ShippedRulesTest, EveryKindIsUsed) {
  const auto book = RuleBook::Load("kernel_classes");
  ASSERT_TRUE(book.ok()) << book.error().what;
  for (const Kind& kind : book.value().kinds())
    EXPECT_TRUE(std::ranges::any_of(book.value().rules(), [&](const Rule& rule) {
      return rule.kind == kind.name;
    })) << kind.name;
}

TEST(ShippedRulesTest, TypesOfArgumentsTellNoLibrary) {
  const auto book = RuleBook::Load("kernel_classes");
  ASSERT_TRUE(book.ok()) << book.error().what;
  EXPECT_EQ(book.value().Classify("void apex::scale<c10::Half>(c10::Half*)", "kernel").library, "");
  EXPECT_EQ(book.value().Classify("void vllm::rms_norm_kernel<c10::Half>(int)", "kernel").library,
            "vLLM");
  EXPECT_EQ(book.value()
                .Classify("void at::native::elementwise_kernel<512, 1, c10::Half>(int)", "kernel")
                .library,
            "ATen");
}

TEST(ShippedRulesTest, NamesThatHoldTheNameOfAnotherKindAreOfTheirOwn) {
  const auto book = RuleBook::Load("kernel_classes");
  ASSERT_TRUE(book.ok()) << book.error().what;
  const auto kind = [&](const char* name, const char* type) {
    return book.value().Classify(name, type).kind;
  };
  EXPECT_EQ(kind("void DSE::regular_fft_clip<1, 2, 128>(int)", "kernel"), "convolution");
  EXPECT_EQ(kind("void regular_fft<256u, 8u>(int)", "kernel"), "transform");
  EXPECT_EQ(kind("void gptq_marlin::Marlin<__half>(int)", "kernel"), "matrix_product");
  EXPECT_EQ(kind("gptq_marlin_repack_kernel", "kernel"), "layout");
  EXPECT_EQ(kind("void hadamard_transform_kernel<float>(int)", "kernel"), "transform");
  EXPECT_EQ(kind("aten::upsample_bilinear2d", "native"), "resampling");
  EXPECT_EQ(kind("aten::bilinear", "native"), "matrix_product");
  EXPECT_EQ(kind("quantized::add_relu", "native"), "pointwise");
  EXPECT_EQ(kind("quantized::linear_prepack", "native"), "quantisation");
  EXPECT_EQ(book.value().Classify("Reduce", "native").kernel_class, "Reduce");
  EXPECT_EQ(book.value().Classify("reduce", "kernel").kernel_class, "reduce_xla");
}

TEST(ShippedRulesTest, AHundredThousandNamesTakeSeconds) {
  const auto book = RuleBook::Load("kernel_classes");
  ASSERT_TRUE(book.ok()) << book.error().what;
  const std::string tail(300, 'z');  // The length of an ATen name, and no rule's business.
  std::size_t classed = 0;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 100000; ++i) {
    const std::string name = (i % 2 == 0 ? "volta_sgemm_128x64_nn_v" : "unheard_of_name_") +
                             std::to_string(i) + (i % 2 == 0 ? "" : tail);
    classed += book.value().Classify(name, "kernel").kernel_class.empty() ? 0 : 1;
  }
  EXPECT_EQ(classed, 50000U);
  // A sanitizer makes it some ten times slower.
  EXPECT_LT(std::chrono::steady_clock::now() - start, core::kHangLimit);
}

}  // namespace
}  // namespace xsp::suite::kernels
