#include "convolutions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

#include "operands.h"
#include "shared_library.h"

namespace xsp::cuda_alternatives {
namespace {

// cudnn_ops.h, cudnn_graph.h and cudnn_cnn.h of cuDNN 8 and 9, declared here so that nothing of
// them is needed to build. Handles and descriptors are pointers.
struct Performance {  // cudnnConvolutionFwdAlgoPerf_t
  int algorithm;
  int status;
  float ms;
  std::size_t workspace_bytes;
  int determinism;
  int math;
  int reserved[3];
};
static_assert(sizeof(Performance) == 48);

constexpr int kSuccess = 0, kFloat = 0;
constexpr int kNchw = 0, kNhwc = 1;                             // cudnnTensorFormat_t
constexpr int kCrossCorrelation = 1;                            // cudnnConvolutionMode_t
constexpr int kDefaultMath = 0, kTensorMath = 1, kFmaMath = 3;  // cudnnMathType_t
constexpr const char* kMathNames[] = {"default", "tensor core", "tensor core with conversion",
                                      "FMA"};
constexpr const char* kAlgorithmNames[] = {
    "implicit_gemm", "implicit_precomp_gemm", "gemm", "direct", "fft", "fft_tiling",
    "winograd",      "winograd_nonfused"};
constexpr int kResults = 16;  // Twice the algorithms: some are named with two kinds of arithmetic.
constexpr std::int64_t kMaxWorkspaceBytes = 1LL << 30;

struct Functions {
  int (*create)(void**);
  int (*destroy)(void*);
  int (*set_stream)(void*, void*);
  int (*property)(int, int*);
  int (*create_tensor)(void**);
  int (*destroy_tensor)(void*);
  int (*set_tensor)(void*, int, int, int, const int*);
  int (*create_filter)(void**);
  int (*destroy_filter)(void*);
  int (*set_filter)(void*, int, int, int, const int*);
  int (*create_convolution)(void**);
  int (*destroy_convolution)(void*);
  int (*set_convolution)(void*, int, const int*, const int*, const int*, int, int);
  int (*set_groups)(void*, int);
  int (*set_math)(void*, int);
  int (*heuristic)(void*, void*, void*, void*, void*, int, int*, Performance*);
  int (*workspace)(void*, void*, void*, void*, void*, int, std::size_t*);
  int (*convolve)(void*, const void*, void*, const void*, void*, const void*, void*, int, void*,
                  std::size_t, const void*, void*, void*);
};

std::optional<Functions> Load() {
  // Engines that are compiled at run time look for it by name; it need not be there.
  SharedLibrary::Open({"libnvrtc.so.13", "libnvrtc.so.12"});
  const auto library = SharedLibrary::Open({"libcudnn.so.9", "libcudnn.so.8", "libcudnn.so"});
  if (!library) return std::nullopt;
  Functions all{};
  library->Load("cudnnCreate", all.create);
  library->Load("cudnnDestroy", all.destroy);
  library->Load("cudnnSetStream", all.set_stream);
  library->Load("cudnnGetProperty", all.property);
  library->Load("cudnnCreateTensorDescriptor", all.create_tensor);
  library->Load("cudnnDestroyTensorDescriptor", all.destroy_tensor);
  library->Load("cudnnSetTensorNdDescriptorEx", all.set_tensor);
  library->Load("cudnnCreateFilterDescriptor", all.create_filter);
  library->Load("cudnnDestroyFilterDescriptor", all.destroy_filter);
  library->Load("cudnnSetFilterNdDescriptor", all.set_filter);
  library->Load("cudnnCreateConvolutionDescriptor", all.create_convolution);
  library->Load("cudnnDestroyConvolutionDescriptor", all.destroy_convolution);
  library->Load("cudnnSetConvolutionNdDescriptor", all.set_convolution);
  library->Load("cudnnSetConvolutionGroupCount", all.set_groups);
  library->Load("cudnnSetConvolutionMathType", all.set_math);
  library->Load("cudnnGetConvolutionForwardAlgorithm_v7", all.heuristic);
  library->Load("cudnnGetConvolutionForwardWorkspaceSize", all.workspace);
  library->Load("cudnnConvolutionForward", all.convolve);
  return all;
}

/// A status of the library that is no success, without a fault of the device.
struct Refused : std::runtime_error {
  explicit Refused(int status) : std::runtime_error(ReasonOf(status)) {}
  static std::string ReasonOf(int status) {
    // CUDNN_STATUS_BAD_PARAM and CUDNN_STATUS_NOT_SUPPORTED of cuDNN 8; 9 has families of them.
    const bool is_unsupported =
        status == 3 || status == 9 || status / 1000 == 2 || status / 1000 == 3;
    return is_unsupported ? "not supported by cuDNN"
                          : fmt::format("cuDNN failed with status {}", status);
  }
};

void Check(int status) {
  if (status != kSuccess) throw Refused(status);
}

template <typename Names>
const char* NameIn(const Names& names, int value) {
  return value >= 0 && value < static_cast<int>(std::size(names)) ? names[value] : "unknown";
}

/// Descriptors of one convolution.
class Operation {
 public:
  Operation(const Functions& all, const Convolution& of, const Type& type, int format) : all_(all) {
    try {
      Check(all.create_tensor(&source));
      Check(all.create_tensor(&result));
      Check(all.create_filter(&weights));
      Check(all.create_convolution(&convolution));
      Check(SetSizes(all.set_tensor, source, format, type.cudnn_type, of.SourceSizes()));
      Check(SetSizes(all.set_tensor, result, format, type.cudnn_type, of.ResultSizes()));
      // The filter's type stands before its format.
      Check(SetSizes(all.set_filter, weights, type.cudnn_type, format, of.WeightsSizes()));
      Check(all.set_convolution(convolution, static_cast<int>(of.in.size()), of.padding.data(),
                                of.stride.data(), of.dilation.data(), kCrossCorrelation, kFloat));
      Check(all.set_groups(convolution, static_cast<int>(of.groups)));
    } catch (const Refused&) {
      Destroy();
      throw;
    }
  }
  ~Operation() { Destroy(); }
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;

