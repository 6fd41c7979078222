#include "ingest/importers/kineto/launch_shape.h"

#include <algorithm>

#include "core/list_product.h"

namespace xsp::importers::kineto {
namespace {

std::int64_t NumberOr0(const Value& value) {
  return std::max<std::int64_t>(ToInteger(value).value_or(0), 0);
}

}  // namespace

std::optional<trace::LaunchShape> LaunchShapeOf(const Event& event) {
  const Value &grid = event.argument(Argument::kGrid), &block = event.argument(Argument::kBlock);
  if (grid.kind != Value::Kind::kArray || block.kind != Value::Kind::kArray) return std::nullopt;
  const auto blocks = core::ListProduct(grid.text), threads = core::ListProduct(block.text);
  if (!blocks || !threads) return std::nullopt;
  return trace::LaunchShape{.blocks = *blocks,
                            .threads = *threads,
                            .registers = NumberOr0(event.argument(Argument::kRegisters)),
                            .shared_bytes = NumberOr0(event.argument(Argument::kSharedMemory))};
}

}  // namespace xsp::importers::kineto
