#include "memory_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>
#include <vector>

namespace xsp::onednn_alternatives {
namespace {

using dnnl::memory;

/// Strides of sizes whose dimensions lie in `order`, the outermost first.
memory::dims StridesOf(const memory::dims& sizes, const std::vector<std::size_t>& order) {
  memory::dims strides(sizes.size());
  memory::dim stride = 1;
  for (std::size_t i = order.size(); i-- > 0;) {
    strides[order[i]] = stride;
    stride *= std::max<memory::dim>(sizes[order[i]], 1);
  }
  return strides;
}

std::vector<std::size_t> Ascending(std::size_t count) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

}  // namespace

memory::dims PlainStrides(const memory::dims& sizes) {
  return StridesOf(sizes, Ascending(sizes.size()));
}

memory::dims ChannelsLastStrides(const memory::dims& sizes) {
  std::vector<std::size_t> order = Ascending(sizes.size());
  if (order.size() > 2) std::rotate(order.begin() + 1, order.begin() + 2, order.end());
  return StridesOf(sizes, order);
}

memory::dims TransposedStrides(const memory::dims& sizes) {
  std::vector<std::size_t> order = Ascending(sizes.size());
  if (order.size() > 1) std::swap(order[order.size() - 1], order[order.size() - 2]);
  return StridesOf(sizes, order);
}

std::string LayoutName(const memory::desc& description) {
  if (description.get_format_kind() == memory::format_kind::any) return "any";
  if (description.get_format_kind() != memory::format_kind::blocked) return "opaque";
  const memory::dims strides = description.get_strides();
  const memory::dims blocks = description.get_inner_blks(), block_of = description.get_inner_idxs();
  const memory::dims sizes = description.get_padded_dims();
  // Of equal strides, as sizes of 1 have them, the larger size lies outside.
  std::vector<std::size_t> order = Ascending(strides.size());
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return strides[a] != strides[b] ? strides[a] > strides[b] : sizes[a] > sizes[b];
  });
  std::string name;
  for (const std::size_t dimension : order) {
    const char letter = static_cast<char>('a' + dimension);
    const bool is_blocked = std::find(block_of.begin(), block_of.end(),
                                      static_cast<memory::dim>(dimension)) != block_of.end();
    name += is_blocked ? static_cast<char>(std::toupper(letter)) : letter;
  }
  for (std::size_t i = 0; i < blocks.size(); ++i)
    name += fmt::format("{}{}", blocks[i], static_cast<char>('a' + block_of[i]));
  return name;
}

}  // namespace xsp::onednn_alternatives
