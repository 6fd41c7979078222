#include "derive/timeline/occupancy/launch_shapes.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <string_view>

#include "core/list_product.h"
#include "trace/vocabulary.h"

namespace xsp::timeline::occupancy {
namespace {

using trace::LaunchShape;

std::int64_t NumberOr0(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() ? std::max<std::int64_t>(number, 0) : 0;
}

void TakeGrid(std::string_view text, LaunchShape& shape) {
  shape.blocks = core::ListProduct(text).value_or(0);
}
void TakeBlock(std::string_view text, LaunchShape& shape) {
  shape.threads = core::ListProduct(text).value_or(0);
}
void TakeRegisters(std::string_view text, LaunchShape& shape) { shape.registers = NumberOr0(text); }
void TakeSharedBytes(std::string_view text, LaunchShape& shape) {
  constexpr std::int64_t kMost = std::int64_t{1} << 40;  // So that two of them can be added.
  shape.shared_bytes += std::min(NumberOr0(text), kMost);
}

struct Field {
  std::string_view key;
  void (*take)(std::string_view text, LaunchShape& shape);
};
constexpr std::array kFields = {
    Field{trace::attribute::kGrid, TakeGrid},
    Field{trace::attribute::kBlock, TakeBlock},
    Field{trace::attribute::kRegisters, TakeRegisters},
    Field{trace::attribute::kStaticSharedBytes, TakeSharedBytes},
    Field{trace::attribute::kDynamicSharedBytes, TakeSharedBytes},
};

constexpr std::uint8_t kNoField = 1;

std::uint8_t MeaningOf(std::string_view key) {
  const auto* const field = std::ranges::find(kFields, key, &Field::key);
  const auto index = static_cast<std::uint8_t>(field - kFields.begin());
  return field == kFields.end() ? kNoField : static_cast<std::uint8_t>(kNoField + 1 + index);
}

}  // namespace

LaunchShapes::LaunchShapes(const trace::Trace& trace) {
  shaped_.reserve(trace.launch_shapes.size());
  for (std::size_t i = 0; i < trace.launch_shapes.size(); ++i)
    shaped_.push_back({trace.launch_shapes.span[i], trace.launch_shapes.shape[i]});
  TakeAttributes(trace);
  std::erase_if(shaped_,
                [](const Shaped& one) { return one.shape.blocks <= 0 || one.shape.threads <= 0; });
  if (!std::ranges::is_sorted(shaped_, {}, &Shaped::span))
    std::ranges::stable_sort(shaped_, {}, &Shaped::span);
}

void LaunchShapes::TakeAttributes(const trace::Trace& trace) {
  // What a string means as a key, asked once for each: 0 not yet, 1 nothing, else 2 + the field.
  std::vector<std::uint8_t> meanings(trace.strings.size());
  const std::size_t before = shaped_.size();
  for (std::size_t i = 0; i < trace.attributes.size(); ++i) {
    std::uint8_t& meaning = meanings[trace.attributes.key[i]];
    if (meaning == 0) meaning = MeaningOf(trace.Text(trace.attributes.key[i]));
    if (meaning == kNoField) continue;
    const trace::SpanId span = trace.attributes.span[i];
    // Those of a span stand together.
    if (shaped_.size() == before || shaped_.back().span != span) shaped_.push_back({span, {}});
    kFields[meaning - kNoField - 1U].take(trace.Text(trace.attributes.value[i]),
                                          shaped_.back().shape);
  }
}

const LaunchShape* LaunchShapes::Find(trace::SpanId span) const {
  const auto it = std::ranges::lower_bound(shaped_, span, {}, &Shaped::span);
  return it != shaped_.end() && it->span == span ? &it->shape : nullptr;
}

}  // namespace xsp::timeline::occupancy
