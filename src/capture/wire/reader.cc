#include "capture/wire/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "capture/wire/record_walk.h"

namespace xsp::wire {
namespace {

constexpr std::uint32_t kMaxTextId = 1 << 20;  // What the writer keeps to.

std::string FixedText(const char* text, std::size_t size) {
  return std::string(text, strnlen(text, size));
}

ReadError NotARecording(std::string what) {
  return {ReadError::Kind::kNotARecording, std::move(what),
          "give a file that an XSP recorder or worker wrote (.xspr)"};
}

}  // namespace

// The first pass: texts, threads, clock pairs, and where each thread's records lie.
class Reader::Indexer {
 public:
  explicit Indexer(Reader& reader) : reader_(reader) {}

  void Block(std::uint64_t number, std::uint64_t offset, const char* data, std::size_t bytes) {
    Tenure tenure{};
    bool has_tenure = false;
    const WalkEnd end = WalkRecords(data, 0, bytes, [&](std::size_t at, const Record& record) {
      const RecordKind kind = KindOf(record.head);
      const bool is_block = kind == RecordKind::kBlock;
      if (is_block != (at == 0)) return false;
      if (is_block) {
        return record.words[0] == kBlockMagic &&
               HighOf(record.head) == static_cast<std::uint32_t>(number);
      }
      if (kind == RecordKind::kThread) {
        if (has_tenure) Keep(tenure, offset + at);
        has_tenure = true;
        tenure = {HighOf(record.words[0]), Thread(record), offset + at + kUnitBytes, 0};
        return true;
      }
      if (!has_tenure) return false;
      if (kind == RecordKind::kSpan || kind == RecordKind::kTimedSpan || kind == RecordKind::kMark)
        reader_.threads_[tenure.thread].has_events = true;
      if (kind == RecordKind::kString) AddText(record, data + at);
      if (kind == RecordKind::kClock) AddPair(record);
      if (kind == RecordKind::kTrack) AddTrack(record, offset + at);
      return true;
    });
    if (has_tenure) Keep(tenure, offset + end.at);
    if (end.why == WalkEnd::kTorn) ++reader_.found_.torn_records;
    if (end.why == WalkEnd::kDamaged) Damage("block", offset + end.at);
  }

  void Finish(const FileHeader& header) {
    // Now, because a track may be named after the texts of a later block.
    for (const auto& [track, name] : names_of_tracks_) {
      if (name < reader_.texts_.size()) reader_.tracks_[track].name = reader_.texts_[name];
    }
    pairs_.push_back(header.opened[0]);
    pairs_.push_back(header.opened[1]);
    if (header.closed.ticks != 0) pairs_.push_back(header.closed);
    reader_.timeline_ = Timeline(static_cast<ClockKind>(header.clock_kind), std::move(pairs_));
    reader_.found_.bad_times += reader_.timeline_.rejected();
    std::stable_sort(reader_.tenures_.begin(), reader_.tenures_.end(),
                     [](const Tenure& a, const Tenure& b) { return a.sequence < b.sequence; });
  }

 private:
  void Keep(Tenure tenure, std::uint64_t end) {
    tenure.end = end;
    if (tenure.begin < end) reader_.tenures_.push_back(tenure);
  }

  std::uint32_t Thread(const Record& record) {
    const std::uint32_t index = HighOf(record.head);
    const auto next = static_cast<std::uint32_t>(reader_.threads_.size());
    const auto [it, is_new] = thread_of_.try_emplace(index, next);
    if (is_new) reader_.threads_.push_back({LowOf(record.words[0]), {}, false});
    char name[2 * sizeof(std::uint64_t)];
    memcpy(name, &record.words[1], sizeof name);
    // A thread may be named after its first record: what it is called last is what it is.
    if (name[0] != '\0') reader_.threads_[it->second].name = FixedText(name, sizeof name);
    return it->second;
  }

  void AddText(const Record& record, const char* at) {
    const std::uint32_t id = HighOf(record.head);
    auto& texts = reader_.texts_;
    if (id == 0 || id > kMaxTextId) return Damage("text", id);
    if (id >= texts.size()) texts.resize(id + 1);
    if (texts[id].empty()) texts[id].assign(at + kTextOffset, LowOf(record.words[0]));
    if ((FlagsOf(record.head) & kFlagCut) != 0) ++reader_.found_.cut_texts;
  }

