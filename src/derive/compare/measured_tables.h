#ifndef XSP_DERIVE_COMPARE_MEASURED_TABLES_H_
#define XSP_DERIVE_COMPARE_MEASURED_TABLES_H_

#include <cstdint>
#include <vector>

#include "core/result.h"
#include "store/database.h"
#include "store/rows/layer_row.h"
#include "store/rows/point_row.h"
#include "store/rows/run_row.h"
#include "store/rows/sample_row.h"

namespace xsp::compare {

/// The tables of one experiment that a comparison needs, each in the order in which it is stored.
struct MeasuredTables {
  std::vector<store::PointRow> point;
  std::vector<store::RunRow> run;
  std::vector<store::SampleRow> sample;
  std::vector<store::LayerRow> layer;
};

/// Reads them from `experiment`: a database that was opened on one experiment, committed or still
/// being written. A table that it lacks is empty. Errors: as Database::Query and store::ToRows.
Result<MeasuredTables> ReadMeasuredTables(const store::Database& experiment);

/// Likewise without the layers, which may be many.
Result<MeasuredTables> ReadMeasuredCalls(const store::Database& experiment);

/// The layers of one point, in the order in which they are stored.
Result<std::vector<store::LayerRow>> ReadLayersOf(const store::Database& experiment,
                                                  std::int64_t point_id);

}  // namespace xsp::compare

#endif  // XSP_DERIVE_COMPARE_MEASURED_TABLES_H_
