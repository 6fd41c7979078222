#ifndef XSP_INGEST_IMPORTERS_KINETO_DIAGNOSTICS_H_
#define XSP_INGEST_IMPORTERS_KINETO_DIAGNOSTICS_H_

#include <array>

#include "ingest/importers/importer.h"

namespace xsp::importers::kineto {

inline constexpr DiagnosticSpec kDamagedFile = {
    "kineto_damaged_file",
    "The file is compressed and its data is damaged or ends in the middle; events up to there are "
    "kept. Copy it again, or let the profiler finish before the process ends."};
inline constexpr DiagnosticSpec kCut = {
    "kineto_cut",
    "The file ends inside an event or before its closing brackets: all whole events are kept. Let "
    "the profiler finish before the process ends."};
inline constexpr DiagnosticSpec kBadText = {
    "kineto_bad_text",
    "Text that is not JSON was passed over to the next event; the example shows where it began."};
inline constexpr DiagnosticSpec kBadEvent = {
    "kineto_bad_event",
    "An event lacks its phase, time or name, or one of them is of a wrong type; it was left out."};
inline constexpr DiagnosticSpec kNegativeDuration = {
    "kineto_negative_duration",
    "An event ends before it starts; it is kept without a duration of its own (0)."};
inline constexpr DiagnosticSpec kTooLarge = {
    "kineto_too_large",
    "An event or value of more than 64 MiB was passed over; it is hardly meant."};
inline constexpr DiagnosticSpec kUnknownCategory = {
    "kineto_unknown_category",
    "Events of a category that this version does not know are kept as ranges of the application. "
    "Please report the category."};
inline constexpr DiagnosticSpec kUnknownPhase = {
    "kineto_unknown_phase",
    "Events of a phase that PyTorch does not write were left out (begin and end events, object and "
    "asynchronous ones)."};
inline constexpr DiagnosticSpec kUnalignedRank = {
    "kineto_unaligned_rank",
    "One of several files counts time from an origin of its own: its first event was put where the "
    "first file starts. Its place against the other ranks means nothing."};
inline constexpr DiagnosticSpec kCountersWithoutTimes = {
    "kineto_counters_without_times",
    "Kernels with hardware counters have no times of their own: each ran several times to be "
    "counted, and the profiler writes equal parts of the recording as their times. No kernel time "
    "is taken from this file. Record the program without counters to see its times."};

inline constexpr std::array kDiagnostics = {kDamagedFile,      kCut,
                                            kBadText,          kBadEvent,
                                            kNegativeDuration, kTooLarge,
                                            kUnknownCategory,  kUnknownPhase,
                                            kUnalignedRank,    kCountersWithoutTimes};

}  // namespace xsp::importers::kineto

#endif  // XSP_INGEST_IMPORTERS_KINETO_DIAGNOSTICS_H_
