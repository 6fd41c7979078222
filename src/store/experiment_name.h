#ifndef XSP_STORE_EXPERIMENT_NAME_H_
#define XSP_STORE_EXPERIMENT_NAME_H_

#include <filesystem>
#include <string>
#include <string_view>

#include "core/result.h"

namespace xsp::store {

/// Whether it is a name that an experiment or a baseline may have: SafeName() changes nothing of
/// it.
bool IsExperimentName(std::string_view name);

/// What such names are like, as a hint.
inline constexpr const char* kNameHint =
    "A name has letters, digits and `._-+=@,`, at most 120, begins with neither `.` nor `-`, and "
    "is not `latest`.";

/// The name to try where `name` is taken: "name-2" of "name", "name-3" of "name-2".
std::string NextName(const std::string& name);

/// Writes `name` into the experiment.json that `file` is. Errors: kBadInput (no JSON object),
/// kEnvironment.
Status WriteNameInto(const std::filesystem::path& file, std::string_view name);

}  // namespace xsp::store

#endif  // XSP_STORE_EXPERIMENT_NAME_H_
