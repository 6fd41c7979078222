#ifndef XSP_INGEST_IMPORTERS_NVIDIA_SMI_DMON_DIAGNOSTICS_H_
#define XSP_INGEST_IMPORTERS_NVIDIA_SMI_DMON_DIAGNOSTICS_H_

#include <array>

#include "ingest/importers/importer.h"

namespace xsp::importers::nvidia_smi_dmon {

inline constexpr DiagnosticSpec kLocalTime = {
    "nvidia_smi_dmon_local_time",
    "The log has local times in whole seconds and names no time zone: they were read in the zone "
    "of this machine, or in the one in which the log overlaps with the trace. For a log of another "
    "zone: `TZ=Europe/Berlin xsp import ...`.",
    DiagnosticKind::kNote};
inline constexpr DiagnosticSpec kBadLine = {
    "nvidia_smi_dmon_bad_line",
    "A line is no sample: it has not as many fields as the header, or no date, time or number of a "
    "GPU. It was left out."};
inline constexpr DiagnosticSpec kBadValue = {
    "nvidia_smi_dmon_bad_value", "A field is neither a number nor '-'; it was left out."};
inline constexpr DiagnosticSpec kHidden = {
    "nvidia_smi_dmon_hidden",
    "A GPU reported no value of this column in any sample ('-'): the series is missing.",
    DiagnosticKind::kNote};
inline constexpr DiagnosticSpec kUnknownColumn = {
    "nvidia_smi_dmon_unknown_column",
    "A column, or its unit, is none that this version knows: it was kept as it stands, as series "
    "nvidia_smi.COLUMN. Please report it with the driver's version.",
    DiagnosticKind::kNote};
inline constexpr DiagnosticSpec kColumnsChanged = {
    "nvidia_smi_dmon_columns_changed",
    "The columns change in the middle of the log, as when a second dmon appends to it: each part "
    "was read by its own header.",
    DiagnosticKind::kNote};
inline constexpr DiagnosticSpec kTimeWentBack = {
    "nvidia_smi_dmon_time_went_back",
    "A sample is older than the one before it, as when the clock was set or summer time ended; it "
    "was left out."};
inline constexpr DiagnosticSpec kCut = {
    "nvidia_smi_dmon_cut",
    "The log ends in the middle of a line or of its compressed data: all whole lines are kept."};

inline constexpr std::array kDiagnostics = {kLocalTime,     kBadLine,        kBadValue,     kHidden,
                                            kUnknownColumn, kColumnsChanged, kTimeWentBack, kCut};

}  // namespace xsp::importers::nvidia_smi_dmon

#endif  // XSP_INGEST_IMPORTERS_NVIDIA_SMI_DMON_DIAGNOSTICS_H_
