#ifndef XSP_INGEST_IMPORTERS_XSP_RECORDING_DIAGNOSTICS_H_
#define XSP_INGEST_IMPORTERS_XSP_RECORDING_DIAGNOSTICS_H_

#include <array>

#include "ingest/importers/importer.h"

namespace xsp::importers::xsp_recording {

inline constexpr DiagnosticSpec kUnclosed = {
    "xsp_recording_unclosed",
    "The process died, was killed or was still recording. Everything up to the last whole record "
    "was read. If it crashed, its log says why; if it still runs, import again when it is done."};
inline constexpr DiagnosticSpec kNeverEnded = {
    "xsp_recording_never_ended",
    "These spans have no end: they were open when recording stopped, or the program never ended "
    "them. They have no duration and count in no sum."};
inline constexpr DiagnosticSpec kDropped = {
    "xsp_recording_dropped",
    "The recording was full, or its disk was: the newest records were dropped. Record fewer levels "
    "or a shorter time, raise the capacity, or free disk space."};
inline constexpr DiagnosticSpec kTruncated = {
    "xsp_recording_truncated",
    "The file ends before its header says (count: bytes). It was cut while copying, or the disk "
    "lost it. Copy it again."};
inline constexpr DiagnosticSpec kDamagedBlock = {
    "xsp_recording_damaged_block",
    "Something in the file is not what a recorder writes; the rest of that block was skipped. "
    "Check the disk, or how the file was copied."};
inline constexpr DiagnosticSpec kTornRecord = {
    "xsp_recording_torn_record",
    "Records that were being written when the process died; nothing else of their threads is "
    "missing."};
inline constexpr DiagnosticSpec kUnknownRecord = {
    "xsp_recording_unknown_record",
    "Records of a kind or level that this version does not know were left out. Import with a later "
    "XSP."};
inline constexpr DiagnosticSpec kUnknownText = {
    "xsp_recording_unknown_text",
    "Names whose text is not in the file were read as empty. The block with the text was damaged, "
    "or the recording was full when it was first named."};
inline constexpr DiagnosticSpec kCutText = {
    "xsp_recording_cut_text",
    "Texts that were too long were recorded up to the recorder's limit (4000 bytes for names, one "
    "block for values). Record shorter ones, or larger blocks."};
inline constexpr DiagnosticSpec kBadTime = {
    "xsp_recording_bad_time",
    "Spans that end before they start (kept with duration 0), or clock readings out of order. A "
    "clock jumped, or the file is damaged."};
inline constexpr DiagnosticSpec kClockMoved = {
    "xsp_recording_clock_moved",
    "The wall clock was set while recording (count: microseconds). Times keep the offset of the "
    "start, so durations are right; later dates may be off by that much."};
inline constexpr DiagnosticSpec kLostParent = {
    "xsp_recording_lost_parent",
    "The span around these was not found (damage); they were kept without parent and are placed by "
    "time."};
inline constexpr DiagnosticSpec kLostSpan = {
    "xsp_recording_lost_span",
    "Metrics and attributes whose span was not found (damage) were left out."};
inline constexpr DiagnosticSpec kLostTrack = {
    "xsp_recording_lost_track",
    "Device work, calls and counters whose track was not found (damage) were left out."};
inline constexpr DiagnosticSpec kUnknownPrimitive = {
    "xsp_recording_unknown_primitive",
    "Primitives without a formula, or whose problem cannot be counted: they have time but no FLOPs "
    "and no traffic. See docs/primitives.md for what is known.",
    DiagnosticKind::kNote};
inline constexpr DiagnosticSpec kUnreadablePrimitive = {
    "xsp_recording_unreadable_primitive",
    "Lines of oneDNN or MKL that could not be read: these kernels keep the line as attribute raw, "
    "without kind, FLOPs and traffic. Report the line with the library's version."};
inline constexpr DiagnosticSpec kNotUtf8 = {
    "xsp_recording_not_utf8", "Texts that are not UTF-8; the bytes that are not were replaced."};
inline constexpr DiagnosticSpec kSkippedFile = {
    "xsp_recording_skipped_file",
    "One of several files could not be read at all; the others were imported."};

inline constexpr std::array kDiagnostics = {
    kUnclosed,      kNeverEnded,  kDropped, kTruncated,        kDamagedBlock,        kTornRecord,
    kUnknownRecord, kUnknownText, kCutText, kBadTime,          kClockMoved,          kLostParent,
    kLostSpan,      kLostTrack,   kNotUtf8, kUnknownPrimitive, kUnreadablePrimitive, kSkippedFile};

}  // namespace xsp::importers::xsp_recording

#endif  // XSP_INGEST_IMPORTERS_XSP_RECORDING_DIAGNOSTICS_H_
