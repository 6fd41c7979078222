#ifndef XSP_CAPTURE_RECORD_HOOK_SPEC_H_
#define XSP_CAPTURE_RECORD_HOOK_SPEC_H_

#include <span>
#include <string_view>

namespace xsp::record {

/// A library of ours that another library of a program loads because an environment variable names
/// it. Each is declared as `kHook` in the hook.h of its folder: a header, because the sources of
/// that folder go into measured programs and what plans a recording does not load them. Static
/// data, also where the library was not built.
struct HookSpec {
  std::string_view name;      ///< The folder's; the library is libxsp-NAME.so.
  const char* variable;       ///< Takes one library, which whoever sets it has alone.
  std::string_view what;      ///< What it records, for people: "CUDA".
  std::string_view commands;  ///< What builds it.

  /// Variables that keep a library of the program from reporting its calls here, of which each
  /// does. The first is set to 0 where library calls are not recorded, unless the user has set one.
  std::span<const char* const> silencers = {};
};

/// Every hook, by folder name. Generated (module.cmake).
std::span<const HookSpec* const> AllHooks();

}  // namespace xsp::record

#endif  // XSP_CAPTURE_RECORD_HOOK_SPEC_H_
