#ifndef XSP_DERIVE_COMPARE_MACHINE_H_
#define XSP_DERIVE_COMPARE_MACHINE_H_

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace xsp::compare {

/// The processors of the machine on which a run was measured.
struct Machine {
  std::string cpu;  ///< Model; empty: not known.
  std::string gpu;  ///< Of an imported file its first; of several files each name once, joined.
                    ///< Empty: none, or not known.
};

/// What the file that was imported as `run` states as the fact `key`; of several files (facts
/// "file.N.KEY") each value once, joined by ", ". Empty: nothing, or run.json is none.
std::string FactOf(const nlohmann::json& run, std::string_view key);

/// As run.json has it: the captured stack, or facts of the file that was imported.
Machine MachineOf(const nlohmann::json& run);

}  // namespace xsp::compare

#endif  // XSP_DERIVE_COMPARE_MACHINE_H_
