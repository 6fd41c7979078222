#ifndef XSP_MEASURE_MODELS_ZOO_MAKER_H_
#define XSP_MEASURE_MODELS_ZOO_MAKER_H_

#include <filesystem>
#include <string>
#include <vector>

#include "core/result.h"

namespace xsp::models {

/// What the comment lines of a Python program of the zoo say: `# needs: torch, onnx` and
/// `# imports: model.py, ../other/part.py`.
struct ProgramNotes {
  std::vector<std::string> needs;    ///< Python modules.
  std::vector<std::string> imports;  ///< Files, relative to the program's folder.
};

/// Reads them. Errors: as os::ReadFile; kBadInput (a module's name that is none).
Result<ProgramNotes> ReadProgramNotes(const std::filesystem::path& program);

/// The hash over everything that makes a model in a format: all files of its folder, the maker, all
/// files in the folders below `makers`, and what `# imports:` lines of these name, recursively.
/// Files that cannot be read count as empty.
std::string KeyOf(const std::filesystem::path& folder, const std::filesystem::path& maker,
                  const std::filesystem::path& makers);

}  // namespace xsp::models

#endif  // XSP_MEASURE_MODELS_ZOO_MAKER_H_