  void AddTrack(const Record& record, std::uint64_t offset) {
    const std::uint8_t kind = FlagsOf(record.head);
    if (kind > XSP_TRACK_DEVICE) return;  // What lies on it is counted.
    names_of_tracks_.emplace_back(reader_.tracks_.size(), HighOf(record.head));
    reader_.tracks_.push_back({static_cast<xsp_track_kind>(kind),
                               {},
                               LowOf(record.words[0]),
                               static_cast<std::int64_t>(record.words[1])});
    reader_.track_at_[static_cast<std::uint32_t>(offset / kUnitBytes)] =
        static_cast<std::uint32_t>(reader_.tracks_.size());
  }

  void AddPair(const Record& record) {
    pairs_.push_back({record.words[0], static_cast<std::int64_t>(record.words[1]),
                      static_cast<std::int64_t>(record.words[2])});
  }

  void Damage(const char* what, std::uint64_t where) {
    Losses& found = reader_.found_;
    if (found.damaged_blocks++ == 0) {
      found.first_damage = std::string(what) + " at " + std::to_string(where);
    }
  }

  Reader& reader_;
  std::unordered_map<std::uint32_t, std::uint32_t> thread_of_;
  std::vector<std::pair<std::size_t, std::uint32_t>> names_of_tracks_;
  std::vector<ClockPair> pairs_;
};

// The second pass: records to the sink.
class Reader::Deliverer {
 public:
  Deliverer(Reader& reader, RecordSink& sink) : reader_(reader), sink_(sink) {}

  void Deliver(const Tenure& tenure, std::uint64_t offset, const Record& record, const char* at) {
    switch (KindOf(record.head)) {
      case RecordKind::kSpan:
      case RecordKind::kTimedSpan:
      case RecordKind::kPlacedSpan:
        return Span(tenure, offset, record, at);
      case RecordKind::kMetric:
        return sink_.OnMetric({LowOf(record.words[0]), Text(HighOf(record.head)),
                               Text(HighOf(record.words[0])), Text(LowOf(record.words[1])),
                               Number(record.words[2])});
      case RecordKind::kAttribute:
        if ((FlagsOf(record.head) & kFlagCut) != 0) ++reader_.losses_.cut_texts;
        return sink_.OnAttribute({LowOf(record.words[0]), Text(HighOf(record.head)),
                                  std::string_view(at + kTextOffset, HighOf(record.words[0]))});
      case RecordKind::kMark:
        return sink_.OnMark({tenure.thread, Time(record.words[0]), Text(HighOf(record.head))});
      case RecordKind::kCounter:
        return sink_.OnCounter({tenure.thread, Time(record.words[0]), Text(HighOf(record.head)),
                                Text(LowOf(record.words[1])), Number(record.words[2])});
      case RecordKind::kFrame:
        return sink_.OnFrame({static_cast<std::uint32_t>(offset / kUnitBytes),
                              HighOf(record.words[0]), Text(HighOf(record.head)),
                              Text(LowOf(record.words[0]))});
      case RecordKind::kSample:
        if (FlagsOf(record.head) > XSP_STACK_PYTHON) break;
        return sink_.OnStackSample({LowOf(record.words[1]), Time(record.words[0]),
                                    HighOf(record.words[1]),
                                    static_cast<xsp_stack_kind>(FlagsOf(record.head))});
      case RecordKind::kPlacedCounter: {
        const std::uint32_t track = Track(LowOf(record.words[0]));
        if (track == 0) return;
        return sink_.OnCounter({tenure.thread, Clamp(record.words[1]), Text(HighOf(record.head)),
                                Text(HighOf(record.words[0])), Number(record.words[2]), track});
      }
      case RecordKind::kCaptured:
        return sink_.OnCapture({LowOf(record.words[0]), record.words[1]});
      case RecordKind::kEnd:
      case RecordKind::kBlock:
      case RecordKind::kThread:
      case RecordKind::kString:
      case RecordKind::kClock:
      case RecordKind::kTrack:
        return;
    }
    ++reader_.losses_.unknown_records;
  }

