#include "ingest/primitives/graph_operators.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <optional>

#include "ingest/primitives/graph_formulas.h"

namespace xsp::primitives {
namespace {

// Sorted. Names are without leading underscores and without "_Mkl", "_MklNative" (see PlainName),
// but for MXNet's lower-case ones.
// clang-format off
constexpr std::string_view kNeverComputes[] = {
    "Arg", "Assert", "Bitcast", "Blank", "BlockGrad", "Case", "Const", "Constant", "ControlTrigger",
    "Data", "DeviceArg", "DeviceRetval", "Dropout", "Enter", "Exit", "ExpandDims", "Flatten",
    "HostCast", "HostRecv", "HostSend", "Identity", "IdentityN", "If", "Input", "InputLayer",
    "Loop", "LoopCond", "MemoryInput", "MemoryOutput", "Merge", "NextIteration", "NoOp",
    "OptionalGetElement", "OptionalHasElement", "Output", "Parameter", "PartitionedCall",
    "Placeholder", "PlaceholderWithDefault", "PreventGradient", "Rank", "ReadValue",
    "ReadVariableOp", "Recv", "Reinterpret", "Reshape", "Result", "Retval", "Scan", "Send",
    "SequenceAt", "SequenceConstruct", "SequenceLength", "Shape", "ShapeN", "ShapeOf",
    "ShapeOfLayer", "Size", "Snapshot", "Squeeze", "StatefulPartitionedCall", "StatelessCase",
    "StatelessIf", "StatelessWhile", "StopGradient", "Switch", "TensorIterator", "Unsqueeze",
    "VarHandleOp", "VarIsInitializedOp", "Variable", "VariableV2", "While", "XlaLaunch",
};

struct KnownType {
  std::string_view name;
  double flops_per_output;  // Used where there is no formula.
  FlopsFormula formula = nullptr;
};

// All of these compute. Element-wise counts follow eltwise.cc; normalisations element_formulas.cc.
constexpr KnownType kComputes[] = {
    {"Abs", 1}, {"Acos", 1}, {"Activation", 0, graph::AtLeastOne}, {"AdaptiveAvgPool", 0, PerInput},
    {"AdaptiveMaxPool", 0, OncePerInput}, {"Add", 1}, {"AddN", 0, graph::ReduceOrCombine},
    {"AddV2", 1}, {"All", 0, OncePerInput}, {"And", 0}, {"Any", 0, OncePerInput},
    {"ArgMax", 0, OncePerInput}, {"ArgMin", 0, OncePerInput}, {"Asin", 1}, {"Atan", 1},
    {"Atan2", 1}, {"Attention", 0, graph::AttentionNode}, {"AveragePool", 0, PerInput},
    {"AvgPool", 0, PerInput}, {"AvgPool3D", 0, PerInput}, {"BNLL", 1},
    {"BatchMatMul", 0, graph::MatrixProduct}, {"BatchMatMulV2", 0, graph::MatrixProduct},
    {"BatchMatMulV3", 0, graph::MatrixProduct}, {"BatchNorm", 2}, {"BatchNormInference", 2},
    {"BatchNormalization", 2}, {"BatchToSpace", 0}, {"BatchToSpaceND", 0},
    {"Bernoulli", 0, graph::NotInShapes}, {"BiasAdd", 1}, {"BiasAddV1", 1}, {"BiasGelu", 6},
    {"BiasSoftmax", 6}, {"BinaryConvolution", 0, graph::Convolution}, {"Broadcast", 0},
    {"BroadcastTo", 0}, {"Cast", 0}, {"Ceil", 1}, {"Ceiling", 1}, {"Celu", 4}, {"Clamp", 2},
    {"Clip", 2}, {"ClipByValue", 2}, {"CombinedNonMaxSuppression", 0, graph::NotInShapes},
    {"Compress", 0, graph::NotInShapes}, {"Concat", 0}, {"ConcatV2", 0}, {"Concatenation", 0},
    {"ConstantOfShape", 0}, {"Conv", 0, graph::Convolution},
    {"Conv2D", 0, graph::ConvolutionChannelsLast}, {"Conv2DBackpropFilter", 0, graph::NotInShapes},
    {"Conv2DBackpropInput", 0, graph::ConvolutionGradient},
    {"Conv2DBackpropInputV2", 0, graph::ConvolutionGradient},
    {"Conv2DWithBias", 0, graph::ConvolutionChannelsLast},
    {"Conv3D", 0, graph::ConvolutionChannelsLast},
    {"Conv3DBackpropInputV2", 0, graph::ConvolutionGradient},
    {"ConvInteger", 0, graph::Convolution}, {"ConvTranspose", 0, graph::TransposedConvolution},
    {"Convert", 0}, {"ConvertLike", 0}, {"Convolution", 0, graph::Convolution},
    {"ConvolutionBackpropData", 0, graph::TransposedConvolution},
    {"ConvolutionInt8", 0, graph::Convolution}, {"Copy", 0}, {"Cos", 1}, {"Cosh", 1}, {"Crop", 0},
    {"CropAndResize", 0, graph::NotInShapes}, {"CumProd", 0, OncePerInput},
    {"CumSum", 0, OncePerInput}, {"Deconvolution", 0, graph::TransposedConvolution},
    {"DepthToSpace", 0}, {"DepthwiseConv2dNative", 0, graph::DepthwiseChannelsLast},
    {"Dequantize", 0}, {"DequantizeLinear", 0}, {"Det", 0, graph::NotInShapes},
    {"DetectionOutput", 0, graph::NotInShapes}, {"Div", 1}, {"DivNoNan", 1}, {"Divide", 1},
    {"DynamicQuantizeLinear", 0, graph::NotInShapes},
    {"DynamicQuantizeMatMul", 0, graph::MatrixProduct}, {"ELU", 4},
    {"Einsum", 0, graph::NotInShapes}, {"ElementWiseSum", 0, graph::ReduceOrCombine},
    {"Eltwise", 0, graph::AtLeastOne}, {"Elu", 4},
    {"EmbedLayerNormalization", 0, graph::NotInShapes}, {"Embedding", 0}, {"EmbeddingLookup", 0},
    {"Equal", 1}, {"Erf", 1}, {"Erfc", 1}, {"Exp", 1}, {"Expand", 0}, {"Expm1", 1}, {"EyeLike", 0},
    {"FakeQuantize", 0, graph::NotInShapes}, {"FastGelu", 9}, {"Fill", 0}, {"Floor", 1},
    {"FloorDiv", 1}, {"FloorMod", 1}, {"FullyConnected", 0, graph::InnerProduct},
    {"FullyConnectedCompressed", 0, graph::InnerProduct},
    {"FusedBatchMatMulV2", 0, graph::MatrixProduct}, {"FusedBatchNorm", 0, graph::FusedBatchNorm},
    {"FusedBatchNormEx", 0, graph::FusedBatchNorm}, {"FusedBatchNormGradV3", 0, graph::NotInShapes},
    {"FusedBatchNormV2", 0, graph::FusedBatchNorm}, {"FusedBatchNormV3", 0, graph::FusedBatchNorm},
    {"FusedConv", 0, graph::ConvolutionAndActivation},
    {"FusedConv2D", 0, graph::ConvolutionChannelsLast},
    {"FusedConv3D", 0, graph::ConvolutionChannelsLast},
    {"FusedDepthwiseConv2dNative", 0, graph::DepthwiseChannelsLast},
    {"FusedGemm", 0, graph::MatrixProductAndActivation}, {"FusedMatMul", 0, graph::MatrixProduct},
    {"GRU", 0, graph::Recurrent}, {"GRUCell", 0, graph::Recurrent},
    {"GRUSequence", 0, graph::Recurrent}, {"Gather", 0}, {"GatherElements", 0}, {"GatherND", 0},
    {"GatherNd", 0}, {"GatherV2", 0}, {"Gelu", 5}, {"Gemm", 0, graph::MatrixProduct},
    {"GlobalAveragePool", 0, PerInput}, {"GlobalMaxPool", 0, OncePerInput}, {"Greater", 1},
    {"GreaterEqual", 1}, {"GreaterOrEqual", 1}, {"GridSample", 0, graph::NotInShapes},
    {"GroupConvolution", 0, graph::GroupConvolution},
    {"GroupConvolutionBackpropData", 0, graph::TransposedGroupConvolution}, {"GroupNorm", 6},
    {"GroupNormalization", 6}, {"GroupQueryAttention", 0, graph::NotInShapes}, {"HSwish", 5},
    {"HardSigmoid", 4}, {"HardSwish", 5}, {"HardTanh", 2}, {"InnerProduct", 0, graph::InnerProduct},
    {"InnerProductInt8", 0, graph::InnerProduct}, {"InstanceNorm", 6}, {"InstanceNormalization", 6},
    {"Interpolate", 0, graph::NotInShapes}, {"Inv", 1}, {"IsFinite", 1}, {"IsInf", 1}, {"IsNaN", 1},
    {"L2Normalization", 0, graph::NotInShapes}, {"LRN", 0, graph::NotInShapes},
    {"LSTM", 0, graph::Recurrent}, {"LSTMCell", 0, graph::Recurrent},
    {"LSTMSequence", 0, graph::Recurrent}, {"LayerNorm", 8}, {"LayerNormalization", 8},
    {"LeakyReLU", 2}, {"LeakyRelu", 2}, {"Less", 1}, {"LessEqual", 1}, {"LessOrEqual", 1},
    {"Log", 1}, {"Log1p", 1}, {"LogSigmoid", 4}, {"LogSoftMax", 5}, {"LogSoftmax", 5},
    {"LogicalAnd", 0}, {"LogicalNot", 0}, {"LogicalOr", 0}, {"LogicalXor", 0}, {"Logistic", 4},
    {"LpNormalization", 0, graph::NotInShapes}, {"LpPool", 0, graph::NotInShapes}, {"MVN", 6},
    {"MatMul", 0, graph::MatrixProduct}, {"MatMulBnb4", 0, graph::PackedMatrixProduct},
    {"MatMulInteger", 0, graph::MatrixProduct}, {"MatMulIntegerToFloat", 0, graph::MatrixProduct},
    {"MatMulNBits", 0, graph::PackedMatrixProduct}, {"MatMulV2", 0, graph::MatrixProduct},
    {"Math", 0, graph::NotInShapes}, {"Max", 0, graph::ReduceOrCombine},
    {"MaxPool", 0, OncePerInput}, {"MaxPool3D", 0, OncePerInput}, {"MaxPoolV2", 0, OncePerInput},
    {"MaxPoolWithArgmax", 0, OncePerInput}, {"MaxRoiPool", 0, graph::NotInShapes}, {"Maximum", 1},
    {"Mean", 0, graph::MeanOf}, {"MeanVarianceNormalization", 6}, {"MemcpyFromHost", 0},
    {"MemcpyToHost", 0}, {"Min", 0, graph::ReduceOrCombine}, {"Minimum", 1}, {"MirrorPad", 0},
    {"Mish", 6}, {"Mod", 1}, {"Mul", 1}, {"MulNoNan", 1},
    {"MultiBoxDetection", 0, graph::NotInShapes}, {"MultiBoxPrior", 0, graph::NotInShapes},
    {"MultiHeadAttention", 0, graph::AttentionNode}, {"Multinomial", 0, graph::NotInShapes},
    {"Multiply", 1}, {"NaryEltwise", 0, graph::AtLeastOne}, {"Neg", 1}, {"Negative", 1},
    {"NhwcConv", 0, graph::ConvolutionChannelsLast},
    {"NhwcFusedConv", 0, graph::ConvolutionAndActivation}, {"NhwcMaxPool", 0, OncePerInput},
    {"NonMaxSuppression", 0, graph::NotInShapes}, {"NonMaxSuppressionV3", 0, graph::NotInShapes},
    {"NonMaxSuppressionV5", 0, graph::NotInShapes}, {"NonZero", 0, graph::NotInShapes},
    {"Normalize", 0, graph::NotInShapes}, {"NormalizeL2", 0, graph::NotInShapes}, {"Not", 0},
    {"NotEqual", 1}, {"OneHot", 0}, {"OnesLike", 0}, {"Or", 0}, {"PReLU", 2}, {"PRelu", 2},
    {"Pack", 0}, {"Pad", 0}, {"PadV2", 0}, {"PadWithConv2D", 0, graph::ConvolutionChannelsLast},
    {"PadWithFusedConv2D", 0, graph::ConvolutionChannelsLast}, {"Padding", 0}, {"Permute", 0},
    {"Pooling", 0, OncePerInput}, {"PoolingInt8", 0, OncePerInput}, {"Pow", 1}, {"Power", 1},
    {"PriorBox", 0, graph::NotInShapes}, {"PriorBoxClustered", 0, graph::NotInShapes},
    {"Prod", 0, OncePerInput}, {"Proposal", 0, graph::NotInShapes},
    {"QAttention", 0, graph::NotInShapes}, {"QGemm", 0, graph::QuantizedMatrixProduct},
    {"QLinearAdd", 1}, {"QLinearAveragePool", 0, PerInput}, {"QLinearConcat", 0},
    {"QLinearConv", 0, graph::QuantizedConvolution}, {"QLinearGlobalAveragePool", 0, PerInput},
    {"QLinearMatMul", 0, graph::QuantizedMatrixProduct}, {"QLinearMul", 1}, {"QLinearSigmoid", 4},
    {"QLinearSoftmax", 5}, {"Quantize", 0}, {"QuantizeLinear", 0}, {"QuantizeV2", 0},
    {"QuantizedAdd", 1}, {"QuickGelu", 6}, {"RMS", 4}, {"RMSNorm", 4}, {"RMSNormalization", 4},
    {"RNN", 0, graph::Recurrent}, {"RNNCell", 0, graph::Recurrent}, {"RNNSeq", 0, graph::Recurrent},
    {"RNNSequence", 0, graph::Recurrent}, {"ROIAlign", 0, graph::NotInShapes},
    {"ROIPool", 0, graph::NotInShapes}, {"ROIPooling", 0, graph::NotInShapes},
    {"RandomNormal", 0, graph::NotInShapes}, {"RandomStandardNormal", 0, graph::NotInShapes},
    {"RandomUniform", 0, graph::NotInShapes}, {"Range", 0}, {"ReLU", 1}, {"ReLU6", 2},
    {"RealDiv", 1}, {"Reciprocal", 1}, {"Reduce", 0, OncePerInput}, {"ReduceL1", 0, OncePerInput},
    {"ReduceL2", 0, graph::NotInShapes}, {"ReduceLogSum", 0, OncePerInput},
    {"ReduceLogSumExp", 0, graph::NotInShapes}, {"ReduceLogicalAnd", 0, OncePerInput},
    {"ReduceLogicalOr", 0, OncePerInput}, {"ReduceMax", 0, OncePerInput},
    {"ReduceMean", 0, PerInput}, {"ReduceMin", 0, OncePerInput}, {"ReduceProd", 0, OncePerInput},
    {"ReduceSum", 0, OncePerInput}, {"ReduceSumSquare", 0, graph::NotInShapes},
    {"Region", 0, graph::NotInShapes}, {"RegionYolo", 0, graph::NotInShapes}, {"Relu", 1},
    {"Relu6", 2}, {"Reorder", 0}, {"ReorderInput", 0}, {"ReorderOutput", 0},
    {"Resize", 0, graph::NotInShapes}, {"ResizeBilinear", 7}, {"ResizeNearestNeighbor", 0},
    {"Reverse", 0}, {"ReverseSequence", 0}, {"ReverseV2", 0}, {"Rint", 1},
    {"RoPE", 0, graph::NotInShapes}, {"RoiAlign", 0, graph::NotInShapes},
    {"RotaryEmbedding", 0, graph::NotInShapes}, {"Round", 1}, {"Rsqrt", 2}, {"Scale", 2},
    {"ScaledDotProductAttention", 0, graph::AttentionNode},
    {"ScaledDotProductAttentionWithKVCache", 0, graph::AttentionNode}, {"ScatterElements", 0},
    {"ScatterElementsUpdate", 0}, {"ScatterND", 0}, {"ScatterNDUpdate", 0}, {"ScatterNd", 0},
    {"ScatterUpdate", 0}, {"Select", 0}, {"SelectV2", 0}, {"Selu", 4}, {"ShuffleChannel", 0},
    {"ShuffleChannels", 0}, {"SiLU", 5}, {"Sigmoid", 4}, {"Sign", 1}, {"Silu", 5},
    {"SimplifiedLayerNormalization", 4}, {"Sin", 1}, {"Sinh", 1}, {"SkipLayerNormalization", 9},
    {"SkipSimplifiedLayerNormalization", 5}, {"Slice", 0}, {"SliceChannel", 0}, {"SliceND", 0},
    {"SoftMax", 5}, {"SoftPlus", 3}, {"Softmax", 5}, {"SoftmaxActivation", 5}, {"SoftmaxInt8", 5},
    {"SoftmaxOutput", 5}, {"Softplus", 3}, {"Softsign", 3}, {"SpaceToBatch", 0},
    {"SpaceToBatchND", 0}, {"SpaceToDepth", 0}, {"Split", 0}, {"SplitToSequence", 0}, {"SplitV", 0},
    {"Sqrt", 1}, {"Square", 1}, {"SquaredDifference", 2}, {"Stack", 0}, {"StridedSlice", 0},
    {"Sub", 1}, {"Subgraph", 0, graph::NotInShapes}, {"Subtract", 1},
    {"Sum", 0, graph::ReduceOrCombine}, {"Swish", 5}, {"Tan", 1}, {"TanH", 1}, {"Tanh", 1},
    {"ThresholdedRelu", 1}, {"Tile", 0}, {"ToTf", 0}, {"TopK", 0, graph::NotInShapes},
    {"TopKV2", 0, graph::NotInShapes}, {"Transpose", 0},
    {"TransposeMatMul", 0, graph::MatrixProduct}, {"Trilu", 0}, {"TrueDiv", 1},
    {"Unique", 0, graph::NotInShapes}, {"UniqueV2", 0, graph::NotInShapes}, {"Unpack", 0},
    {"Unstack", 0}, {"UpSampling", 0, graph::NotInShapes}, {"Upsample", 0, graph::NotInShapes},
    {"VariadicSplit", 0}, {"Where", 0}, {"Xdivy", 1}, {"Xlogy", 1}, {"Xor", 0}, {"ZerosLike", 0},
    {"_copy", 0}, {"_div_scalar", 1}, {"_maximum_scalar", 1}, {"_minimum_scalar", 1},
    {"_minus_scalar", 1}, {"_mul_scalar", 1}, {"_plus_scalar", 1}, {"_power_scalar", 1},
    {"_rdiv_scalar", 1}, {"_rminus_scalar", 1}, {"_rpower_scalar", 1},
    {"_sg_mkldnn_conv", 0, graph::Convolution},
    {"_sg_mkldnn_fully_connected", 0, graph::InnerProduct},
    {"_sg_onednn_conv", 0, graph::Convolution},
    {"_sg_onednn_fully_connected", 0, graph::InnerProduct}, {"add_n", 0, graph::ReduceOrCombine},
    {"batch_dot", 0, graph::MatrixProduct}, {"broadcast_add", 1}, {"broadcast_div", 1},
    {"broadcast_minus", 1}, {"broadcast_mul", 1}, {"broadcast_plus", 1}, {"broadcast_sub", 1},
    {"elemwise_add", 1}, {"elemwise_div", 1}, {"elemwise_mul", 1}, {"elemwise_sub", 1},
};
// clang-format on

static_assert(std::is_sorted(std::begin(kNeverComputes), std::end(kNeverComputes)));
static_assert(std::is_sorted(std::begin(kComputes), std::end(kComputes),
                             [](const KnownType& a, const KnownType& b) {
                               return a.name < b.name;
                             }));

bool IsCapital(char letter) { return letter >= 'A' && letter <= 'Z'; }

// "_MklNativeFusedConv2D" and "_FusedConv2D" -> "FusedConv2D".
std::string_view PlainName(std::string_view type) {
  const std::size_t letters = type.find_first_not_of('_');
  if (letters == std::string_view::npos || !IsCapital(type[letters])) return type;
  const bool marked = letters > 0;
  type.remove_prefix(letters);
  if (marked && type.starts_with("Mkl") && type.size() > 3) {
    type.remove_prefix(3);
    if (type.starts_with("Native") && type.size() > 6) type.remove_prefix(6);
  }
  return type;
}

const KnownType* FindEntry(std::string_view name) {
  const auto found = std::lower_bound(
      std::begin(kComputes), std::end(kComputes), name,
      [](const KnownType& entry, std::string_view wanted) { return entry.name < wanted; });
  return found != std::end(kComputes) && found->name == name ? &*found : nullptr;
}

bool IsAny(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The input whose values the output holds: elsewhere the first is a condition or are indices.
std::size_t ValuesInput(std::string_view name, const Call& call) {
  const bool second = IsAny(name, {"Where", "Select", "SelectV2", "Embedding"});
  return second && call.inputs.size() > 1 ? 1 : 0;
}

// Every input once; of a table, or of what is cut out of something, only what the output holds.
double ReadBytes(std::string_view name, const Call& call) {
  const bool part =
      name.starts_with("Gather") ||
      IsAny(name, {"Embedding", "EmbeddingLookup", "Slice", "StridedSlice", "SliceND", "Crop"});
  const std::size_t values = ValuesInput(name, call);
  double outputs = 0;
  for (const Dims& output : call.outputs) outputs += Elements(output);
  double bytes = 0;
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    double elements = call.InputElements(i);
    if (part && i == values) elements = std::min(elements, outputs);
    bytes += elements * call.inputs[i].type->bytes;
  }
  return bytes;
}

// Types of outputs are not recorded: they are the values' own but for what a name says.
double OutputBytes(std::string_view name, const Call& call, std::size_t output) {
  if (IsAny(name,
            {"Equal", "NotEqual", "Greater", "GreaterEqual", "GreaterOrEqual", "Less", "LessEqual",
             "LessOrEqual", "And", "Or", "Not", "Xor", "IsNaN", "IsInf", "IsFinite"}) ||
      name.starts_with("Logical"))
    return 1;
  if (IsAny(name, {"QuantizeLinear", "QuantizeV2", "Quantize", "DynamicQuantizeLinear"}) &&
      output == 0)
    return 1;
  if (IsAny(name, {"DequantizeLinear", "Dequantize", "ConvInteger", "MatMulInteger",
                   "MatMulIntegerToFloat"}))
    return 4;
  if (IsAny(name, {"ArgMax", "ArgMin", "NonZero", "NonMaxSuppression"})) return 8;
  if (name == "TopK" && output == 1) return 8;
  if (name == "TopKV2" && output == 1) return 4;
  return call.inputs[ValuesInput(name, call)].type->bytes;
}

}  // namespace

bool IsGraphOperator(std::string_view type) {
  if (type.find("::") != std::string_view::npos) return false;
  const std::size_t letters = type.find_first_not_of('_');
  if (letters == std::string_view::npos) return false;
  return IsCapital(type[letters]) || FindEntry(type) != nullptr;
}

OperatorRole GraphRoleOf(std::string_view type) {
  const std::string_view name = PlainName(type);
  if (std::binary_search(std::begin(kNeverComputes), std::end(kNeverComputes), name))
    return OperatorRole::kNeverComputes;
  return FindEntry(name) != nullptr ? OperatorRole::kComputes : OperatorRole::kUnknown;
}

Cost EstimateGraphOperator(std::string_view type, const Call& call) {
  const std::string_view name = PlainName(type);
  Cost cost;
  cost.dtype = call.inputs[ValuesInput(name, call)].type->name;
  if (name == "DynamicQuantizeMatMul") cost.dtype = "int8";  // It quantises its first input itself.
  cost.status = CostStatus::kTrafficOnly;
  if (GraphRoleOf(type) == OperatorRole::kNeverComputes) {
    // It hands on what it was given.
    cost.status = CostStatus::kKnown;
    return cost;
  }
  if (const KnownType* entry = FindEntry(name); entry != nullptr) {
    const auto flops = entry->formula != nullptr
                           ? entry->formula(call)
                           : std::optional(entry->flops_per_output * call.OutputElements());
    if (flops.has_value()) cost.status = CostStatus::kKnown;
    cost.flops = flops.value_or(0);
  }
  cost.read_bytes = ReadBytes(name, call);
  for (std::size_t i = 0; i < call.outputs.size(); ++i)
    cost.write_bytes += Elements(call.outputs[i]) * OutputBytes(name, call, i);
  return cost;
}

}  // namespace xsp::primitives
