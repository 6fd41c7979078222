#include "products.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "operands.h"
#include "shared_library.h"

namespace xsp::cuda_alternatives {
namespace {

// cublasLt.h of CUDA 11.4 to 13.1, declared here so that nothing of it is needed to build. Handles
// and descriptors are pointers.
struct Algorithm {
  std::uint64_t data[8];  // cublasLtMatmulAlgo_t
};
struct HeuristicResult {  // cublasLtMatmulHeuristicResult_t
  Algorithm algorithm;
  std::size_t workspace_bytes;
  int status;
  float waves;
  int reserved[4];
};
static_assert(sizeof(HeuristicResult) == 96);

constexpr int kSuccess = 0;
// cublasLtMatmulDescAttributes_t
constexpr int kTransposeA = 3, kEpilogue = 7, kBiasPointer = 8;
constexpr int kBatchCount = 5, kBatchStride = 6;  // cublasLtMatrixLayoutAttribute_t
constexpr int kMaxWorkspaceBytes = 1;             // cublasLtMatmulPreferenceAttributes_t
// cublasLtMatmulAlgoConfigAttributes_t
constexpr int kAlgorithmId = 0, kTileId = 1, kSplitK = 2, kStagesId = 6, kClusterShape = 8;
// cublasLtEpilogue_t: a relu or gelu and a bias are added.
constexpr std::uint32_t kNoEpilogue = 1, kRelu = 2, kBias = 4, kGelu = 32;
constexpr std::int32_t kTransposed = 1;  // CUBLAS_OP_T

constexpr int kAlgorithms = 8;
constexpr std::uint64_t kWorkspaceBytes = 32 << 20;  // What PyTorch has on a Hopper.

struct Functions {
  int (*create)(void**);
  int (*destroy)(void*);
  int (*property)(int, int*);
  int (*create_layout)(void**, int, std::uint64_t, std::uint64_t, std::int64_t);
  int (*destroy_layout)(void*);
  int (*set_layout)(void*, int, const void*, std::size_t);
  int (*create_operation)(void**, int, int);
  int (*destroy_operation)(void*);
  int (*set_operation)(void*, int, const void*, std::size_t);
  int (*create_preference)(void**);
  int (*destroy_preference)(void*);
  int (*set_preference)(void*, int, const void*, std::size_t);
  int (*heuristic)(void*, void*, void*, void*, void*, void*, void*, int, HeuristicResult*, int*);
  int (*multiply)(void*, void*, const void*, const void*, void*, const void*, void*, const void*,
                  const void*, void*, void*, void*, const Algorithm*, void*, std::size_t, void*);
  int (*configuration)(const Algorithm*, int, void*, std::size_t, std::size_t*);
};

std::optional<Functions> Load() {
  const auto library = SharedLibrary::Open(
      {"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so.11", "libcublasLt.so"});
  if (!library) return std::nullopt;
  Functions all{};
  library->Load("cublasLtCreate", all.create);
  library->Load("cublasLtDestroy", all.destroy);
  library->Load("cublasLtGetProperty", all.property);
  library->Load("cublasLtMatrixLayoutCreate", all.create_layout);
  library->Load("cublasLtMatrixLayoutDestroy", all.destroy_layout);
  library->Load("cublasLtMatrixLayoutSetAttribute", all.set_layout);
  library->Load("cublasLtMatmulDescCreate", all.create_operation);
  library->Load("cublasLtMatmulDescDestroy", all.destroy_operation);
  library->Load("cublasLtMatmulDescSetAttribute", all.set_operation);
  library->Load("cublasLtMatmulPreferenceCreate", all.create_preference);
  library->Load("cublasLtMatmulPreferenceDestroy", all.destroy_preference);
  library->Load("cublasLtMatmulPreferenceSetAttribute", all.set_preference);
  library->Load("cublasLtMatmulAlgoGetHeuristic", all.heuristic);
  library->Load("cublasLtMatmul", all.multiply);
  library->Load("cublasLtMatmulAlgoConfigGetAttribute", all.configuration);
  return all;
}

/// A status of the library that is no success, without a fault of the device.
struct Refused : std::runtime_error {
  explicit Refused(int status) : std::runtime_error(ReasonOf(status)) {}
  static std::string ReasonOf(int status) {
    constexpr int kInvalidValue = 7, kNotSupported = 15;
    return status == kNotSupported || status == kInvalidValue
               ? "not supported by cuBLASLt"
               : fmt::format("cuBLASLt failed with status {}", status);
  }
};

void Check(int status) {
  if (status != kSuccess) throw Refused(status);
}

template <typename Value>
Value ConfigurationOf(const Functions& all, const Algorithm& algorithm, int attribute) {
  Value value{};
  std::size_t written = 0;
  all.configuration(&algorithm, attribute, &value, sizeof value, &written);
  return value;
}

/// Numbers as in cublasLt.h (cublasLtMatmulTile_t, ...): the library has no names for them.
std::string NameOf(const Functions& all, const Algorithm& algorithm) {
  return fmt::format("algorithm {}, tile {}, stages {}, split-k {}, cluster {}",
                     ConfigurationOf<std::int32_t>(all, algorithm, kAlgorithmId),
                     ConfigurationOf<std::uint32_t>(all, algorithm, kTileId),
                     ConfigurationOf<std::uint32_t>(all, algorithm, kStagesId),
                     ConfigurationOf<std::int32_t>(all, algorithm, kSplitK),
                     ConfigurationOf<std::uint16_t>(all, algorithm, kClusterShape));
}

/// Descriptors of one product. The library's matrices are columns: it computes result' [n, m] =
/// weights' [n, k] source' [k, m], whose memory is that of rows.
class Operation {
 public:
  Operation(const Functions& all, const Product& product, const Primitive& primitive,
            const Type& type, bool is_transposed, const void* bias)
      : all_(all) {
    try {
      Describe(product, type, is_transposed);
      std::uint32_t epilogue = (primitive.Has("relu") ? kRelu : 0) |
                               (primitive.Has("gelu") ? kGelu : 0) |
                               (primitive.Has("bias") ? kBias : 0);
      if (epilogue == 0) epilogue = kNoEpilogue;
      Check(all.set_operation(operation, kEpilogue, &epilogue, sizeof epilogue));
      if (primitive.Has("bias"))
        Check(all.set_operation(operation, kBiasPointer, &bias, sizeof bias));
      const std::uint64_t workspace_bytes = kWorkspaceBytes;
      Check(all.create_preference(&preference));
      Check(all.set_preference(preference, kMaxWorkspaceBytes, &workspace_bytes,
                               sizeof workspace_bytes));
    } catch (const Refused&) {
      Destroy();
      throw;
    }
  }
  ~Operation() { Destroy(); }
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;

