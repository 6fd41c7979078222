#ifndef XSP_CAPTURE_WIRE_READER_H_
#define XSP_CAPTURE_WIRE_READER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "capture/wire/format.h"
#include "capture/wire/timeline.h"
#include "capture/wire/xsp.h"

namespace xsp::wire {

/// Why a file cannot be read at all.
struct ReadError {
  enum class Kind {
    kNone,
    kCannotRead,     ///< The file system says no.
    kNotARecording,  ///< Empty, another format, or a header beyond use.
    kNewerVersion,   ///< Written by a later XSP.
  };
  Kind kind = Kind::kNone;
  std::string what;  ///< Description first, values last.
  std::string hint;  ///< What to do next.
};

/// One span. Ids are unique in the recording and never 0.
struct SpanRecord {
  static constexpr std::int64_t kOpen = INT64_MIN;  ///< The end of a span that never ended.

  std::uint32_t id;
  std::uint32_t parent;  ///< 0: none. Handed over before, unless it is lost.
  std::uint32_t thread;  ///< Index into Reader::threads().
  xsp_level level;
  std::string_view type, name;
  std::int64_t start_ns, end_ns;     ///< CLOCK_MONOTONIC; the end is never before the start.
  bool is_timed;                     ///< Timed elsewhere: xsp_complete, xsp_complete_in.
  std::uint32_t track = 0;           ///< Index into Reader::tracks() + 1; 0: the thread's own.
  std::uint64_t correlation_id = 0;  ///< 0: none.
  std::uint64_t graph_node = 0;      ///< 0: none.
  std::uint64_t bytes = kNoBytes;    ///< kNoBytes: none.
  std::string_view details = {};     ///< "key=value" lines.
};

/// A graph node that was captured while a span was open.
struct CaptureRecord {
  std::uint32_t span;
  std::uint64_t graph_node;
};

struct MetricRecord {
  std::uint32_t span;
  std::string_view name, unit, provenance;
  double value;
};

struct AttributeRecord {
  std::uint32_t span;  ///< 0: a fact about the process.
  std::string_view key, value;
};

struct MarkRecord {
  std::uint32_t thread;
  std::int64_t time_ns;
  std::string_view name;
};

struct CounterRecord {
  std::uint32_t thread;
  std::int64_t time_ns;
  std::string_view name, unit;
  double value;
  std::uint32_t track = 0;  ///< Index into Reader::tracks() + 1; 0: the process's.
};

/// A function of a call stack. Ids are unique in the recording and never 0.
struct FrameRecord {
  std::uint32_t id;
  std::uint32_t caller;  ///< 0: none. Handed over before, unless it is lost.
  std::string_view function, module;
};

struct StackSampleRecord {
  std::uint32_t thread_id;  ///< As the system numbers it: whose stack it is.
  std::int64_t time_ns;
  std::uint32_t frame;  ///< The innermost; 0: nothing was found.
  xsp_stack_kind kind;
};

/// What is handed the records. Texts are valid as long as the Reader, an attribute's value only
/// during the call; none is checked to be UTF-8.
class RecordSink {
 public:
  virtual ~RecordSink() = default;
  virtual void OnSpan(const SpanRecord& span) = 0;
  virtual void OnMetric(const MetricRecord& metric) = 0;
  virtual void OnAttribute(const AttributeRecord& attribute) = 0;
  virtual void OnMark(const MarkRecord& mark) = 0;
  virtual void OnCounter(const CounterRecord& counter) = 0;
  virtual void OnFrame(const FrameRecord&) {}
  virtual void OnStackSample(const StackSampleRecord&) {}
  virtual void OnCapture(const CaptureRecord&) {}
};

struct ThreadInfo {
  std::uint32_t thread_id;  ///< As the system numbered it; numbers are used again.
  std::string name;
  bool has_events = false;  ///< It recorded spans or marks of its own, and not only texts.
};

/// A track that is not the recording thread's own.
struct TrackInfo {
  xsp_track_kind kind;
  std::string name;     ///< May be empty.
  std::uint32_t owner;  ///< The thread's or the device's number.
  std::int64_t stream;  ///< Of streams.
};

/// The process and the file, from the header.
struct RecordingInfo {
  std::uint32_t process_id, parent_process_id;
  std::string program;
  std::string boot_id;  ///< Recordings with the same one share CLOCK_MONOTONIC.
  ClockKind clock;
  std::int64_t realtime_offset_ns;  ///< Monotonic time + this = ns since 1970.
  std::uint64_t file_bytes;
};

/// What is not there, or not to be trusted. All zero for a recording that was closed and is whole.
struct Losses {
  bool is_unclosed = false;           ///< The process died, was killed, or is still recording.
  std::uint64_t dropped = 0;          ///< Records for which there was no space.
  std::uint64_t open_spans = 0;       ///< Spans that never ended.
  std::uint64_t missing_bytes = 0;    ///< Of the file's end: it was cut.
  std::uint64_t damaged_blocks = 0;   ///< Blocks whose rest had to be skipped.
  std::uint64_t torn_records = 0;     ///< Records that were being written when the process died.
  std::uint64_t unknown_records = 0;  ///< Of a kind that this version does not know.
  std::uint64_t unknown_texts = 0;    ///< Ids without a text.
  std::uint64_t unknown_tracks = 0;   ///< Records on a track that is not there.
  std::uint64_t cut_texts = 0;        ///< Texts that were too long to be recorded whole.
  std::uint64_t bad_times = 0;  ///< Spans that end before they start, clock pairs out of order.
  std::int64_t realtime_step_ns = 0;  ///< The wall clock was moved while recording.
  std::string first_damage;           ///< Where, for people.
};

/// Reads one recording file, also of a process that was killed or is still writing: everything up
/// to the last whole record of every thread.
///
/// Hostile input is safe: every length is checked, nothing is mapped, memory stays within a small
/// multiple of the texts and one block. One thread.
class Reader {
 public:
  /// Null, and `error` says why, when there is nothing to be read.
  static std::unique_ptr<Reader> Open(const std::string& path, ReadError* error);