  void *source = nullptr, *weights = nullptr, *result = nullptr, *convolution = nullptr;

 private:
  static int SetSizes(int (*set)(void*, int, int, int, const int*), void* descriptor, int first,
                      int second, const std::vector<int>& sizes) {
    return set(descriptor, first, second, static_cast<int>(sizes.size()), sizes.data());
  }

  void Destroy() {
    if (source != nullptr) all_.destroy_tensor(source);
    if (result != nullptr) all_.destroy_tensor(result);
    if (weights != nullptr) all_.destroy_filter(weights);
    if (convolution != nullptr) all_.destroy_convolution(convolution);
  }

  const Functions& all_;
};

std::int64_t Elements(const std::vector<int>& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies<>());
}

/// "abcd" or "acdb", "acdeb"
std::string LayoutOf(bool is_channels_last, std::size_t rank) {
  std::string letters = std::string("abcde").substr(0, rank);
  if (is_channels_last) std::rotate(letters.begin() + 1, letters.begin() + 2, letters.end());
  return letters;
}

class Measurer {
 public:
  Measurer(const Gpu& gpu, const Primitive& primitive, Answer& answer)
      : gpu_(gpu), convolution_(ConvolutionOf(primitive)), answer_(answer) {
    if (!primitive.post_ops.empty())
      throw NotPossible("convolutions with post-operations are not measured");
    const auto found = Load();
    if (!found) throw NotPossible("cuDNN is not there (libcudnn.so)");
    all_ = *found;
    if (const int status = all_.create(&handle_); status != kSuccess)
      throw NotPossible(fmt::format("cuDNN cannot be used here: status {}", status));
    all_.set_stream(handle_, gpu.stream());
  }
  ~Measurer() { all_.destroy(handle_); }
  Measurer(const Measurer&) = delete;
  Measurer& operator=(const Measurer&) = delete;

  void Measure(const Type& type) {
    if (type.cudnn_type < 0) throw NotPossible("not measured");
    const Operands operands(gpu_, type, Elements(convolution_.SourceSizes()),
                            Elements(convolution_.WeightsSizes()),
                            Elements(convolution_.ResultSizes()), true);
    for (const char* format : {"plain", "channels_last"}) Try(type, format, operands);
  }

