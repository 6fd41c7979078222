// Imports traces of PyTorch's profiler (Kineto): Chrome JSON with Kineto's categories, of every
// era, plain or gzip. Several files are the ranks of one execution. What becomes of what:
// README.md.

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "importers/byte_stream.h"
#include "importers/importer.h"
#include "importers/kineto/diagnostics.h"
#include "importers/kineto/event.h"
#include "importers/kineto/kineto_importer.h"
#include "importers/kineto/trace_builder.h"

namespace xsp::importers::kineto {
namespace {

using nlohmann::json;

// Times since 1970 in microseconds are above this from 2001 on; a machine's uptime is below it for
// thirty years.
constexpr std::int64_t kEpochNs = 1'000'000'000'000'000'000;

/// What a file says of itself beside its events.
struct Header {
  std::int64_t base_ns = 0;  ///< baseTimeNanoseconds: what event times count from; 0: not said.
  std::int64_t rank = -1;    ///< distributedInfo.rank; -1: not said.
};

/// Reads one file from its first byte to its last.
class FileReader {
 public:
  FileReader(ByteStream& stream, std::size_t chunk_bytes, TraceBuilder& builder,
             trace::TraceWriter& writer, std::string fact_prefix)
      : stream_(stream),
        window_(stream, chunk_bytes),
        builder_(builder),
        writer_(writer),
        fact_prefix_(std::move(fact_prefix)) {}

  /// False: the file holds neither an event nor an array of them.
  bool Read() {
    ReadTopLevel();
    if (!stream_.damage().empty()) Count(kDamagedFile, stream_.damage());
    return found_events_;
  }
  const Header& header() const { return header_; }

 private:
  Cursor& cursor() { return window_.cursor; }

  void Count(const DiagnosticSpec& diagnostic, std::string_view example) {
    writer_.Count(diagnostic.name, example, diagnostic.help);
  }
  void CountHere(const DiagnosticSpec& diagnostic) {
    // A file is cut once, however many brackets are left open.
    if (&diagnostic == &kCut && std::exchange(is_cut_, true)) return;
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
    if (found_events_) CountHere(kCut);
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
    KeepMember(name, value);
    return true;
  }

  bool CutHere() {
    CountHere(window_.at_end() ? kCut : kTooLarge);
    return false;
  }

  /// After text that is no JSON: goes on at the array of events, wherever it is.
  bool FindEvents() {
    CountHere(kBadText);
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
      return CountHere(kCut);
    while (!closed) {
      Event event;
      const std::uint64_t start = window_.offset();
      const Scan scan = Complete([&](Cursor& at) { return ReadEvent(at, event); });
      if (scan == Scan::kDone && window_.offset() - start > TextWindow::kMostKept) {
        CountHere(kTooLarge);
      } else if (scan == Scan::kDone) {
        builder_.Add(event);
      } else if (!PassOverBadEvent(scan)) {
        return;
      }
      const Scan separator = Complete([&](Cursor& at) { return ReadSeparator(at, ']', closed); });
      if (separator == Scan::kMore) return CountHere(kCut);
      // Two events without a comma between them are still two events.
      if (separator == Scan::kBad && *cursor().at != '{' && !PassOverBadEvent(separator)) return;
    }
  }

  /// Goes on at the next bracket that follows a comma or begins a line. False: there is none.
  bool PassOverBadEvent(Scan scan) {
    if (scan == Scan::kMore && window_.at_end()) {
      CountHere(kCut);
      return false;
    }
    CountHere(scan == Scan::kMore ? kTooLarge : kBadText);
    char before = *cursor().at++;  // Of what is no space.
    for (;;) {
      for (; cursor().at < cursor().end; ++cursor().at) {
        const char c = *cursor().at;
        if (c == '{' && (before == ',' || before == '\n')) return true;
        if (c != ' ' && c != '\t' && c != '\r') before = c;
      }
      if (!window_.More()) {
        CountHere(kCut);
        return false;
      }
    }
  }

  void KeepMember(const std::string& name, const Value& value) {
    if (name == "baseTimeNanoseconds") header_.base_ns = ToInteger(value).value_or(0);
    const bool nested = value.kind == Value::Kind::kObject || value.kind == Value::Kind::kArray;
    constexpr std::size_t kMostFact = 1 << 20;
    if (value.text.size() > kMostFact) return Count(kTooLarge, name);
    std::string scratch;
    if (!nested) return SetFact(name, Unescape(value, scratch));
    const json document = json::parse(value.text, nullptr, false);
    if (document.is_discarded()) return SetFact(name, value.text);
    if (name == "distributedInfo" && document.is_object() && document.contains("rank") &&
        document["rank"].is_number_integer())
      header_.rank = document["rank"].get<std::int64_t>();
    Flatten(name, document);
  }

  /// {"a": [{"b": 1}]} is the fact a.0.b = 1.
  void Flatten(const std::string& name, const json& value) {
    if (value.is_structured() && !value.empty()) {
      for (const auto& [key, inner] : value.items()) Flatten(name + "." + key, inner);
    } else {
      SetFact(name, value.is_string() ? value.get<std::string>()
                                      : value.dump(-1, ' ', false, json::error_handler_t::replace));
    }
  }

  void SetFact(const std::string& name, std::string_view value) {
    writer_.SetFact(fact_prefix_ + base::ToCleanUtf8(name), base::ToCleanUtf8(value));
  }

