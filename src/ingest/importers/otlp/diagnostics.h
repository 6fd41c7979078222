#ifndef XSP_INGEST_IMPORTERS_OTLP_DIAGNOSTICS_H_
#define XSP_INGEST_IMPORTERS_OTLP_DIAGNOSTICS_H_

#include <array>

#include "ingest/importers/importer.h"

namespace xsp::importers::otlp {

inline constexpr DiagnosticSpec kDamagedSpan = {
    "otlp_damaged",
    "A part of the file is not OTLP, or the file ends within a span; this part was left out. Write "
    "the file again, or wait until its writer has closed it."};
inline constexpr DiagnosticSpec kBadSpanId = {
    "otlp_bad_id",
    "A span has no trace id of 16 bytes, no span id of 8 bytes, or a parent id of another length; "
    "it was left out. Ids in OTLP/JSON are hexadecimal digits."};
inline constexpr DiagnosticSpec kBadSpanTime = {
    "otlp_bad_time",
    "A span has no start after 1970, or a time beyond the year 2262; it was left out. Check the "
    "clock of the machine that sent it."};
inline constexpr DiagnosticSpec kDuplicateSpan = {
    "otlp_duplicate_span",
    "Two spans have the same trace and span id, as after a batch that was sent twice; the first "
    "one was kept."};
inline constexpr DiagnosticSpec kNegativeDuration = {
    "otlp_negative_duration",
    "A span ends before it starts, because its clock was set meanwhile; it was kept with the "
    "duration 0."};
inline constexpr DiagnosticSpec kParentCycle = {
    "otlp_parent_cycle",
    "Spans name each other as parents; one of them was made a root. Report this to the program "
    "that wrote the file."};
inline constexpr DiagnosticSpec kMissingParent = {
    "otlp_missing_parent",
    "The parent of a span is not in the file, so the span is placed by time. Import the file of "
    "the service that called this one together in one file, or sample whole traces.",
    DiagnosticKind::kNote};
inline constexpr DiagnosticSpec kMissingLink = {
    "otlp_missing_link", "A link names a span that is not in the file; the link was left out."};
inline constexpr DiagnosticSpec kNeverEndedSpan = {
    "otlp_never_ended", "A span has no end time: it has a start, but no duration.",
    DiagnosticKind::kNote};

inline constexpr std::array kDiagnosticsOfOtlp = {
    kDamagedSpan, kBadSpanId,     kBadSpanTime, kDuplicateSpan, kNegativeDuration,
    kParentCycle, kMissingParent, kMissingLink, kNeverEndedSpan};

}  // namespace xsp::importers::otlp

#endif  // XSP_INGEST_IMPORTERS_OTLP_DIAGNOSTICS_H_
