#ifndef XSP_CAPTURE_WIRE_FOLLOWER_H_
#define XSP_CAPTURE_WIRE_FOLLOWER_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "capture/wire/reader.h"

namespace xsp::wire {

/// Reads the spans of a recording while its process writes it, each once it has ended, with its
/// metrics and attributes. Only reads the file: the process does not notice it.
///
/// The sink gets a span, then the metrics and attributes that are known of it. Those that are
/// recorded more than two polls after their span has ended come alone, later; facts about the
/// process come as attributes of span 0. Marks, counters, call stacks and captures are not handed
/// over. Times are as Reader has them, but for the last ones: what lies after the latest clock pair
/// in the file is extrapolated, by less than 1 us.
///
/// Hostile input is safe, as for Reader. Memory: the texts, kPollBytes of records, kMaxOpenSpans
/// and kMaxDetailBytes. One thread.
class Follower {
 public:
  static constexpr std::size_t kPollBytes = 1 << 20;        ///< Of new records in one Poll().
  static constexpr std::size_t kMaxOpenSpans = 16384;       ///< More are left out, and counted.
  static constexpr std::size_t kMaxHeldSpans = 32768;       ///< More do not wait for attributes.
  static constexpr std::size_t kMaxDetailBytes = 16 << 20;  ///< Of spans that are held back.

  /// What is left out beside what the recording itself lacks.
  struct Lost {
    std::uint64_t spans = 0;           ///< Beyond kMaxOpenSpans, or on a track that is not there.
    std::uint64_t details = 0;         ///< Metrics and attributes beyond kMaxDetailBytes.
    std::uint64_t damaged_blocks = 0;  ///< Whose rest was skipped.
  };

  /// Null, and `error` says why, when there is nothing to be read; a file that is being made is not
  /// a recording yet: try again.
  static std::unique_ptr<Follower> Open(const std::string& path, ReadError* error);
  ~Follower();
  Follower(const Follower&) = delete;
  Follower& operator=(const Follower&) = delete;

  const RecordingInfo& info() const { return info_; }
  const std::vector<ThreadInfo>& threads() const { return threads_; }
  const std::vector<TrackInfo>& tracks() const { return tracks_; }
  const Lost& lost() const { return lost_; }

  /// Hands over what has ended. True: it stopped at kPollBytes, more can be read at once.
  bool Poll(RecordSink& sink);

  /// Whether nobody writes the recording any more: it is closed, or its process is gone. Where the
  /// file system has no locks, a process that is gone without closing is not noticed.
  bool HasEnded() const;

  /// The last call, once the process has ended and Poll() has returned false: hands over everything
  /// else, spans that never ended with the end SpanRecord::kOpen.
  void Finish(RecordSink& sink);

 private:
  /// A block that may still get records.
  struct Block {
    std::uint64_t number;
    std::uint32_t at;      ///< Read up to here.
    std::uint32_t thread;  ///< Index into threads_, once `has_thread`.
    bool has_thread;
    std::uint32_t idle_polls;  ///< In a row.
  };
  struct Held {
    Record record;
    Record placement;  ///< Of a kPlacedSpan.
    std::uint32_t thread;
    std::uint64_t round;  ///< When it, its end or its last detail was seen.
    bool has_ended;
    std::vector<std::string> details;  ///< Their records.
  };
  struct Orphan {
    std::uint64_t round;
    std::string record;
  };

  Follower() = default;
  std::size_t ReadAt(std::uint64_t offset, char* to, std::size_t bytes) const;
  /// Blocks that were handed out; none: the file cannot be read.
  std::uint64_t ClaimedBlocks() const;
  void AddBlocks();
  bool IsDue(const Block& block) const;
  /// Bytes of new records. `is_damaged`: nothing more of the block is read.
  std::size_t ReadBlock(Block& block, bool* is_damaged);
  bool Take(Block& block, std::uint64_t offset, const Record& record, const char* at);
  void TakeThread(Block& block, const Record& record);
  void TakeSpan(const Block& block, std::uint64_t offset, const Record& record, const char* at);
  void TakeDetail(const Record& record, const char* at, std::size_t bytes);
  void LookForEnds();
  void AdoptOrphans(RecordSink& sink, bool all);
  void DeliverReady(RecordSink& sink, bool all);
  void Deliver(std::uint32_t id, const Held& held, RecordSink& sink);
  void DeliverDetail(const std::string& bytes, RecordSink& sink);
  std::string_view Text(std::uint32_t id) const;
  bool HasText(std::uint32_t id) const;
  bool HasTexts(const Held& held) const;
  bool HasTextsOfDetail(const std::string& bytes) const;
  std::int64_t Time(std::uint64_t ticks);

  int fd_ = -1;
  std::uint32_t block_bytes_ = 0;
  std::uint64_t capacity_blocks_ = 0;
  RecordingInfo info_ = {};
  std::vector<ClockPair> pairs_;
  Timeline timeline_;
  bool has_new_pairs_ = true;
  std::vector<ThreadInfo> threads_;
  std::unordered_map<std::uint32_t, std::uint32_t> thread_of_;  // By the writer's index.
  std::vector<TrackInfo> tracks_;
  std::unordered_map<std::uint32_t, std::uint32_t> track_at_;    // By place: index + 1.
  std::unordered_map<std::uint32_t, std::uint32_t> track_name_;  // By index: text, until known.
  std::unordered_map<std::uint32_t, std::string> texts_;
  std::vector<Block> blocks_;
  std::uint64_t blocks_seen_ = 0;
  std::size_t cursor_ = 0;   // Into blocks_: where the next Poll goes on.
  std::uint64_t round_ = 0;  // Times that all blocks were read.
  bool is_last_ = false;
  std::map<std::uint32_t, Held> held_;  // By id: a parent before its children.
  std::size_t open_spans_ = 0, detail_bytes_ = 0;
  std::vector<Orphan> orphans_;
  std::vector<char> buffer_;
  Lost lost_;
};

}  // namespace xsp::wire

#endif  // XSP_CAPTURE_WIRE_FOLLOWER_H_
