#include "ingest/primitives/mkl_cost.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <vector>

#include "ingest/primitives/problem.h"

namespace xsp::primitives {
namespace {

struct Type {
  std::string_view dtype;
  double read_a, read_b, write;  // Bytes per element of the two inputs and the result.
  double flops_scale;            // A complex multiply-add is 8 real operations: 4 times as many.
};

std::optional<Type> TypeOf(std::string_view routine) {
  if (routine.starts_with("GEMM_BF16")) return Type{"bfloat16", 2, 2, 4, 1};
  if (routine.starts_with("GEMM_F16F16F32")) return Type{"float16", 2, 2, 4, 1};
  if (routine.starts_with("GEMM_S8") || routine.starts_with("GEMM_U8"))
    return Type{"int8", 1, 1, 4, 1};
  if (routine.starts_with("S")) return Type{"float32", 4, 4, 4, 1};
  if (routine.starts_with("D")) return Type{"float64", 8, 8, 8, 1};
  if (routine.starts_with("C")) return Type{"float32", 8, 8, 8, 4};
  if (routine.starts_with("Z")) return Type{"float64", 16, 16, 16, 4};
  return std::nullopt;
}

struct MklWork {
  double flops = 0;
  double read_a = 0, read_b = 0, written = 0;  // Elements.
};

using Arguments = std::vector<std::string_view>;

std::optional<std::vector<double>> Numbers(const Arguments& arguments, std::size_t first,
                                           std::size_t count) {
  std::vector<double> numbers;
  for (std::size_t i = first; i < first + count; ++i) {
    const auto value = i < arguments.size() ? ParseDimension(arguments[i]) : std::nullopt;
    if (!value.has_value()) return std::nullopt;
    numbers.push_back(*value);
  }
  return numbers;
}

bool Is(const Arguments& arguments, std::size_t index, char letter) {
  return index < arguments.size() && arguments[index].size() == 1 &&
         std::toupper(static_cast<unsigned char>(arguments[index][0])) == letter;
}

// gemm(transa, transb, m, n, k, ...). The result is read only where beta is not 0, which the line
// does not tell (an address): it is counted as written only. The strided batch ends in its size.
std::optional<MklWork> Gemm(const Arguments& arguments, bool batched) {
  const auto n = Numbers(arguments, 2, 3);
  if (!n.has_value()) return std::nullopt;
  double batch = 1;
  if (batched) {
    const auto last = ParseDimension(arguments.back());
    if (!last.has_value()) return std::nullopt;
    batch = *last;
  }
  const double rows = (*n)[0], columns = (*n)[1], inner = (*n)[2];
  return MklWork{batch * 2 * rows * columns * inner, batch * rows * inner, batch * inner * columns,
                 batch * rows * columns};
}

// Triangular solve and product (side, uplo, trans, diag, m, n).
std::optional<MklWork> Triangular(const Arguments& arguments) {
  const auto n = Numbers(arguments, 4, 2);
  if (!n.has_value()) return std::nullopt;
  const double order = Is(arguments, 0, 'L') ? (*n)[0] : (*n)[1];
  const double elements = (*n)[0] * (*n)[1];
  return MklWork{elements * order, order * (order + 1) / 2, elements, elements};
}

// LU with partial pivoting of an m x n matrix.
double LuFlops(double m, double n) {
  const double k = std::min(m, n);
  return 2 * (m * n * k - (m + n) * k * k / 2 + k * k * k / 3);
}

std::optional<MklWork> WorkOf(std::string_view kind, const Arguments& a) {
  if (kind == "gemm") return Gemm(a, false);
  if (kind == "gemm_batch_strided") return Gemm(a, true);
  if (kind == "trsm" || kind == "trmm") return Triangular(a);
  if (kind == "gemv") {
    const auto n = Numbers(a, 1, 2);
    if (!n.has_value()) return std::nullopt;
    const double rows = (*n)[0], columns = (*n)[1];
    const bool plain = Is(a, 0, 'N');
    return MklWork{2 * rows * columns, rows * columns, plain ? columns : rows,
                   plain ? rows : columns};
  }
  if (kind == "ger") {
    const auto n = Numbers(a, 0, 2);
    if (!n.has_value()) return std::nullopt;
    const double elements = (*n)[0] * (*n)[1];
    return MklWork{2 * elements, (*n)[0] + (*n)[1], elements, elements};
  }
  if (kind == "syrk") {
    const auto n = Numbers(a, 2, 2);
    if (!n.has_value()) return std::nullopt;
    const double triangle = (*n)[0] * ((*n)[0] + 1) / 2;
    return MklWork{2 * triangle * (*n)[1], (*n)[0] * (*n)[1], 0, triangle};
  }
  const std::size_t first = kind == "potrf" || kind == "getrs" ? 1 : 0;
  const auto n = Numbers(a, first, kind == "getrf" || kind == "getrs" ? 2 : 1);
  if (!n.has_value()) return std::nullopt;
  const double order = (*n)[0];
  if (kind == "dot") return MklWork{2 * order, order, order, 1};
  if (kind == "axpy") return MklWork{2 * order, order, order, order};
  if (kind == "scal") return MklWork{order, order, 0, order};
  const double triangle = order * (order + 1) / 2;
  if (kind == "potrf") return MklWork{order * order * order / 3, triangle, 0, triangle};
  if (kind == "getrf") return MklWork{LuFlops(order, (*n)[1]), order * (*n)[1], 0, order * (*n)[1]};
  if (kind == "getrs")
    return MklWork{2 * order * order * (*n)[1], order * order, order * (*n)[1], order * (*n)[1]};
  return std::nullopt;
}

constexpr std::array<std::string_view, 14> kKinds = {"gemm",  "gemm_batch", "gemm_batch_strided",
                                                     "gemv",  "dot",        "axpy",
                                                     "scal",  "ger",        "syrk",
                                                     "trsm",  "trmm",       "potrf",
                                                     "getrf", "getrs"};

}  // namespace

Cost EstimateMkl(const Announcement& announcement) {
  Cost cost;
  const auto type = TypeOf(announcement.implementation);
  if (type.has_value()) cost.dtype = type->dtype;
  if (!type.has_value() ||
      std::find(kKinds.begin(), kKinds.end(), announcement.kind) == kKinds.end()) {
    cost.status = CostStatus::kUnknownKind;
    return cost;
  }
  Arguments arguments;
  std::string_view rest = announcement.problem;
  while (true) {
    const std::size_t cut = rest.find(',');
    arguments.push_back(rest.substr(0, cut));
    if (cut == std::string_view::npos) break;
    rest.remove_prefix(cut + 1);
  }
  const auto work = WorkOf(announcement.kind, arguments);
  if (!work.has_value()) return cost;
  cost.status = CostStatus::kKnown;
  cost.flops = work->flops * type->flops_scale;
  cost.read_bytes = work->read_a * type->read_a + work->read_b * type->read_b;
  cost.write_bytes = work->written * type->write;
  return cost;
}

}  // namespace xsp::primitives
