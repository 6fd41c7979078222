#ifndef XSP_INGEST_IMPORTERS_TRACE_EVENT_FILE_H_
#define XSP_INGEST_IMPORTERS_TRACE_EVENT_FILE_H_

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "core/json_nesting.h"
#include "core/json_text.h"
#include "core/secret.h"
#include "core/utf8.h"
#include "ingest/importers/byte_stream.h"
#include "ingest/importers/importer.h"
#include "ingest/importers/trace_event.h"
#include "trace/trace.h"

namespace xsp::importers {

/// What a file says of itself beside its events.
struct TraceEventHeader {
  std::int64_t base_ns = 0;    ///< baseTimeNanoseconds: what event times count from; 0: not known.
  std::int64_t rank = -1;      ///< distributedInfo.rank; -1: not known.
  bool is_own_export = false;  ///< `xsp export` wrote the file: nothing behind that is read.
};

/// What reading a file of trace events may have to report, each an importer's own.
struct TraceEventDiagnostics {
  const DiagnosticSpec &damaged_file, &cut, &bad_text, &too_large;
};

/// Reads one file of trace events
/// (https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU) from its first
/// byte to its last: an array of them, or an object with "traceEvents". Damage costs the events
/// that it hits. `Builder` has Add(const Event&).
template <typename Builder>
class TraceEventReader {
 public:
  /// All but the prefix are borrowed.
  TraceEventReader(ByteStream& stream, std::size_t chunk_bytes, Builder& builder,
                   trace::TraceWriter& writer, const TraceEventDiagnostics& diagnostics,
                   std::string fact_prefix)
      : diagnostics_(diagnostics),
        stream_(stream),
        window_(stream, chunk_bytes),
        builder_(builder),
        writer_(writer),
        fact_prefix_(std::move(fact_prefix)) {}

  /// False: the file holds neither an event nor an array of them.
  bool Read() {
    ReadTopLevel();
    if (!stream_.damage().empty()) Count(diagnostics_.damaged_file, stream_.damage());
    return found_events_;
  }
  const TraceEventHeader& header() const { return header_; }

 private:
  Cursor& cursor() { return window_.cursor; }

  void Count(const DiagnosticSpec& diagnostic, std::string_view example) {
    writer_.Count(diagnostic, example);
  }
  void CountHere(const DiagnosticSpec& diagnostic) {
    // A file is cut once, however many brackets are left open.
    if (&diagnostic == &diagnostics_.cut && std::exchange(is_cut_, true)) return;
    Count(diagnostic, fmt::format("at byte {} of the text", window_.offset()));
  }

  /// Runs `read` until it has enough text. kMore: the text is at its end.
  template <typename Read>
  Scan Complete(Read read) {
    for (;;) {
      const Scan scan = read(cursor());
      if (scan != Scan::kMore || !window_.More()) return scan;
    }
  }

  /// The next character that is no space, not taken; 0: the end.
  char Peek() {
    while (!SkipSpace(cursor()))
      if (!window_.More()) return 0;
    return *cursor().at;
  }

  void ReadTopLevel() {
    const char first = Peek();
    if (first == '[') {
      ++cursor().at;
      return ReadEvents();
    }
    if (first != '{') return;
    ++cursor().at;
    while (const char c = Peek()) {
      if (c == ',') {
        ++cursor().at;
      } else if (c == '}') {
        return;
      } else if (!ReadMember()) {
        return;
      }
    }
    if (found_events_) CountHere(diagnostics_.cut);
  }

  /// One `"key": value` of the file's own object. False: nothing more can be read.
  bool ReadMember() {
    Value key;
    Scan scan = Complete([&](Cursor& at) { return ReadKey(at, key); });
    if (scan == Scan::kMore) return CutHere();
    if (scan == Scan::kBad) return FindEvents();
    const std::string name(key.text);  // The window may move.
    if (name == "traceEvents" && Peek() == '[') {
      ++cursor().at;
      ReadEvents();
      return true;
    }
    Value value;
    scan = Complete([&](Cursor& at) { return ReadValue(at, value); });
    if (scan == Scan::kMore) return CutHere();
    if (scan == Scan::kBad) return FindEvents();
    // Its events are spans of XSP, not what the importers of other programs take them for.
    header_.is_own_export = name == "writer" && value.text == "xsp" && !found_events_;
    if (header_.is_own_export) return false;
    KeepMember(name, value);
    return true;
  }

  bool CutHere() {
    CountHere(window_.at_end() ? diagnostics_.cut : diagnostics_.too_large);
    return false;
  }

  /// After text that is no JSON: goes on at the array of events, wherever it is.
  bool FindEvents() {
    CountHere(diagnostics_.bad_text);
    constexpr std::string_view kKey = "\"traceEvents\"";
    for (;;) {
      const std::string_view text(cursor().at,
                                  static_cast<std::size_t>(cursor().end - cursor().at));
      const std::size_t found = text.find(kKey);
      if (found != std::string_view::npos && !found_events_) {
        cursor().at += found;
        return true;
      }
      cursor().at += text.size() - std::min(text.size(), kKey.size() - 1);
      if (!window_.More()) return false;
    }
  }

