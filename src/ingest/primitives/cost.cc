#include "ingest/primitives/cost.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "ingest/primitives/eltwise.h"
#include "ingest/primitives/formulas.h"
#include "ingest/primitives/mkl_cost.h"

namespace xsp::primitives {
namespace {

struct DataType {
  std::string_view onednn;
  std::string_view name;
  double bytes;
};

constexpr std::array<DataType, 16> kDataTypes = {{{"f32", "float32", 4},
                                                  {"f64", "float64", 8},
                                                  {"f16", "float16", 2},
                                                  {"bf16", "bfloat16", 2},
                                                  {"tf32", "float32", 4},
                                                  {"s32", "int32", 4},
                                                  {"s64", "int64", 8},
                                                  {"s16", "int16", 2},
                                                  {"s8", "int8", 1},
                                                  {"u8", "int8", 1},
                                                  {"s4", "int4", 0.5},
                                                  {"u4", "int4", 0.5},
                                                  {"f8_e5m2", "float8", 1},
                                                  {"f8_e4m3", "float8", 1},
                                                  {"f4_e2m1", "float4", 0.5},
                                                  {"e8m0", "float8", 1}}};

const DataType* FindType(std::string_view onednn) {
  const auto found = std::find_if(kDataTypes.begin(), kDataTypes.end(),
                                  [&](const DataType& type) { return type.onednn == onednn; });
  return found == kDataTypes.end() ? nullptr : &*found;
}

bool IsFloat(std::string_view name) {
  return name.starts_with("float") || name.starts_with("bfloat");
}

bool Contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool IsTensorUnit(const Announcement& announcement) {
  return Contains(announcement.implementation, "amx") && IsMatrixKind(announcement.kind);
}

std::string_view RoleType(const Announcement& announcement, std::string_view role) {
  for (const Descriptor& descriptor : announcement.descriptors)
    if (descriptor.role.starts_with(role)) return DtypeName(descriptor.dtype);
  return {};
}

// The type that is multiplied: the weights', unless they are integers that are unpacked into the
// source's floats; else the source's. A float32 primitive whose implementation exists only for
// bfloat16 or for AMX (which has no float32) was allowed to round by its fpmath attribute.
std::string_view ArithmeticType(const Announcement& announcement) {
  const std::string_view source = RoleType(announcement, "src");
  std::string_view type = RoleType(announcement, "wei");
  if (type.empty() || (!IsFloat(type) && IsFloat(source))) type = source;
  if (type.empty()) type = RoleType(announcement, "data");
  if (type.empty() && !announcement.descriptors.empty())
    type = DtypeName(announcement.descriptors.front().dtype);
  if (type == "float32" && IsMatrixKind(announcement.kind) &&
      Contains(announcement.attributes, "attr-fpmath")) {
    const bool amx = Contains(announcement.implementation, "amx");
    if (amx && Contains(announcement.attributes, "attr-fpmath:f16")) return "float16";
    if (amx || Contains(announcement.implementation, "bf16")) return "bfloat16";
  }
  return type;
}

struct Direction {
  bool read, written;
};

bool HasRole(const Announcement& announcement, std::string_view role) {
  return std::any_of(announcement.descriptors.begin(), announcement.descriptors.end(),
                     [&](const Descriptor& d) { return d.role == role; });
}

Direction DirectionOf(const Announcement& announcement, std::string_view role) {
  const std::string_view pass = announcement.propagation;
  const bool output = role.starts_with("dst") || role == "ws";
  if (!IsBackward(announcement)) {
    if (role == "data") return {true, true};
    if (role == "stats") {
      const bool given = Contains(FindOption(announcement.auxiliary, "flags"), "G");
      return {given, !given && pass == "forward_training"};
    }
    return {!output, output};
  }
  if (role.starts_with("diff_dst")) return {true, false};
  // The older kinds write one "diff" over the incoming gradient's size: dy is read, dx written.
  if (role == "diff") return {true, true};
  if (role.starts_with("diff")) return {false, true};
  if (pass.starts_with("backward_weights") || pass.starts_with("backward_bias")) {
    const bool gradient = role.starts_with("wei") || role.starts_with("bia");
    return {!gradient, gradient};
  }
  // Where the line has no diff_src of its own, "src" is the gradient.
  if (role == "src" && !HasRole(announcement, "diff_src")) return {false, true};
  return {true, false};
}

// A type or layout without which bytes are unknown.
bool TypesAreKnown(const Announcement& announcement) {
  return !announcement.descriptors.empty() &&
         std::all_of(announcement.descriptors.begin(), announcement.descriptors.end(),
                     [](const Descriptor& d) {
                       return FindType(d.dtype) != nullptr && d.layout != "sparse";
                     });
}

void AddTraffic(const Announcement& announcement, const Work& work, const PostOps& post_ops,
                Cost& cost) {
  cost.read_bytes = work.extra_read_bytes + post_ops.read_bytes;
  cost.write_bytes = work.extra_write_bytes;
  for (std::size_t i = 0; i < announcement.descriptors.size(); ++i) {
    const Descriptor& descriptor = announcement.descriptors[i];
    const Direction direction = DirectionOf(announcement, descriptor.role);
    const bool output = descriptor.role == "dst";
    double bytes = work.elements[i] * FindType(descriptor.dtype)->bytes;
    if (output) bytes *= post_ops.output_scale;
    if (direction.read || (output && post_ops.reads_output)) cost.read_bytes += bytes;
    if (direction.written) cost.write_bytes += bytes;
  }
}

Cost EstimateOneDnn(const Announcement& announcement) {
  Cost cost;
  if (IsTensorUnit(announcement)) cost.unit = "tensor";
  cost.dtype = ArithmeticType(announcement);
  const Formula formula = FindFormula(announcement.kind);
  if (formula == nullptr) {
    cost.status = CostStatus::kUnknownKind;
    return cost;
  }
  if (!TypesAreKnown(announcement)) return cost;
  const auto work = formula(announcement);
  if (!work.has_value()) return cost;
  const auto post_ops = EstimatePostOps(announcement.attributes, work->output);
  if (!post_ops.has_value()) {
    cost.status = CostStatus::kUnknownKind;
    return cost;
  }
  cost.flops = work->flops + post_ops->flops;
  AddTraffic(announcement, *work, *post_ops, cost);
  cost.status = CostStatus::kKnown;
  return cost;
}

}  // namespace

std::string_view DtypeName(std::string_view onednn_dtype) {
  const DataType* type = FindType(onednn_dtype);
  return type == nullptr ? std::string_view() : type->name;
}

double DtypeBytes(std::string_view onednn_dtype) {
  const DataType* type = FindType(onednn_dtype);
  return type == nullptr ? 0 : type->bytes;
}

Cost Estimate(const Announcement& announcement) {
  Cost cost = announcement.library == Library::kMkl ? EstimateMkl(announcement)
                                                    : EstimateOneDnn(announcement);
  const bool finite = std::isfinite(cost.flops) && std::isfinite(cost.read_bytes) &&
                      std::isfinite(cost.write_bytes);
  if (cost.status == CostStatus::kKnown && !finite) cost.status = CostStatus::kUnreadable;
  if (cost.status != CostStatus::kKnown) cost.flops = cost.read_bytes = cost.write_bytes = 0;
  return cost;
}

}  // namespace xsp::primitives
