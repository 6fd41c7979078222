#ifndef XSP_DERIVE_ROOFS_DEVICE_TABLE_H_
#define XSP_DERIVE_ROOFS_DEVICE_TABLE_H_

#include <filesystem>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "derive/roofs/roof.h"

namespace xsp::roofs {

/// Roofs of a well-known device by its data sheet, for traces that were recorded elsewhere.
/// `device_name` is as drivers and profilers print it ("NVIDIA A100-SXM4-80GB"). All are `used`,
/// provenance "data_sheet", cores 0, FLOP/s and byte/s of the whole board. Reads
/// `DataRoot()/machine/devices.csv`. Errors: kNotPossible for a device that is not in the table,
/// kEnvironment when the table is missing or damaged.
Result<std::vector<Roof>> DataSheetRoofs(std::string_view device_name);

/// The same from another table. The head of machine/devices.csv describes the format.
Result<std::vector<Roof>> DataSheetRoofsFrom(const std::filesystem::path& table,
                                             std::string_view device_name);

}  // namespace xsp::roofs

#endif  // XSP_DERIVE_ROOFS_DEVICE_TABLE_H_