 private:
  void Try(const Type& type, const std::string& format, const Operands& operands) {
    if (answer_.IsLate()) return;
    const std::string name = type.name;
    Variant variant = {name, format, "heuristic"};
    try {
      const Operation operation(all_, convolution_, type, format == "plain" ? kNchw : kNhwc);
      const int allowed = name == "float32"    ? kFmaMath
                          : name == "tfloat32" ? kDefaultMath
                                               : kTensorMath;
      Check(all_.set_math(operation.convolution, allowed));
      std::array<Performance, kResults> results{};
      int count = 0;
      Check(all_.heuristic(handle_, operation.source, operation.weights, operation.convolution,
                           operation.result, kResults, &count, results.data()));
      bool is_found = false;
      for (int i = 0; i < std::min(count, kResults) && !answer_.IsLate(); ++i) {
        Performance result = results[static_cast<std::size_t>(i)];
        if (result.status != kSuccess) continue;
        if (name == "float32") result.math = kFmaMath;
        if (name == "tfloat32" && result.math == kFmaMath) continue;  // Not TF32.
        variant.algorithm = NameIn(kAlgorithmNames, result.algorithm);
        is_found = true;
        Time(variant, operation, result, operands);
      }
      variant.algorithm = "heuristic";
      if (!is_found && !answer_.IsLate()) answer_.Reject(variant, "no algorithm");
    } catch (const Refused& error) {
      answer_.Reject(variant, error.what());
    }
  }

  /// At least `bytes`.
  void ReserveWorkspace(std::size_t bytes) {
    const auto wanted = static_cast<std::int64_t>(bytes);
    if (wanted > kMaxWorkspaceBytes) throw NotPossible("needs more than 1 GiB of workspace");
    if (wanted <= workspace_.bytes()) return;
    workspace_ = Memory();
    workspace_ = Memory(gpu_, wanted);
  }

  void Time(const Variant& variant, const Operation& operation, const Performance& performance,
            const Operands& operands) {
    const float one = 1, zero = 0;
    const bool is_channels_last = variant.format == "channels_last";
    const std::string layout = LayoutOf(is_channels_last, convolution_.in.size() + 2);
    try {
      Check(all_.set_math(operation.convolution, performance.math));
      std::size_t workspace_bytes = 0;
      Check(all_.workspace(handle_, operation.source, operation.weights, operation.convolution,
                           operation.result, performance.algorithm, &workspace_bytes));
      ReserveWorkspace(workspace_bytes);
      answer_.Time(
          gpu_, variant,
          {fmt::format("{}, {} math", variant.algorithm, NameIn(kMathNames, performance.math)),
           layout, layout, layout},
          [&](std::int64_t number) {
            Check(all_.convolve(handle_, &one, operation.source, operands.source(),
                                operation.weights, operands.weights(number), operation.convolution,
                                performance.algorithm, workspace_.At(0), workspace_bytes, &zero,
                                operation.result, operands.result()));
          });
    } catch (const Refused& error) {
      answer_.Reject(variant, error.what());
    } catch (const NotPossible& error) {  // The workspace.
      answer_.Reject(variant, error.what());
    }
  }

  const Gpu& gpu_;
  const Convolution convolution_;
  Answer& answer_;
  Functions all_{};
  void* handle_ = nullptr;
  Memory workspace_;
};

}  // namespace

std::optional<std::string> ConvolutionLibraryName() {
  const auto all = Load();
  if (!all) return std::nullopt;
  int major = 0, minor = 0, patch = 0;
  all->property(0, &major);  // libraryPropertyType
  all->property(1, &minor);
  all->property(2, &patch);
  return fmt::format("cuDNN {}.{}.{}", major, minor, patch);
}

void MeasureConvolutions(const Gpu& gpu, const Primitive& primitive, Answer& answer) {
  Measurer measurer(gpu, primitive, answer);
  MeasureTypes(gpu, primitive, answer, [&](const Type& type) { measurer.Measure(type); });
}

}  // namespace xsp::cuda_alternatives
