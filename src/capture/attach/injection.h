#ifndef XSP_CAPTURE_ATTACH_INJECTION_H_
#define XSP_CAPTURE_ATTACH_INJECTION_H_

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.h"

namespace xsp::attach {

/// What is to be recorded inside an unchanged program.
struct InjectionRequest {
  std::filesystem::path libraries;    ///< Folder of libxsp*.so and python_hook/.
  std::filesystem::path recordings;   ///< Where each process puts its own.
  std::filesystem::path switch_page;  ///< See attach::LevelSwitch; empty: all is recorded.
  std::string depth = "kernel";       ///< model, layer, library or kernel.
  std::string range;          ///< Record only inside ranges of this name; empty: everywhere.
  double python_rate_hz = 0;  ///< Of Python call stacks; 0: none.
  /// Sets of kernel metrics to measure in place of times (record::kCudaMetricsVariable); empty:
  /// none.
  std::string cuda_metrics = {};
};

/// Environment variables that make the dynamic linker, CUDA, NVTX, ITT and Python load our
/// libraries.
struct Injection {
  std::vector<std::pair<std::string, std::string>> environment;
  /// What is not recorded because the user has taken its place: "CUDA: CUDA_INJECTION64_PATH is set
  /// already (…)".
  std::vector<std::string> left_out;
};

/// One thing that can be seen inside a program, and the library that sees it.
struct RecorderPart {
  std::string what;  ///< "CUDA"
  bool is_there = false;
  std::string version;  ///< Of what it fits; empty: of any.
  std::string where;    ///< Its file; where it is missing, what builds it.
};

/// What can be recorded with the libraries of `folder`, and what is missing for the rest.
std::vector<RecorderPart> RecorderParts(const std::filesystem::path& folder);

/// The variable by which CUDA's driver loads our library of `folder` into a process, and its value;
/// nothing: it was not built.
std::optional<std::pair<std::string, std::string>> CudaInjection(
    const std::filesystem::path& folder);

/// Where the running program has its libraries.
std::filesystem::path LibraryFolder();

/// Reads an environment variable; nothing: it is not set.
using EnvironmentReader = std::function<std::optional<std::string>(const char* name)>;

/// Bits of the levels that `depth` records (XSP_LEVEL_BIT). Errors: kUsage for another word.
Result<unsigned> LevelsOf(std::string_view depth);

/// Plans the injection on top of the environment that `environment` reads: what is preloaded or on
/// PYTHONPATH already stays, behind ours. A library that was not built is left out without a word.
/// Errors: kUsage (depth, an XSP_RECORD_CAPACITY that is no size), kNotPossible (no libraries
/// there, or a folder that the dynamic linker cannot name: it parts names at spaces and colons;
/// kernel metrics without the library for CUDA).
Result<Injection> PlanInjection(const InjectionRequest& request,
                                const EnvironmentReader& environment);

}  // namespace xsp::attach

#endif  // XSP_CAPTURE_ATTACH_INJECTION_H_
