#include <gtest/gtest.h>

#include <string>

#include "protobuf/message.h"
#include "protobuf/onnx_inputs.h"

namespace xsp::protobuf {
namespace {

// Numbers of fields in onnx.proto.
std::string Size(std::int64_t size) { return MessageWriter().Integer(1, size).text(); }
std::string Named(const std::string& name) { return MessageWriter().Bytes(2, name).text(); }

std::string Input(const std::string& name, int type, const std::vector<std::string>& sizes) {
  MessageWriter shape, tensor;
  for (const std::string& size : sizes) shape.Bytes(1, size);
  tensor.Integer(1, type).Bytes(2, shape.text());
  return MessageWriter()
      .Bytes(1, name)
      .Bytes(2, MessageWriter().Bytes(1, tensor.text()).text())
      .text();
}

TEST(OnnxInputs, KeepWhatTheFileCallsOpenSizes) {
  MessageWriter graph;
  graph.Bytes(5, MessageWriter().Bytes(8, "weight").text());
  graph.Bytes(11, Input("x", 1, {Named("batch"), Size(3), Named("height"), ""}));
  graph.Bytes(11, Input("weight", 1, {Size(8)}));  // Has a stored value: no input of a call.
  graph.Bytes(11, Input("sr", 7, {}));
  const std::string model = MessageWriter().Integer(1, 9).Bytes(7, graph.text()).text();
  const auto inputs = OnnxInputs(model);
  ASSERT_EQ(inputs.size(), 2u);
  EXPECT_STREQ(inputs[0].name, "x");
  EXPECT_EQ(inputs[0].dtype, XSP_FLOAT32);
  ASSERT_EQ(inputs[0].rank, 4);
  EXPECT_EQ(inputs[0].shape[0], XSP_WORKER_UNKNOWN);
  EXPECT_EQ(inputs[0].shape[1], 3);
  EXPECT_STREQ(inputs[0].symbols[0], "batch");
  EXPECT_STREQ(inputs[0].symbols[2], "height");
  EXPECT_EQ(inputs[0].shape[3], XSP_WORKER_UNKNOWN);
  EXPECT_STREQ(inputs[0].symbols[3], "");
  EXPECT_EQ(inputs[1].dtype, XSP_INT64);
  EXPECT_EQ(inputs[1].rank, 0);
}

TEST(OnnxInputs, AreNoneOfWhatIsNoModel) {
  EXPECT_TRUE(OnnxInputs("").empty());
  EXPECT_TRUE(OnnxInputs("no model").empty());
  MessageWriter graph;
  graph.Bytes(11, Input("x", 1, {Size(3)}));
  std::string model = MessageWriter().Integer(1, 9).Bytes(7, graph.text()).text();
  for (std::size_t size = 0; size < model.size(); ++size)
    EXPECT_TRUE(OnnxInputs(model.substr(0, size)).empty()) << size;
}

TEST(OnnxInputs, WithoutAShapeHaveNoRank) {
  const std::string tensor = MessageWriter().Integer(1, 1).text();
  const std::string input =
      MessageWriter().Bytes(1, "x").Bytes(2, MessageWriter().Bytes(1, tensor).text()).text();
  const std::string model =
      MessageWriter().Bytes(7, MessageWriter().Bytes(11, input).text()).text();
  ASSERT_EQ(OnnxInputs(model).size(), 1u);
  EXPECT_EQ(OnnxInputs(model)[0].rank, XSP_WORKER_UNKNOWN);
}

}  // namespace
}  // namespace xsp::protobuf
