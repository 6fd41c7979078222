#include "ingest/primitives/operators.h"

#include <algorithm>
#include <iterator>

#include "ingest/primitives/graph_operators.h"
#include "ingest/primitives/operator_name.h"

namespace xsp::primitives {
namespace {

// Sorted, in-place forms without their underscore. ATen's names (native_functions.yaml).
constexpr std::string_view kNoArithmetic[] = {
    "__is__",
    "__isnot__",
    "_backward",
    "_batch_norm_impl_index",
    "_conj",
    "_empty_affine_quantized",
    "_has_compatible_shallow_copy_type",
    "_local_scalar_dense",
    "_neg_view",
    "_nested_tensor_size",
    "_reshape_alias",
    "_scaled_dot_product_attention_math",
    "_to_copy",
    "_unsafe_view",
    "_version",
    "adaptive_avg_pool1d",
    "adaptive_avg_pool2d",
    "adaptive_avg_pool3d",
    "adaptive_max_pool1d",
    "alias",
    "as_strided",
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "avg_pool1d",
    "batch_norm",
    "broadcast_tensors",
    "broadcast_to",
    "chunk",
    "clone",
    "concat",
    "concatenate",
    "contiguous",
    "conv1d",
    "conv2d",
    "conv3d",
    "conv_transpose1d",
    "conv_transpose2d",
    "conv_transpose3d",
    "convolution",
    "cross_entropy_loss",
    "data",
    "detach",
    "device",
    "diagonal",
    "dim",
    "dropout",
    "dsplit",
    "einsum",
    "empty",
    "empty_like",
    "empty_permuted",
    "empty_quantized",
    "empty_strided",
    "expand",
    "expand_as",
    "feature_dropout",
    "flatten",
    "full",
    "full_like",
    "gru",
    "hsplit",
    "imag",
    "instance_norm",
    "is_complex",
    "is_contiguous",
    "is_floating_point",
    "is_inference",
    "is_leaf",
    "is_neg",
    "is_nonzero",
    "is_pinned",
    "is_same_size",
    "is_set_to",
    "is_signed",
    "is_sparse",
    "item",
    "layer_norm",
    "len",
    "lift",
    "lift_fresh",
    "linear",
    "lstm",
    "mT",
    "matmul",
    "max_pool1d",
    "max_pool2d",
    "max_pool3d",
    "movedim",
    "multi_head_attention_forward",
    "narrow",
    "new_empty",
    "new_empty_strided",
    "new_full",
    "new_ones",
    "new_zeros",
    "numel",
    "numpy_T",
    "ones",
    "ones_like",
    "output_nr",
    "pad",
    "permute",
    "pin_memory",
    "ravel",
    "real",
    "refine_names",
    "rename",
    "requires_grad",
    "reshape",
    "reshape_as",
    "resize",
    "resize_as",
    "resolve_conj",
    "resolve_neg",
    "result_type",
    "retain_grad",
    "rnn_relu",
    "rnn_tanh",
    "scaled_dot_product_attention",
    "select",
    "set",
    "size",
    "slice",
    "split",
    "split_with_sizes",
    "squeeze",
    "stack",
    "storage_offset",
    "stride",
    "swapaxes",
    "swapdims",
    "sym_numel",
    "sym_size",
    "sym_storage_offset",
    "sym_stride",
    "t",
    "tensor_split",
    "to",
    "transpose",
    "type_as",
    "unbind",
    "unflatten",
    "unfold",
    "unsafe_chunk",
    "unsafe_split",
    "unsqueeze",
    "values",
    "view",
    "view_as",
    "view_as_complex",
    "view_as_real",
    "vsplit",
    "zeros",
    "zeros_like",
};

// Operators with a loop of their own that call computing operators besides: conversions of their
// operands, a copied bias, an initialised result, a sorted copy.
constexpr std::string_view kArithmetic[] = {
    "_addmm_activation",
    "_index_put_impl",
    "_softmax",
    "_transform_bias_rescale_qkv",
    "add",
    "addbmm",
    "addmm",
    "addmv",
    "all",
    "amax",
    "amin",
    "any",
    "argmax",
    "argmin",
    "baddbmm",
    "bmm",
    "cat",
    "cumsum",
    "div",
    "dot",
    "embedding_dense_backward",
    "gather",
    "grid_sampler_2d",
    "index",
    "index_add",
    "index_select",
    "kthvalue",
    "masked_fill",
    "masked_select",
    "mm",
    "mul",
    "mv",
    "native_batch_norm",
    "native_batch_norm_backward",
    "native_group_norm",
    "native_group_norm_backward",
    "native_layer_norm",
    "native_layer_norm_backward",
    "nonzero",
    "prod",
    "scatter",
    "scatter_add",
    "slow_conv3d_forward",
    "slow_conv_dilated2d",
    "slow_conv_transpose2d",
    "sort",
    "std",
    "sub",
    "sum",
    "thnn_conv2d",
    "topk",
    "unique_dim",
    "upsample_bicubic2d",
    "upsample_bilinear2d",
    "upsample_linear1d",
    "upsample_nearest1d",
    "upsample_nearest2d",
    "upsample_nearest3d",
    "upsample_trilinear3d",
    "var",
    "var_mean",
    "where",
};

// Operators whose work lies partly in primitives that they announce, from several threads, and
// partly in loops of their own: products of blocks and the softmax between them, im2col.
constexpr std::string_view kFused[] = {
    "_scaled_dot_product_flash_attention_for_cpu",
    "_scaled_dot_product_flash_attention_for_cpu_backward",
    "_slow_conv2d_forward",
};

constexpr std::string_view kFills[] = {"fill", "zero"};
constexpr std::string_view kCopies[] = {"copy"};

// Transposed convolutions on a CPU call no operator of a library, as all others do.
constexpr std::string_view kDelegates[] = {"_convolution"};

static_assert(std::is_sorted(std::begin(kNoArithmetic), std::end(kNoArithmetic)));
static_assert(std::is_sorted(std::begin(kArithmetic), std::end(kArithmetic)));
static_assert(std::is_sorted(std::begin(kFused), std::end(kFused)));
static_assert(std::is_sorted(std::begin(kFills), std::end(kFills)));

}  // namespace

OperatorRole RoleOf(std::string_view type) {
  if (IsGraphOperator(type)) return GraphRoleOf(type);
  const OperatorName operator_name = ParseOperatorName(type);
  // Graph bookkeeping of TorchScript (prim::ListConstruct) and of the profiler itself.
  if (operator_name.space == "prim" || operator_name.space == "profiler")
    return OperatorRole::kNeverComputes;
  if (!operator_name.space.empty() && operator_name.space != "aten") return OperatorRole::kUnknown;
  const auto in = [&](const auto& table) {
    return std::binary_search(std::begin(table), std::end(table), operator_name.name);
  };
  if (in(kNoArithmetic)) return OperatorRole::kNeverComputes;
  if (in(kFused)) return OperatorRole::kFused;
  if (in(kFills)) return OperatorRole::kFills;
  if (in(kCopies)) return OperatorRole::kCopies;
  if (in(kDelegates)) return OperatorRole::kDelegates;
  return in(kArithmetic) ? OperatorRole::kComputes : OperatorRole::kUnknown;
}

}  // namespace xsp::primitives
