#ifndef XSP_MEASURE_MODELS_PYTHON_MODULES_H_
#define XSP_MEASURE_MODELS_PYTHON_MODULES_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"

namespace xsp::models {

/// Modules by name with their versions (empty: not known); nothing: not there.
using PythonModules = std::map<std::string, std::optional<std::string>>;

/// $XSP_PYTHON, python3, and `<DataRoot>/.deps/*/bin/python` by name.
std::vector<std::string> PythonCandidates();

/// What `python` has of `modules`: they are looked for, not imported, which takes seconds. Nothing:
/// it does not run. From any thread. Errors: kInterrupted (`wake_fd` became readable).
Result<std::optional<PythonModules>> LookForModules(const std::string& python,
                                                    const std::vector<std::string>& modules,
                                                    int wake_fd = -1);

/// Whether `python` can import all of `modules`: one that is there may be broken. From any thread.
/// Errors: kInterrupted.
Result<bool> CanImport(const std::string& python, const std::vector<std::string>& modules,
                       int wake_fd = -1);

}  // namespace xsp::models

#endif  // XSP_MEASURE_MODELS_PYTHON_MODULES_H_