  /// The same for a file in memory, which must outlive the reader.
  static std::unique_ptr<Reader> OpenBytes(std::string_view bytes, ReadError* error);

  /// Whether a header of which `got` bytes are there is one that this version can read.
  static bool CheckHeader(const FileHeader& header, std::size_t got, ReadError* error);

  ~Reader();
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  const RecordingInfo& info() const { return info_; }
  const std::vector<ThreadInfo>& threads() const { return threads_; }
  /// Complete once the file is open.
  const std::vector<TrackInfo>& tracks() const { return tracks_; }

  /// Hands over every record: a thread's in the order in which it wrote them, a parent before its
  /// children. May be called again.
  void Read(RecordSink& sink);

  /// Complete once Read has returned.
  const Losses& losses() const { return losses_; }

 private:
  // The records of one thread in one piece of a block.
  struct Tenure {
    std::uint32_t sequence;
    std::uint32_t thread;
    std::uint64_t begin, end;  // Offsets in the file.
  };
  class Indexer;
  class Deliverer;

  Reader() = default;
  bool Index(ReadError* error);
  bool ReadHeader(FileHeader* header, ReadError* error);
  std::size_t ReadAt(std::uint64_t offset, char* to, std::size_t bytes) const;
  std::string_view Text(std::uint32_t id);

  int fd_ = -1;
  std::string_view bytes_;  // Instead of a file.
  std::uint32_t block_bytes_ = 0;
  RecordingInfo info_ = {};
  Timeline timeline_;
  std::vector<ThreadInfo> threads_;
  std::vector<TrackInfo> tracks_;
  std::unordered_map<std::uint32_t, std::uint32_t> track_at_;  // By place: index + 1.
  std::vector<Tenure> tenures_;
  std::vector<std::string> texts_;
  Losses found_;   // By indexing.
  Losses losses_;  // With what the last Read found.
};

}  // namespace xsp::wire

#endif  // XSP_CAPTURE_WIRE_READER_H_
