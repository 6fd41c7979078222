#ifndef XSP_DERIVE_ROOFS_DATA_SHEET_SHARE_H_
#define XSP_DERIVE_ROOFS_DATA_SHEET_SHARE_H_

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "derive/roofs/roof.h"

namespace xsp::roofs {

/// Between these a measured roof is taken to be what the data sheet promises.
inline constexpr double kLeastShare = 0.85;
inline constexpr double kMostShare = 1.0;

/// What may keep a measured roof away from its data sheet.
struct DataSheetConditions {
  bool disturbed = false;  ///< The machine was busy while it was measured.
  bool virtualised = false;
  bool is_gpu = false;
  bool clock_is_bound = false;  ///< The sheet's clock is one that all cores may not reach.
};

/// A measured roof beside its data sheet.
struct DataSheetShare {
  std::size_t roof = 0;     ///< Index among the measured.
  std::size_t sheet = 0;    ///< Index among the data sheet's.
  double share = 0;         ///< Measured over data sheet.
  std::string explanation;  ///< Outside kLeastShare ... kMostShare: what is known of why; or empty.
};

/// Each measured roof that the data sheet has a figure for: the same data type, unit and number of
/// cores (a sheet's 0 fits any), or DRAM read, write and triad beside DRAM. In the order of
/// `measured`.
std::vector<DataSheetShare> SharesOfDataSheet(std::span<const Roof> measured,
                                              std::span<const Roof> sheet,
                                              const DataSheetConditions& conditions);

/// Leaves the comparison with kernels to the data sheet where the measurement is not known to reach
/// the device's peak: a measured roof below kLeastShare of its sheet (mma.sync does not reach what
/// the instructions of compute capability 9.0 can), or a disturbed report. Then the row of the
/// sheet is added and used instead. Roofs that one of both lacks stay.
void UseDataSheetWhereLower(RoofReport& measured, std::span<const Roof> sheet);

}  // namespace xsp::roofs

#endif  // XSP_DERIVE_ROOFS_DATA_SHEET_SHARE_H_
