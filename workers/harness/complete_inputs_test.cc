#include "harness/complete_inputs.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace xsp::worker {
namespace {

constexpr std::int64_t kOpen = XSP_WORKER_UNKNOWN;

xsp_worker_input Known(const std::string& name, int dtype, const std::vector<std::int64_t>& shape,
                       const std::vector<std::string>& symbols = {}) {
  xsp_worker_input input = UnknownInput();
  name.copy(input.name, sizeof input.name - 1);
  input.dtype = dtype;
  input.rank = static_cast<int>(shape.size());
  for (std::size_t i = 0; i < shape.size(); ++i) input.shape[i] = shape[i];
  for (std::size_t i = 0; i < symbols.size(); ++i)
    symbols[i].copy(input.symbols[i], sizeof input.symbols[i] - 1);
  return input;
}

CompleteInputs Made(const std::vector<xsp_worker_input>& known,
                    const std::vector<GivenInput>& given = {}, int guess = 0) {
  CompleteInputs complete;
  constexpr std::int64_t kBatch = 4;
  const Status status = Complete(known, given, kBatch, guess, complete);
  EXPECT_TRUE(status.ok()) << status.error().what;
  return complete;
}

std::vector<std::int64_t> ShapeOf(const std::vector<std::int64_t>& shape,
                                  const std::vector<std::string>& symbols = {},
                                  int dtype = XSP_FLOAT32) {
  return Made({Known("x", dtype, shape, symbols)}).specs.at(0).shape;
}

using Shape = std::vector<std::int64_t>;

TEST(CompleteInputs, TheFirstOpenSizeIsTheBatchAndNoGuess) {
  const CompleteInputs complete = Made({Known("x", XSP_FLOAT32, {kOpen, 3, 32, 32})});
  EXPECT_EQ(complete.specs.at(0).shape, (Shape{4, 3, 32, 32}));
  EXPECT_EQ(complete.specs.at(0).batch_axes, (std::vector<std::size_t>{0}));
  EXPECT_TRUE(complete.guesses.empty());
}

TEST(CompleteInputs, SizesOfTheBatchsNameFollowIt) {
  const CompleteInputs complete =
      Made({Known("x", XSP_FLOAT32, {kOpen, 8}, {"n_items"}),
            Known("state", XSP_FLOAT32, {2, kOpen, 8}, {"", "n_items"})});
  EXPECT_EQ(complete.specs.at(1).shape, (Shape{2, 4, 8}));
  EXPECT_EQ(complete.specs.at(1).batch_axes, (std::vector<std::size_t>{1}));
  EXPECT_TRUE(complete.guesses.empty());
}

TEST(CompleteInputs, ImagesAreSquareAndLinesOfTextWide) {
  EXPECT_EQ(ShapeOf({kOpen, 3, kOpen, kOpen}), (Shape{4, 3, 224, 224}));
  EXPECT_EQ(ShapeOf({kOpen, kOpen, kOpen, kOpen}), (Shape{4, 3, 224, 224}));
  EXPECT_EQ(ShapeOf({kOpen, 3, 48, kOpen}), (Shape{4, 3, 48, 320}));
  EXPECT_EQ(ShapeOf({kOpen, 3, 640, kOpen}), (Shape{4, 3, 640, 640}));
  EXPECT_EQ(ShapeOf({kOpen, kOpen, kOpen, 3}), (Shape{4, 224, 224, 3}));
  EXPECT_EQ(ShapeOf({kOpen, 3, kOpen, kOpen, kOpen}), (Shape{4, 3, 16, 112, 112}));
}

TEST(CompleteInputs, SequencesAndSignalsHaveTheirLengths) {
  EXPECT_EQ(ShapeOf({kOpen, kOpen}, {}, XSP_INT64), (Shape{4, 128}));
  EXPECT_EQ(ShapeOf({kOpen, kOpen, 80}), (Shape{4, 128, 80}));
  EXPECT_EQ(ShapeOf({kOpen, 80, kOpen}), (Shape{4, 80, 1024}));
  EXPECT_EQ(ShapeOf({kOpen, 1, kOpen}), (Shape{4, 1, 16000}));
  EXPECT_EQ(ShapeOf({kOpen, kOpen, 16}, {"seq_len", "batch_size"}), (Shape{128, 4, 16}));
  EXPECT_EQ(ShapeOf({kOpen, kOpen, 16}, {"N", "n_tokens"}), (Shape{4, 128, 16}));
  EXPECT_EQ(ShapeOf({kOpen, kOpen, kOpen, 3}, {"", "h", "w"}), (Shape{4, 224, 224, 3}));
  EXPECT_EQ(Made({Known("audio", XSP_FLOAT32, {kOpen, kOpen})}).specs[0].shape, (Shape{4, 16000}));
}

TEST(CompleteInputs, AStatesBatchLiesInTheMiddle) {
  EXPECT_EQ(Made({Known("state", XSP_FLOAT32, {2, kOpen, 128})}).specs[0].shape,
            (Shape{2, 4, 128}));
  EXPECT_EQ(Made({Known("mel", XSP_FLOAT32, {1, kOpen, 80})}).specs[0].shape, (Shape{1, 128, 80}));
}

TEST(CompleteInputs, ANameWithoutLettersIsNone) {
  EXPECT_EQ(ShapeOf({kOpen, 3, kOpen, kOpen}, {"?", "", "?", "?"}), (Shape{4, 3, 224, 224}));
}

TEST(CompleteInputs, AModelThatRefusesAGuessGetsAnother) {
  const auto shape = [](const xsp_worker_input& input, int guess) {
    return Made({input}, {}, guess).specs.at(0).shape;
  };
  const auto image = Known("x", XSP_FLOAT32, {kOpen, 3, kOpen, kOpen});
  EXPECT_EQ(shape(image, 1), (Shape{4, 3, 48, 320}));
  EXPECT_EQ(shape(image, 2), (Shape{4, 3, 640, 640}));
  const auto ids = Known("ids", XSP_INT64, {kOpen, kOpen});
  EXPECT_EQ(shape(ids, 1), (Shape{4, 16}));
  const auto speech = Known("x", XSP_FLOAT32, {kOpen, kOpen});
  EXPECT_EQ(shape(speech, 1), (Shape{4, 512}));
  EXPECT_EQ(shape(speech, 2), (Shape{4, 16000}));
  // What is known stays.
  EXPECT_EQ(shape(Known("x", XSP_FLOAT32, {kOpen, 3, 32, 32}), 2), (Shape{4, 3, 32, 32}));
}

TEST(CompleteInputs, EqualNamesAreEqualSizesAndSumsAreSums) {
  const CompleteInputs complete = Made(
      {Known("past", XSP_FLOAT32, {kOpen, 12, kOpen, 64}, {"batch", "", "past_sequence"}),
       Known("input_ids", XSP_INT64, {kOpen, kOpen}, {"batch", "sequence"}),
       Known("attention_mask", XSP_INT64, {kOpen, kOpen}, {"batch", "past_sequence + sequence"})});
  EXPECT_EQ(complete.specs.at(0).shape, (Shape{4, 12, 1, 64}));
  EXPECT_EQ(complete.specs.at(1).shape, (Shape{4, 128}));
  EXPECT_EQ(complete.specs.at(2).shape, (Shape{4, 129}));
  EXPECT_EQ(complete.guesses.at(1), "input_ids: size 1 (sequence) = 128");
}

TEST(CompleteInputs, ValuesFollowFromNames) {
  const CompleteInputs complete =
      Made({Known("input_ids", XSP_INT64, {kOpen, 16}), Known("attention_mask", XSP_INT64, {4, 16}),
            Known("token_type_ids", XSP_INT64, {4, 16}), Known("position_ids", XSP_INT64, {4, 16}),
            Known("padding_mask", XSP_BOOL, {4, 16}), Known("sr", XSP_INT64, {}),
            Known("input_lengths", XSP_INT64, {4})});
  EXPECT_EQ(complete.specs.at(0).fill, Fill::kDefault);
  EXPECT_EQ(complete.specs.at(1).fill, Fill::kOnes);
  EXPECT_EQ(complete.specs.at(2).fill, Fill::kZeros);
  EXPECT_EQ(complete.specs.at(3).fill, Fill::kRange);
  EXPECT_EQ(complete.specs.at(4).fill, Fill::kZeros);
  EXPECT_EQ(complete.specs.at(5).value, 16000);
  EXPECT_EQ(complete.specs.at(6).value, 16);
  EXPECT_EQ(complete.guesses.at(0), "attention_mask: values 1");
}

TEST(CompleteInputs, WithoutRankOrTypeBothAreGuessedAndSaid) {
  xsp_worker_input ids = UnknownInput(), x = UnknownInput();
  std::string("inputIds").copy(ids.name, 63);
  std::string("x").copy(x.name, 63);
  const CompleteInputs complete = Made({ids, x});
  EXPECT_EQ(complete.specs.at(0).dtype, XSP_INT64);
  EXPECT_EQ(complete.specs.at(0).shape, (Shape{4, 128}));
  EXPECT_EQ(complete.specs.at(1).shape, (Shape{4, 3, 224, 224}));
  EXPECT_EQ(complete.guesses.at(0), "inputIds: type int64, rank 2, size 1 = 128");
}

TEST(CompleteInputs, WhatIsGivenComesFirst) {
  GivenInput given;
  given.shape = {1, 3, 48, 320};
  given.dtype = XSP_FLOAT16;
  const CompleteInputs complete =
      Made({Known("x", XSP_FLOAT32, {kOpen, 3, kOpen, kOpen})}, {given});
  // What begins with 1 follows the batch.
  EXPECT_EQ(complete.specs.at(0).shape, (Shape{4, 3, 48, 320}));
  EXPECT_EQ(complete.specs.at(0).dtype, XSP_FLOAT16);
  EXPECT_TRUE(complete.guesses.empty());
  // Not where the file fixes that size.
  EXPECT_EQ(Made({Known("x", XSP_FLOAT32, {1, 3, kOpen, kOpen})}, {given}).specs[0].shape,
            (Shape{1, 3, 48, 320}));
}

TEST(CompleteInputs, GivenSizesTellOthersOfTheirName) {
  GivenInput given;
  given.name = "ids";
  given.shape = {kBatchSize, 32};
  const CompleteInputs complete =
      Made({Known("mask", XSP_INT64, {kOpen, kOpen}, {"batch", "sequence"}),
            Known("ids", XSP_INT64, {kOpen, kOpen}, {"batch", "sequence"})},
           {given});
  EXPECT_EQ(complete.specs.at(0).shape, (Shape{4, 32}));
}

TEST(CompleteInputs, GivenAloneAreAllThatThereAre) {
  GivenInput a, b;
  a.name = "data";
  a.shape = {kBatchSize, 3, 8, 8};
  b.name = "ids";
  b.shape = {kBatchSize, 7};
  const CompleteInputs complete = Made({}, {a, b});
  EXPECT_EQ(complete.specs.at(0).shape, (Shape{4, 3, 8, 8}));
  EXPECT_EQ(complete.specs.at(1).dtype, XSP_INT64);
}

std::string WhyNot(const std::vector<xsp_worker_input>& known,
                   const std::vector<GivenInput>& given) {
  CompleteInputs complete;
  const Status status = Complete(known, given, 1, 0, complete);
  return status.ok() ? "" : status.error().what + "; " + status.error().hint;
}

TEST(CompleteInputs, OfAnyRankAreTakenAsGiven) {
  auto x = Known("x", XSP_FLOAT32, {kOpen, 8});
  x.has_any_rank = 1;
  EXPECT_EQ(Made({x}, {}).specs.at(0).shape, (Shape{4, 8}));
  GivenInput given;
  for (const Shape& shape : {Shape{8}, Shape{2, 8}, Shape{2, 3, 8}}) {
    given.shape = shape;
    EXPECT_EQ(Made({x}, {given}).specs.at(0).shape, shape);
  }
  given.shape = Shape{};
  EXPECT_EQ(WhyNot({x}, {given}), "input x has 2 dimensions, and the given shape 0; ");
}

TEST(CompleteInputs, SaysWhichInputIsWrong) {
  GivenInput given;
  given.shape = {1, 3};
  const auto x = Known("x", XSP_FLOAT32, {kOpen, 3, 8}), y = Known("y", XSP_FLOAT32, {kOpen});
  EXPECT_EQ(WhyNot({x}, {given}), "input x has 3 dimensions, and the given shape 2; ");
  EXPECT_EQ(
      WhyNot({x, y}, {given}),
      "an input is given without its name, and the model has 2; write --input NAME=SHAPE; its "
      "inputs are: x, y");
  given.name = "z";
  EXPECT_EQ(WhyNot({x, y}, {given}), "the model has no input z; its inputs are: x, y");
}

TEST(CompleteInputs, AreLaidOverThoseOfAManifest) {
  InputSpec spec;
  spec.name = "x";
  spec.shape = {4, 3, 224, 224};
  std::vector<InputSpec> specs = {spec};
  GivenInput given;
  given.shape = {kBatchSize, 3, 64, 64};
  ASSERT_TRUE(LayOver({given}, 4, specs).ok());
  EXPECT_EQ(specs.at(0).shape, (Shape{4, 3, 64, 64}));
  given.name = "y";
  EXPECT_FALSE(LayOver({given}, 4, specs).ok());
}

}  // namespace
}  // namespace xsp::worker