  void *operation = nullptr, *preference = nullptr;
  void *weights = nullptr, *source = nullptr, *result = nullptr;

 private:
  void Describe(const Product& of, const Type& type, bool is_transposed) {
    Check(all_.create_operation(&operation, type.cublas_compute, type.cublas_scale));
    if (is_transposed)
      Check(all_.set_operation(operation, kTransposeA, &kTransposed, sizeof kTransposed));
    weights = is_transposed ? Layout(type.cublas_type, of.k, of.n, of.has_one_weights, of.batch)
                            : Layout(type.cublas_type, of.n, of.k, of.has_one_weights, of.batch);
    source = Layout(type.cublas_type, of.k, of.m, of.has_one_source, of.batch);
    result = Layout(type.cublas_result, of.n, of.m, false, of.batch);
  }

  void* Layout(int type, std::int64_t rows, std::int64_t columns, bool is_one, std::int64_t batch) {
    void* layout = nullptr;
    Check(all_.create_layout(&layout, type, static_cast<std::uint64_t>(rows),
                             static_cast<std::uint64_t>(columns), rows));
    if (batch == 1) return layout;
    const auto count = static_cast<std::int32_t>(batch);
    const std::int64_t stride = is_one ? 0 : rows * columns;
    Check(all_.set_layout(layout, kBatchCount, &count, sizeof count));
    Check(all_.set_layout(layout, kBatchStride, &stride, sizeof stride));
    return layout;
  }

  void Destroy() {
    for (void* layout : {weights, source, result})
      if (layout != nullptr) all_.destroy_layout(layout);
    if (operation != nullptr) all_.destroy_operation(operation);
    if (preference != nullptr) all_.destroy_preference(preference);
  }

