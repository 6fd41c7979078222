// Measures the alternatives of one primitive on an NVIDIA GPU and prints them as JSON.
//
// Usage: xsp-cuda-alternatives --version                  the libraries, "cuBLASLt 13.1.0, cuDNN
//                                                         9.10.2"; needs no GPU
//        xsp-cuda-alternatives --devices                  ["NVIDIA H100 80GB HBM3"], by ordinal
//        xsp-cuda-alternatives DEVICE LIMIT_S PRIMITIVE   measures (primitive.h, answer.h)
// PRIMITIVE: {"kind": "matmul", "problem": "128x768:768x3072", "dtype": "float32", "post_ops":
// ["bias"]}
// Environment: XSP_CUDA_LIBRARY_PATH: folders in which the libraries are looked for first.
// Exit status: 0 done; 2 wrong usage; 4 this machine or the libraries cannot do it (why: stderr).

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <exception>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "answer.h"
#include "convolutions.h"
#include "gpu.h"
#include "primitive.h"
#include "products.h"
#include "shared_library.h"

namespace xsp::cuda_alternatives {
namespace {

constexpr int kUsage = 2, kNotPossible = 4;

template <typename Number>
std::optional<Number> NumberFrom(std::string_view text) {
  Number value{};
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Throws NotPossible where there is none.
std::string LibraryNames() {
  const auto products = ProductLibraryName(), convolutions = ConvolutionLibraryName();
  if (!products && !convolutions)
    throw NotPossible(
        "neither libcublasLt.so nor libcudnn.so is there; XSP_CUDA_LIBRARY_PATH names folders of "
        "them");
  if (!products || !convolutions) return products ? *products : *convolutions;
  return *products + ", " + *convolutions;
}

void Print(const nlohmann::json& object) {
  fmt::print("{}\n", object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

void Measure(int device, double limit_s, const Primitive& primitive) {
  Answer answer(limit_s);
  const std::string library = LibraryNames();
  const Gpu gpu(device);
  try {
    if (primitive.kind == "convolution")
      MeasureConvolutions(gpu, primitive, answer);
    else
      MeasureProducts(gpu, primitive, answer);
  } catch (const DeviceError& error) {
    // What was measured before counts; nothing works any more.
    fmt::print(stderr, "error: {}\n", error.what());
    answer.SetIncomplete();
  }
  nlohmann::json object = answer.ToJson();
  object["library"] = library;
  object["device"] = gpu.name();
  Print(object);
}

int Main(int argc, char** argv) {
  const std::string_view first = argc > 1 ? argv[1] : "";
  if (argc == 2 && first == "--version") {
    fmt::print("{}\n", LibraryNames());
    return 0;
  }
  if (argc == 2 && first == "--devices") {
    Print(Gpu::Names());
    return 0;
  }
  if (argc != 4) {
    fmt::print(stderr,
               "usage: xsp-cuda-alternatives --version | --devices | DEVICE LIMIT_S PRIMITIVE\n");
    return kUsage;
  }
  const auto device = NumberFrom<int>(first);
  const auto limit_s = NumberFrom<double>(argv[2]);
  const auto primitive = PrimitiveFrom(nlohmann::json::parse(argv[3], nullptr, false));
  if (!device || *device < 0 || !limit_s || !std::isfinite(*limit_s) || *limit_s <= 0 ||
      !primitive) {
    fmt::print(stderr, "error: no device, seconds and primitive: {} {} {}\n", argv[1], argv[2],
               argv[3]);
    return kUsage;
  }
  Measure(*device, *limit_s, *primitive);
  return 0;
}

int ReportErrors(int argc, char** argv) {
  try {
    return Main(argc, argv);
  } catch (const std::invalid_argument& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return kUsage;
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return kNotPossible;
  }
}

}  // namespace
}  // namespace xsp::cuda_alternatives

int main(int argc, char** argv) { return xsp::cuda_alternatives::ReportErrors(argc, argv); }
