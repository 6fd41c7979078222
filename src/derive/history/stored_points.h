#ifndef XSP_DERIVE_HISTORY_STORED_POINTS_H_
#define XSP_DERIVE_HISTORY_STORED_POINTS_H_

#include <filesystem>
#include <string>
#include <vector>

#include "core/result.h"
#include "derive/history/series.h"
#include "store/rows/point_row.h"

namespace xsp::history {

/// Which points of a store are wanted. Empty: any.
struct PointSelection {
  std::string model;
  std::string machine;  ///< As StoredPoint::machine.
};

/// One point of a store, with where it was measured.
struct StoredPoint {
  std::string experiment;  ///< Name in the store.
  std::string created;     ///< RFC 3339, UTC.
  store::PointRow row;
  std::string run;      ///< Folder of the run that stands for it, in the experiment; empty: none.
  std::string machine;  ///< As SeriesKey::machine; empty: its run cannot be read.
  std::string worker;   ///< As `xsp run --backend` names it: "torch"; empty: none measured it.
};

struct StoredPoints {
  std::vector<StoredPoint> points;  ///< Of the newest experiment first.
  std::vector<LeftOut> left_out;    ///< Experiments that cannot be read.
};

/// The points of `selection` in `store`; none is no error. Reads one JSON file of each experiment
/// and, once in this process, one more of each point of the model, and two tables of all by one
/// statement each. Any thread. Errors: kEnvironment (the store cannot be read).
Result<StoredPoints> ReadStoredPoints(const std::filesystem::path& store,
                                      const PointSelection& selection);

}  // namespace xsp::history

#endif  // XSP_DERIVE_HISTORY_STORED_POINTS_H_