 private:
  void Span(const Tenure& tenure, std::uint64_t offset, const Record& record, const char* at) {
    const std::uint8_t level = FlagsOf(record.head);
    if (level > XSP_LEVEL_KERNEL) {
      ++reader_.losses_.unknown_records;
      return;
    }
    SpanRecord span{static_cast<std::uint32_t>(offset / kUnitBytes),
                    HighOf(record.words[0]),
                    tenure.thread,
                    static_cast<xsp_level>(level),
                    Text(HighOf(record.head)),
                    Text(LowOf(record.words[0])),
                    0,
                    SpanRecord::kOpen,
                    KindOf(record.head) != RecordKind::kSpan};
    if (KindOf(record.head) == RecordKind::kPlacedSpan) {
      Placement placed;
      memcpy(&placed, at + kUnitBytes, sizeof placed);
      span.track = Track(LowOf(placed.track_details));
      // On the thread that told of it, it would be taken for that thread's own doing.
      if (span.track == 0) return;
      span.correlation_id = placed.correlation_id;
      span.graph_node = placed.graph_node;
      span.bytes = placed.bytes;
      span.details = Text(HighOf(placed.track_details));
    }
    span.start_ns = span.is_timed ? Clamp(record.words[1]) : Time(record.words[1]);
    if (span.is_timed) {
      span.end_ns = Clamp(record.words[2]);
    } else if (record.words[2] != 0) {
      span.end_ns = Time(record.words[2]);
    } else {
      ++reader_.losses_.open_spans;
    }
    if (span.end_ns != SpanRecord::kOpen && span.end_ns < span.start_ns) {
      span.end_ns = span.start_ns;
      ++reader_.losses_.bad_times;
    }
    sink_.OnSpan(span);
  }

  // Index + 1 of the track at that place; 0, and counted: there is none.
  std::uint32_t Track(std::uint32_t place) {
    const auto it = reader_.track_at_.find(place);
    if (it != reader_.track_at_.end()) return it->second;
    ++reader_.losses_.unknown_tracks;
    return 0;
  }

  static std::int64_t Clamp(std::uint64_t ns) {
    return static_cast<std::int64_t>(std::min(ns, static_cast<std::uint64_t>(INT64_MAX)));
  }
  static double Number(std::uint64_t word) {
    double value;
    memcpy(&value, &word, sizeof value);
    return value;
  }
  std::int64_t Time(std::uint64_t ticks) const { return reader_.timeline_.ToMonotonicNs(ticks); }
  std::string_view Text(std::uint32_t id) { return reader_.Text(id); }

