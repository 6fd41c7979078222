#ifndef XSP_DERIVE_COMPARE_MACHINE_H_
#define XSP_DERIVE_COMPARE_MACHINE_H_

#include <nlohmann/json.hpp>
#include <string>

namespace xsp::compare {

/// The processors of the machine on which a run was measured.
struct Machine {
  std::string cpu;  ///< Model; empty: not known.
  std::string gpu;  ///< Name of the first; empty: none, or not known.
};

/// As run.json has it: the captured stack, or facts of the file that was imported.
Machine MachineOf(const nlohmann::json& run);

}  // namespace xsp::compare

#endif  // XSP_DERIVE_COMPARE_MACHINE_H_
