#include "protobuf/onnx_inputs.h"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>

#include "protobuf/mapped_file.h"
#include "protobuf/message.h"

namespace xsp::protobuf {
namespace {

// Numbers of fields in onnx.proto.
constexpr std::uint32_t kModelGraph = 7;
constexpr std::uint32_t kGraphInitializer = 5, kGraphInput = 11;
constexpr std::uint32_t kInputName = 1, kInputType = 2;
constexpr std::uint32_t kTypeTensor = 1, kTensorElement = 1, kTensorShape = 2;
constexpr std::uint32_t kShapeDimension = 1, kDimensionSize = 1, kDimensionName = 2;
constexpr std::uint32_t kInitializerName = 8;

/// TensorProto.DataType.
constexpr std::pair<int, xsp_worker_dtype> kTypes[] = {
    {1, XSP_FLOAT32}, {2, XSP_UINT8}, {3, XSP_INT8},     {5, XSP_INT16},    {6, XSP_INT32},
    {7, XSP_INT64},   {9, XSP_BOOL},  {10, XSP_FLOAT16}, {11, XSP_FLOAT64}, {16, XSP_BFLOAT16}};

/// The first field of that number; empty: it is not there.
std::string_view Part(std::string_view message, std::uint32_t number) {
  MessageReader reader(message);
  for (Field field; reader.Next(field);)
    if (field.number == number && field.is_bytes) return field.bytes;
  return {};
}

template <std::size_t kSize>
void Copy(std::string_view text, char (&to)[kSize]) {
  to[text.copy(to, kSize - 1)] = 0;
}

void ReadDimension(std::string_view message, xsp_worker_input& input) {
  if (input.rank >= XSP_WORKER_MAX_RANK) return;
  const int at = input.rank++;
  input.shape[at] = XSP_WORKER_UNKNOWN;
  MessageReader reader(message);
  for (Field field; reader.Next(field);) {
    if (field.number == kDimensionSize && field.integer() > 0) input.shape[at] = field.integer();
    if (field.number == kDimensionName) Copy(field.bytes, input.symbols[at]);
  }
}

xsp_worker_input ReadInput(std::string_view message) {
  xsp_worker_input input = {};
  input.dtype = input.rank = XSP_WORKER_UNKNOWN;
  Copy(Part(message, kInputName), input.name);
  MessageReader tensor(Part(Part(message, kInputType), kTypeTensor));
  for (Field field; tensor.Next(field);) {
    if (field.number == kTensorElement) {
      for (const auto& [onnx, dtype] : kTypes)
        if (field.integer() == onnx) input.dtype = dtype;
    }
    if (field.number != kTensorShape) continue;
    input.rank = 0;
    MessageReader shape(field.bytes);
    for (Field dimension; shape.Next(dimension);)
      if (dimension.number == kShapeDimension) ReadDimension(dimension.bytes, input);
  }
  return input;
}

}  // namespace

std::vector<xsp_worker_input> OnnxInputs(std::string_view model) {
  std::vector<xsp_worker_input> inputs;
  std::unordered_set<std::string_view> stored;
  MessageReader reader(Part(model, kModelGraph));
  for (Field field; reader.Next(field);) {
    if (field.number == kGraphInput) inputs.push_back(ReadInput(field.bytes));
    if (field.number == kGraphInitializer) stored.insert(Part(field.bytes, kInitializerName));
  }
  if (reader.damaged()) return {};
  std::erase_if(inputs, [&](const xsp_worker_input& input) { return stored.contains(input.name); });
  return inputs;
}

std::vector<xsp_worker_input> OnnxInputsOfFile(const std::filesystem::path& path) {
  const MappedFile file(path);
  return OnnxInputs(file.text());
}

}  // namespace xsp::protobuf