  Reader& reader_;
  RecordSink& sink_;
};

std::unique_ptr<Reader> Reader::Open(const std::string& path, ReadError* error) {
  std::unique_ptr<Reader> reader(new Reader);
  const auto fail = [&](int reason) {
    *error = {ReadError::Kind::kCannotRead,
              std::string("recording cannot be read: ") + strerror(reason) + ": " + path,
              "check that the file exists and may be read"};
    return nullptr;
  };
  reader->fd_ = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (reader->fd_ < 0) return fail(errno);
  struct stat status = {};
  if (fstat(reader->fd_, &status) != 0) return fail(errno);
  if (S_ISDIR(status.st_mode)) return fail(EISDIR);
  if (!S_ISREG(status.st_mode)) return fail(ESPIPE);
  reader->info_.file_bytes = static_cast<std::uint64_t>(status.st_size);
  if (!reader->Index(error)) return nullptr;
  return reader;
}

std::unique_ptr<Reader> Reader::OpenBytes(std::string_view bytes, ReadError* error) {
  std::unique_ptr<Reader> reader(new Reader);
  reader->bytes_ = bytes;
  reader->info_.file_bytes = bytes.size();
  if (!reader->Index(error)) return nullptr;
  return reader;
}

Reader::~Reader() {
  if (fd_ >= 0) close(fd_);
}

std::size_t Reader::ReadAt(std::uint64_t offset, char* to, std::size_t bytes) const {
  if (fd_ < 0) {
    if (offset >= bytes_.size()) return 0;
    return bytes_.copy(to, bytes, offset);
  }
  std::size_t done = 0;
  while (done < bytes) {
    const ssize_t got = pread(fd_, to + done, bytes - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

bool Reader::ReadHeader(FileHeader* header, ReadError* error) {
  const std::size_t got = ReadAt(0, reinterpret_cast<char*>(header), sizeof(FileHeader));
  return CheckHeader(*header, got, error);
}

bool Reader::CheckHeader(const FileHeader& header, std::size_t got, ReadError* error) {
  if (got == 0) {
    *error = NotARecording("recording is empty");
  } else if (memcmp(header.magic, kMagic, std::min(got, sizeof kMagic)) != 0) {
    *error = NotARecording("not a recording: it does not start with its signature");
  } else if (got < sizeof(FileHeader)) {
    *error = NotARecording("recording ends in its header: after " + std::to_string(got) + " bytes");
  } else if (header.header_bytes == __builtin_bswap32(kHeaderBytes)) {
    *error = {ReadError::Kind::kNotARecording,
              "recording is of a big-endian machine, and XSP reads little-endian ones only",
              "record on a little-endian machine: x86-64, AArch64, ppc64le"};
  } else if (header.version > kVersion) {
    *error = {ReadError::Kind::kNewerVersion,
              "recording was written by a newer XSP: version " + std::to_string(header.version) +
                  ", known up to " + std::to_string(kVersion),
              "use the XSP that recorded it, or a later one"};
  } else if (const std::uint32_t size = header.block_bytes;
             header.version == 0 || header.header_bytes != kHeaderBytes || size < kMinBlockBytes ||
             size > kMaxBlockBytes || (size & (size - 1)) != 0 ||
             header.clock_kind > static_cast<std::uint32_t>(ClockKind::kArmCounter)) {
    *error = NotARecording("recording has a damaged header: block size " + std::to_string(size) +
                           ", clock " + std::to_string(header.clock_kind));
  } else {
    return true;
  }
  return false;
}

bool Reader::Index(ReadError* error) {
  FileHeader header{};
  if (!ReadHeader(&header, error)) return false;
  block_bytes_ = header.block_bytes;
  info_.process_id = header.process_id;
  info_.parent_process_id = header.parent_process_id;
  info_.program = FixedText(header.program, sizeof header.program);
  info_.boot_id = FixedText(header.boot_id, sizeof header.boot_id);
  info_.clock = static_cast<ClockKind>(header.clock_kind);
  found_.is_unclosed = header.state != static_cast<std::uint64_t>(FileState::kClosed);
  found_.dropped = header.dropped;

  const std::uint64_t body_bytes =
      info_.file_bytes > kHeaderBytes ? info_.file_bytes - kHeaderBytes : 0;
  const std::uint64_t blocks_there = (body_bytes + block_bytes_ - 1) / block_bytes_;
  const std::uint64_t capacity_blocks = (header.capacity_bytes - kHeaderBytes) / block_bytes_;
  const std::uint64_t blocks_claimed =
      found_.is_unclosed ? std::min(header.next_block, capacity_blocks) : header.used_blocks;
  if (blocks_claimed > body_bytes / block_bytes_) {
    found_.missing_bytes = blocks_claimed * block_bytes_ - body_bytes;
  }
  Indexer indexer(*this);
  std::vector<char> block(block_bytes_);
  for (std::uint64_t number = 0; number < blocks_there; ++number) {
    const std::uint64_t offset = kHeaderBytes + number * block_bytes_;
    // The header's count may be what is damaged: blocks that follow on are read all the same.
    if (number >= blocks_claimed) {
      std::uint64_t head = 0;
      if (ReadAt(offset, reinterpret_cast<char*>(&head), sizeof head) != sizeof head || head == 0) {
        break;
      }
    }
    const std::size_t got = ReadAt(offset, block.data(), block_bytes_);
    indexer.Block(number, offset, block.data(), got / kUnitBytes * kUnitBytes);
  }
  indexer.Finish(header);
  info_.realtime_offset_ns = timeline_.realtime_offset_ns();
  found_.realtime_step_ns = timeline_.realtime_step_ns();
  losses_ = found_;
  return true;
}

void Reader::Read(RecordSink& sink) {
  losses_ = found_;
  Deliverer deliverer(*this, sink);
  std::vector<char> piece;
  for (const Tenure& tenure : tenures_) {
    piece.resize(tenure.end - tenure.begin);
    const std::size_t got = ReadAt(tenure.begin, piece.data(), piece.size());
    WalkRecords(piece.data(), 0, got / kUnitBytes * kUnitBytes,
                [&](std::size_t at, const Record& record) {
                  deliverer.Deliver(tenure, tenure.begin + at, record, piece.data() + at);
                  return true;
                });
  }
}

std::string_view Reader::Text(std::uint32_t id) {
  if (id == 0) return {};
  if (id < texts_.size() && !texts_[id].empty()) return texts_[id];
  ++losses_.unknown_texts;
  return {};
}

}  // namespace xsp::wire
