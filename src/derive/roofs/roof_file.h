#ifndef XSP_DERIVE_ROOFS_ROOF_FILE_H_
#define XSP_DERIVE_ROOFS_ROOF_FILE_H_

#include <filesystem>
#include <string>
#include <vector>

#include "core/result.h"
#include "derive/roofs/roof.h"

namespace xsp::roofs {

/// The roofs of one processor, and which it is.
struct NamedRoofs {
  enum class Processor {
    kCpu,
    kGpu,
    kNamed,  ///< A user named it: a CPU or a GPU.
  };
  std::string name;
  Processor processor = Processor::kNamed;
  RoofReport report;
};

/// Reads what `xsp system --format json` wrote on some machine: the measured roofs of its CPU, then
/// of each GPU; or with `--device NAME` the data sheet of that one. Not empty. Errors: kBadInput
/// (no such file, another JSON document, no roofs in it).
Result<std::vector<NamedRoofs>> ReadRoofFile(const std::filesystem::path& file);

/// The data sheet of a GPU or, if there is none of that name, of a CPU with all of its cores.
/// Errors: as of DataSheetRoofs(); the hint names the devices with the most similar names.
Result<NamedRoofs> DataSheetOf(const std::string& name);

}  // namespace xsp::roofs

#endif  // XSP_DERIVE_ROOFS_ROOF_FILE_H_
