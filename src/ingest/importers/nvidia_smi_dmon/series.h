#ifndef XSP_INGEST_IMPORTERS_NVIDIA_SMI_DMON_SERIES_H_
#define XSP_INGEST_IMPORTERS_NVIDIA_SMI_DMON_SERIES_H_

#include <optional>
#include <string_view>

namespace xsp::importers::nvidia_smi_dmon {

/// What a column of the log is in XSP. Where it means what the system monitor samples of a GPU
/// (docs/monitor.md) it has the name and unit of that.
struct Series {
  std::string_view column;       ///< As in the header: "pwr".
  std::string_view column_unit;  ///< As in the line below it: "W".
  std::string_view name;         ///< "nvml.power_watts".
  std::string_view unit;         ///< "watt".
  double factor;                 ///< The value in `unit` is the column's times this.
};

/// The series of a column; nothing: the column is not known, or has another unit than the one that
/// is known. Empty `unit`: the log has no line of units.
std::optional<Series> SeriesOf(std::string_view column, std::string_view unit);

}  // namespace xsp::importers::nvidia_smi_dmon

#endif  // XSP_INGEST_IMPORTERS_NVIDIA_SMI_DMON_SERIES_H_