  const Functions& all_;
};

class Measurer {
 public:
  Measurer(const Gpu& gpu, const Primitive& primitive, Answer& answer)
      : gpu_(gpu), primitive_(primitive), product_(ProductOf(primitive)), answer_(answer) {
    const auto found = Load();
    if (!found) throw NotPossible("cuBLASLt is not there (libcublasLt.so)");
    all_ = *found;
    workspace_ = Memory(gpu, kWorkspaceBytes);
    if (const int status = all_.create(&handle_); status != kSuccess)
      throw NotPossible(fmt::format("cuBLASLt cannot be used here: status {}", status));
  }
  ~Measurer() { all_.destroy(handle_); }
  Measurer(const Measurer&) = delete;
  Measurer& operator=(const Measurer&) = delete;

  void Measure(const Type& type) {
    const Product& of = product_;
    const Operands operands(gpu_, type, (of.has_one_source ? 1 : of.batch) * of.m * of.k,
                            (of.has_one_weights ? 1 : of.batch) * of.k * of.n,
                            of.batch * of.m * of.n, of.batch == 1);
    // Biases and summands: zeros of any type.
    const Memory addend(gpu_, of.batch * of.m * of.n * type.result_bytes);
    addend.Fill(std::vector<char>(1 << 20));
    for (const char* format : {"plain", "transposed"}) Try(type, format, operands, addend);
  }

 private:
  void Try(const Type& type, const std::string& format, const Operands& operands,
           const Memory& addend) {
    if (answer_.IsLate()) return;
    Variant variant = {type.name, format, "heuristic"};
    try {
      const Operation operation(all_, product_, primitive_, type, format == "transposed",
                                addend.At(0));
      std::array<HeuristicResult, kAlgorithms> results{};
      int count = 0;
      Check(all_.heuristic(handle_, operation.operation, operation.weights, operation.source,
                           operation.result, operation.result, operation.preference, kAlgorithms,
                           results.data(), &count));
      if (count == 0) return answer_.Reject(variant, "no algorithm");
      for (int i = 0; i < std::min(count, kAlgorithms) && !answer_.IsLate(); ++i) {
        variant.algorithm = fmt::format("heuristic {}", i + 1);
        const HeuristicResult& result = results[static_cast<std::size_t>(i)];
        if (result.status != kSuccess)
          answer_.Reject(variant, Refused::ReasonOf(result.status));
        else
          Time(variant, operation, result.algorithm, type, operands, addend);
      }
    } catch (const Refused& error) {
      answer_.Reject(variant, error.what());
    }
  }

  void Time(const Variant& variant, const Operation& operation, const Algorithm& algorithm,
            const Type& type, const Operands& operands, const Memory& addend) {
    const bool is_sum = primitive_.Has("sum");
    // The type of the factors is that of the scale.
    constexpr int kInt32 = 10;
    const bool is_int = type.cublas_scale == kInt32;
    const float one = 1, zero = 0;
    const std::int32_t int_one = 1, int_zero = 0;
    const void* const alpha = is_int ? static_cast<const void*>(&int_one) : &one;
    const void* const beta =
        is_int ? static_cast<const void*>(is_sum ? &int_one : &int_zero) : (is_sum ? &one : &zero);
    try {
      answer_.Time(
          gpu_, variant,
          {NameOf(all_, algorithm), "ab", variant.format == "transposed" ? "ba" : "ab", "ab"},
          [&](std::int64_t number) {
            Check(all_.multiply(handle_, operation.operation, alpha, operands.weights(number),
                                operation.weights, operands.source(), operation.source, beta,
                                is_sum ? addend.At(0) : operands.result(), operation.result,
                                operands.result(), operation.result, &algorithm, workspace_.At(0),
                                kWorkspaceBytes, gpu_.stream()));
          });
    } catch (const Refused& error) {
      answer_.Reject(variant, error.what());
    }
  }

  const Gpu& gpu_;
  const Primitive& primitive_;
  const Product product_;
  Answer& answer_;
  Functions all_{};
  void* handle_ = nullptr;
  Memory workspace_;
};

}  // namespace

std::optional<std::string> ProductLibraryName() {
  const auto all = Load();
  if (!all) return std::nullopt;
  int major = 0, minor = 0, patch = 0;
  all->property(0, &major);  // libraryPropertyType
  all->property(1, &minor);
  all->property(2, &patch);
  return fmt::format("cuBLASLt {}.{}.{}", major, minor, patch);
}

void MeasureProducts(const Gpu& gpu, const Primitive& primitive, Answer& answer) {
  Measurer measurer(gpu, primitive, answer);
  MeasureTypes(gpu, primitive, answer, [&](const Type& type) { measurer.Measure(type); });
}

}  // namespace xsp::cuda_alternatives
