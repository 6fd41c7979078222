#ifndef XSP_INGEST_IMPORTERS_NVIDIA_SMI_DMON_LOG_LINE_H_
#define XSP_INGEST_IMPORTERS_NVIDIA_SMI_DMON_LOG_LINE_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace xsp::importers::nvidia_smi_dmon {

/// What a line of a log is.
enum class LineKind {
  kNames,   ///< "# gpu   pwr gtemp": the names of the columns.
  kUnits,   ///< "# Idx     W     C".
  kSample,  ///< "    0    37    19": the values of one GPU, or no line of a log.
  kEmpty,
};

/// The fields of `line`, which are separated by spaces or (--format csv) by commas, without the
/// mark of headers ('#'). They point into `line`.
LineKind ReadFields(std::string_view line, std::vector<std::string_view>& fields);

/// Whether these names are of `nvidia-smi dmon`: the GPU's number stands in front of columns of
/// which one is known, and behind nothing but date and time; none is of `nvidia-smi pmon`, which
/// lists processes.
bool AreOfDmon(const std::vector<std::string_view>& names);

/// "20260816" and "09:22:34", local time in the zone of this process (TZ), in ns since 1970.
/// Nothing: no such date or time.
std::optional<std::int64_t> LocalTimeNs(std::string_view date, std::string_view time);

}  // namespace xsp::importers::nvidia_smi_dmon

#endif  // XSP_INGEST_IMPORTERS_NVIDIA_SMI_DMON_LOG_LINE_H_