  ByteStream& stream_;
  TextWindow window_;
  TraceBuilder& builder_;
  trace::TraceWriter& writer_;
  std::string fact_prefix_;
  Header header_;
  bool found_events_ = false;
  bool is_cut_ = false;
};

/// One file after it was read, before the files are put on one clock.
struct Rank {
  TraceBuilder builder;
  Header header;

  bool absolute() const {
    return header.base_ns != 0 || (builder.first_ns() && *builder.first_ns() >= kEpochNs);
  }
  std::int64_t start_ns() const { return builder.first_ns().value_or(0) + header.base_ns; }
};

/// Puts all files on one clock: those that know the time of day by it; the others start when the
/// first of these does (or, if none knows it, all together).
void Align(std::vector<Rank>& ranks, trace::TraceWriter& writer) {
  const Rank* first = nullptr;
  for (const Rank& rank : ranks)
    if (rank.absolute() && (first == nullptr || rank.start_ns() < first->start_ns())) first = &rank;
  writer.SetClockOrigin(first != nullptr ? trace::ClockOrigin::kEpoch
                                         : trace::ClockOrigin::kSource);
  for (Rank& rank : ranks) {
    if (rank.absolute() || ranks.size() == 1) {
      rank.builder.Shift(rank.header.base_ns);
      continue;
    }
    writer.Count(kUnalignedRank.name, {}, kUnalignedRank.help);
    rank.builder.Shift((first != nullptr ? first->start_ns() : 0) -
                       rank.builder.first_ns().value_or(0));
  }
}

/// Reads one of the files and adds it to `ranks`. Errors: kBadInput when it holds no events.
Status ReadRank(ByteStream& stream, const std::string& file, std::size_t index, bool several,
                std::size_t chunk_bytes, trace::TraceWriter& writer, std::vector<Rank>& ranks) {
  Rank rank{TraceBuilder(writer, index, several ? fmt::format("file {} ", index) : ""), {}};
  FileReader reader(stream, chunk_bytes, rank.builder, writer,
                    several ? fmt::format("file.{}.", index) : "");
  if (!reader.Read())
    return Error{ErrorKind::kBadInput, fmt::format("no array of trace events in: {}", file),
                 "A Kineto trace holds \"traceEvents\"."};
  rank.header = reader.header();
  // Two files that say nothing are two ranks all the same.
  const bool counted = rank.header.rank < 0 && several;
  rank.builder.Finish(counted ? static_cast<std::int64_t>(index) : rank.header.rank);
  ranks.push_back(std::move(rank));
  writer.SetFact("framework.name", "PyTorch");
  return Ok{};
}

bool Holds(std::string_view text, std::initializer_list<std::string_view> words) {
  for (const std::string_view word : words)
    if (text.find(word) != std::string_view::npos) return true;
  return false;
}

Sniff SniffKineto(std::string_view prefix) {
  const std::size_t start = prefix.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos || (prefix[start] != '{' && prefix[start] != '['))
    return Sniff::kNo;
  if (Holds(prefix,
            {"\"schemaVersion\"", "\"deviceProperties\"", "\"computeProperties\"",
             "\"distributedInfo\"", "\"baseTimeNanoseconds\"", "\"cpu_op\"", "\"cuda_runtime\"",
             "\"python_function\"", "PyTorch Profiler", "\"computeMajor\""}))
    return Sniff::kCertain;
  return Holds(prefix, {"\"traceEvents\"", "\"ph\""}) ? Sniff::kGeneric : Sniff::kNo;
}

Status Import(const Source& source, trace::TraceWriter& writer) {
  return ImportKineto(source, writer, kChunkBytes);
}

}  // namespace

Status ImportKineto(const Source& source, trace::TraceWriter& writer, std::size_t chunk_bytes) {
  const bool several = source.files.size() > 1;
  std::vector<Rank> ranks;
  ranks.reserve(source.files.size());
  Status last_error = Ok{};
  for (std::size_t i = 0; i < source.files.size(); ++i) {
    const std::string& file = source.files[i].string();
    auto stream = ByteStream::Open(file);
    Status read = stream.ok()
                      ? ReadRank(stream.value(), file, i, several, chunk_bytes, writer, ranks)
                      : Status(stream.error());
    if (read.ok()) continue;
    if (several) writer.Count(kDamagedFile.name, read.error().what, kDamagedFile.help);
    last_error = std::move(read);
  }
  if (ranks.empty()) return last_error;
  Align(ranks, writer);
  return Ok{};
}

Status ImportKinetoText(std::string text, trace::TraceWriter& writer, std::size_t chunk_bytes) {
  ByteStream stream = ByteStream::OfText(std::move(text));
  std::vector<Rank> ranks;
  XSP_RETURN_IF_ERROR(ReadRank(stream, "text", 0, false, chunk_bytes, writer, ranks));
  Align(ranks, writer);
  return Ok{};
}

extern const ImporterSpec kSpec;
constinit const ImporterSpec kSpec = {
    .name = "kineto",
    .summary = "PyTorch profiler (Kineto) trace, JSON or gzip; several files: ranks",
    .clock = "time of day (baseTimeNanoseconds + ts, or ts), us with up to three decimals",
    .diagnostics = kDiagnostics,
    .sniff = SniffKineto,
    .import = Import,
};

}  // namespace xsp::importers::kineto
