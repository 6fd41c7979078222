// Measures the alternatives of one oneDNN primitive on this CPU and prints them as JSON.
//
// Usage: xsp-onednn-alternatives --version                    the library, "oneDNN 3.2.0"
//        xsp-onednn-alternatives THREADS LIMIT_S PRIMITIVE    measures (alternatives.h)
// PRIMITIVE: {"kind": "convolution", "problem": "mb1_ic3oc64_ih...", "dtype": "float32",
// "post_ops": ["relu"]} Exit status: 0 done; 2 wrong usage; 4 the library cannot do it (why:
// stderr).

#include <dlfcn.h>
#include <fmt/format.h>

#include <charconv>
#include <exception>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "alternatives.h"

namespace xsp::onednn_alternatives {
namespace {

constexpr int kUsage = 2, kNotPossible = 4;

std::optional<double> NumberFrom(std::string_view text) {
  double value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size() || value <= 0)
    return std::nullopt;
  return value;
}

/// Of the OpenMP runtime that the library came with: this program needs no OpenMP of its compiler.
bool SetThreads(int threads) {
  void* const function = dlsym(RTLD_DEFAULT, "omp_set_num_threads");
  if (function == nullptr) return false;
  reinterpret_cast<void (*)(int)>(function)(threads);
  return true;
}

int Main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "--version") {
    fmt::print("{}\n", LibraryName());
    return 0;
  }
  if (argc != 4) {
    fmt::print(stderr, "usage: xsp-onednn-alternatives --version | THREADS LIMIT_S PRIMITIVE\n");
    return kUsage;
  }
  const auto threads = NumberFrom(argv[1]), limit_s = NumberFrom(argv[2]);
  const auto object = nlohmann::json::parse(argv[3], nullptr, false);
  const std::optional<Primitive> primitive = PrimitiveFrom(object);
  if (!threads || *threads > 4096 || !limit_s || !primitive) {
    fmt::print(stderr, "error: no threads, seconds and primitive: {} {} {}\n", argv[1], argv[2],
               argv[3]);
    return kUsage;
  }
  if (!SetThreads(static_cast<int>(*threads))) {
    fmt::print(stderr, "error: this oneDNN does not use OpenMP: its threads cannot be set\n");
    return kNotPossible;
  }
  try {
    nlohmann::json answer = MeasureAlternatives(*primitive, *limit_s);
    answer["library"] = LibraryName();
    answer["threads"] = static_cast<int>(*threads);
    fmt::print("{}\n", answer.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    return 0;
  } catch (const std::invalid_argument& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return kUsage;
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return kNotPossible;
  }
}

}  // namespace
}  // namespace xsp::onednn_alternatives

int main(int argc, char** argv) { return xsp::onednn_alternatives::Main(argc, argv); }
