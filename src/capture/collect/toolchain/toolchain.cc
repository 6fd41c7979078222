#include <fmt/format.h>
#include <gnu/libc-version.h>

#include "capture/collect/collector.h"
#include "capture/collect/machine_files.h"
#include "sanitizers.h"

namespace xsp::collect::toolchain {

namespace {

#if defined(__clang__)
constexpr const char* kCompiler = "clang " __clang_version__;
#else
constexpr const char* kCompiler = "g++ " __VERSION__;
#endif

#if defined(XSP_ADDRESS_SANITIZER)
constexpr const char* kSanitizer = "address";
#elif defined(XSP_THREAD_SANITIZER)
constexpr const char* kSanitizer = "thread";
#else
constexpr const char* kSanitizer = "none";
#endif

#ifdef __OPTIMIZE__
constexpr const char* kOptimised = "yes";
#else
constexpr const char* kOptimised = "no";
#endif

std::string StandardLibrary() {
#ifdef _GLIBCXX_RELEASE
  return fmt::format("libstdc++ {}", _GLIBCXX_RELEASE);
#else
  return "not libstdc++";
#endif
}

std::vector<Fact> CollectHere() {
  FactSheet sheet("toolchain");
  sheet.Add("compiler", std::string(kCompiler));
  sheet.Add("optimised", std::string(kOptimised));
  sheet.Add("sanitizer", std::string(kSanitizer));
  sheet.Add("c_library", fmt::format("glibc {}", gnu_get_libc_version()));
  sheet.Add("standard_library", StandardLibrary());
  return sheet.Take();
}

}  // namespace

extern const CollectorSpec kSpec;
constinit const CollectorSpec kSpec{.name = "toolchain",
                                    .summary = "Compiler and libraries that XSP itself runs on",
                                    .collect = CollectHere};

}  // namespace xsp::collect::toolchain