  void ReadEvents() {
    found_events_ = true;
    bool closed = false;
    if (Complete([&](Cursor& at) { return ReadSeparator(at, ']', closed); }) == Scan::kMore)
      return CountHere(diagnostics_.cut);
    while (!closed) {
      Event event;
      const std::uint64_t start = window_.offset();
      const Scan scan = Complete([&](Cursor& at) { return ReadEvent(at, event); });
      if (scan == Scan::kDone && window_.offset() - start > TextWindow::kMostKept) {
        CountHere(diagnostics_.too_large);
      } else if (scan == Scan::kDone) {
        builder_.Add(event);
      } else if (!PassOverBadEvent(scan)) {
        return;
      }
      const Scan separator = Complete([&](Cursor& at) { return ReadSeparator(at, ']', closed); });
      if (separator == Scan::kMore) return CountHere(diagnostics_.cut);
      // Two events without a comma between them are still two events.
      if (separator == Scan::kBad && *cursor().at != '{' && !PassOverBadEvent(separator)) return;
    }
  }

  /// Goes on at the next bracket that follows a comma or begins a line. False: there is none.
  bool PassOverBadEvent(Scan scan) {
    if (scan == Scan::kMore && window_.at_end()) {
      CountHere(diagnostics_.cut);
      return false;
    }
    CountHere(scan == Scan::kMore ? diagnostics_.too_large : diagnostics_.bad_text);
    char before = *cursor().at++;  // Of what is no space.
    for (;;) {
      for (; cursor().at < cursor().end; ++cursor().at) {
        const char c = *cursor().at;
        if (c == '{' && (before == ',' || before == '\n')) return true;
        if (c != ' ' && c != '\t' && c != '\r') before = c;
      }
      if (!window_.More()) {
        CountHere(diagnostics_.cut);
        return false;
      }
    }
  }

  void KeepMember(const std::string& name, const Value& value) {
    if (name == "baseTimeNanoseconds") header_.base_ns = ToInteger(value).value_or(0);
    const bool nested = value.kind == Value::Kind::kObject || value.kind == Value::Kind::kArray;
    constexpr std::size_t kMostFact = 1 << 20;
    if (value.text.size() > kMostFact) return Count(diagnostics_.too_large, name);
    std::string scratch;
    const std::string_view text = nested ? value.text : Unescape(value, scratch);
    const bool is_document = nested || text.starts_with('{') || text.starts_with('[');
    if (!is_document) return SetFact(name, text);
    // What cannot be read, such as Python's NaN, cannot be searched for secrets either.
    if (core::IsJsonNestedDeeper(text)) return SetFact(name, "(cannot be read)");
    const auto document = core::ParseJson(text);
    if (document.is_discarded()) return SetFact(name, nested ? "(cannot be read)" : text);
    if (name == "distributedInfo" && document.is_object() && document.contains("rank") &&
        document["rank"].is_number_integer())
      header_.rank = document["rank"].get<std::int64_t>();
    Flatten(name, document);
  }

  /// {"a": [{"b": 1}]} is the fact a.0.b = 1.
  void Flatten(const std::string& name, const nlohmann::json& value) {
    if (value.is_structured() && !value.empty()) {
      for (const auto& [key, inner] : value.items()) Flatten(name + "." + key, inner);
    } else {
      SetFact(name, value.is_string() ? value.get<std::string>() : core::JsonText(value));
    }
  }

  /// Profilers copy environment variables into their traces, and results are published.
  void SetFact(const std::string& name, std::string_view value) {
    const bool is_secret = core::LooksLikeSecret(name, value);
    writer_.SetFact(fact_prefix_ + core::ToCleanUtf8(name),
                    is_secret ? "(hidden: it looks like a secret)" : core::ToCleanUtf8(value));
  }

  const TraceEventDiagnostics& diagnostics_;
  ByteStream& stream_;
  TextWindow window_;
  Builder& builder_;
  trace::TraceWriter& writer_;
  std::string fact_prefix_;
  TraceEventHeader header_;
  bool found_events_ = false;
  bool is_cut_ = false;
};

/// Whether one of `words` stands in `text`.
inline bool Holds(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [&](const std::string_view word) {
    return text.find(word) != std::string_view::npos;
  });
}

/// Whether the first bytes of a file may be trace events of any program.
inline bool LooksLikeTraceEvents(std::string_view prefix) {
  const std::size_t start = prefix.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos || (prefix[start] != '{' && prefix[start] != '['))
    return false;
  return Holds(prefix, {"\"traceEvents\"", "\"ph\""});
}

}  // namespace xsp::importers

#endif  // XSP_INGEST_IMPORTERS_TRACE_EVENT_FILE_H_
