#ifndef XSP_API_OPERATIONS_MACHINE_ROOFS_H_
#define XSP_API_OPERATIONS_MACHINE_ROOFS_H_

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/progress.h"
#include "core/result.h"
#include "derive/roofs/data_sheet_share.h"
#include "derive/roofs/roof.h"

namespace xsp::api {

/// The measured roofs of a processor beside its data sheet.
struct ProcessorRoofs {
  std::string title;         ///< The processor's name.
  roofs::RoofReport report;  ///< Without measured_at: only the data sheet was asked for.
  std::vector<roofs::Roof> sheet;
  std::string no_sheet;  ///< Why there is no data sheet.
  std::vector<roofs::DataSheetShare> shares;
};

/// How roofs are measured.
struct RoofOptions {
  int cores = 0;       ///< Cores that a job may use; 0: all.
  bool again = false;  ///< Measure them even if they are cached.
};

/// The roofs of this machine's CPU, then of each of its GPUs. GPUs that cannot be measured are left
/// out with a note. Errors: as roof_loops::MeasuredRoofs. Blocks.
Result<std::vector<ProcessorRoofs>> RoofsOfThisMachine(const RoofOptions& options,
                                                       core::Progress& progress);

/// The data sheet of a GPU or CPU by name. Errors: as roofs::DataSheetRoofs.
Result<ProcessorRoofs> RoofsOfDataSheet(const std::string& device);

/// `{"processor", "roofs", "data_sheet", "no_data_sheet", "measured_at", "conditions"}`; each roof
/// with its share of the data sheet where that states it.
nlohmann::json ToJson(const ProcessorRoofs& roofs);

/// Draws the roofs of the first processor to `file` (SVG, or else HTML) and of each other to a file
/// beside it: roofs.svg, roofs-gpu0.svg. Returns the files. Errors: as os::WriteFileAtomically.
Result<std::vector<std::filesystem::path>> WriteRooflines(const std::vector<ProcessorRoofs>& all,
                                                          const std::filesystem::path& file);

}  // namespace xsp::api

#endif  // XSP_API_OPERATIONS_MACHINE_ROOFS_H_
