#include "capture/wire/follower.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "capture/wire/record_walk.h"

namespace xsp::wire {
namespace {

// A record that is seen now may name a text in a block that was read before. All blocks are read
// once more before it is handed over; its own attributes have time to arrive, too.
constexpr std::uint64_t kRoundsToWait = 2;
// A block with less room than this was most likely left by its thread, and is looked at seldom.
constexpr std::uint32_t kNearlyFullBytes = kMaxStringBytes + 2 * kUnitBytes;
constexpr std::uint32_t kMaxIdlePolls = 64;
constexpr std::uint32_t kMaxTextIdThere = 1 << 20;  // What the writer keeps to.

std::string FixedTextOf(const char* text, std::size_t size) {
  return std::string(text, strnlen(text, size));
}

bool IsTimed(const Record& record) { return KindOf(record.head) != RecordKind::kSpan; }

std::int64_t ClampedNs(std::uint64_t ns) {
  return static_cast<std::int64_t>(std::min(ns, static_cast<std::uint64_t>(INT64_MAX)));
}

// Texts that have not come after so many rounds were lost.
bool IsReady(std::uint64_t rounds_waited, bool is_whole) {
  return is_whole || rounds_waited >= kRoundsToWait + kMaxIdlePolls;
}

std::uint32_t IdAt(std::uint64_t offset) { return static_cast<std::uint32_t>(offset / kUnitBytes); }

}  // namespace

std::unique_ptr<Follower> Follower::Open(const std::string& path, ReadError* error) {
  std::unique_ptr<Follower> follower(new Follower);
  follower->fd_ = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (follower->fd_ < 0) {
    *error = {ReadError::Kind::kCannotRead,
              std::string("recording cannot be read: ") + strerror(errno) + ": " + path,
              "check that the file exists and may be read"};
    return nullptr;
  }
  FileHeader header{};
  const std::size_t got = follower->ReadAt(0, reinterpret_cast<char*>(&header), sizeof header);
  if (!Reader::CheckHeader(header, got, error)) return nullptr;
  follower->block_bytes_ = header.block_bytes;
  follower->capacity_blocks_ = header.capacity_bytes > kHeaderBytes
                                   ? (header.capacity_bytes - kHeaderBytes) / header.block_bytes
                                   : 0;
  RecordingInfo& info = follower->info_;
  info.process_id = header.process_id;
  info.parent_process_id = header.parent_process_id;
  info.program = FixedTextOf(header.program, sizeof header.program);
  info.boot_id = FixedTextOf(header.boot_id, sizeof header.boot_id);
  info.clock = static_cast<ClockKind>(header.clock_kind);
  follower->pairs_ = {header.opened[0], header.opened[1]};
  info.realtime_offset_ns = Timeline(info.clock, follower->pairs_).realtime_offset_ns();
  follower->buffer_.resize(header.block_bytes);
  return follower;
}

Follower::~Follower() {
  if (fd_ >= 0) close(fd_);
}

std::size_t Follower::ReadAt(std::uint64_t offset, char* to, std::size_t bytes) const {
  std::size_t done = 0;
  while (done < bytes) {
    const ssize_t got = pread(fd_, to + done, bytes - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

bool Follower::Poll(RecordSink& sink) {
  if (cursor_ == 0) AddBlocks();
  std::size_t bytes = 0;
  for (; cursor_ < blocks_.size() && bytes < kPollBytes; ++cursor_) {
    Block& block = blocks_[cursor_];
    if (!IsDue(block)) {
      ++block.idle_polls;
      continue;
    }
    bool is_damaged = false;
    const std::size_t got = ReadBlock(block, &is_damaged);
    block.idle_polls = got > 0 ? 0 : block.idle_polls + 1;
    if (is_damaged) {
      ++lost_.damaged_blocks;
      block.at = block_bytes_;
    }
    bytes += got;
  }
  const bool is_round = cursor_ >= blocks_.size();
  if (is_round) {
    std::erase_if(blocks_, [&](const Block& block) { return block.at >= block_bytes_; });
    cursor_ = 0;
    ++round_;
  }
  LookForEnds();
  AdoptOrphans(sink, false);
  DeliverReady(sink, false);
  return !is_round;
}

void Follower::Finish(RecordSink& sink) {
  is_last_ = true;
  // Twice: texts of the first round may be needed, and blocks may be named in it.
  for (int round = 0; round < 2; ++round)
    while (Poll(sink)) {
    }
  AdoptOrphans(sink, true);
  DeliverReady(sink, true);
}

bool Follower::HasEnded() const {
  std::uint64_t state = 0;
  if (ReadAt(offsetof(FileHeader, state), reinterpret_cast<char*>(&state), sizeof state) !=
      sizeof state)
    return false;
  if (state == static_cast<std::uint64_t>(FileState::kClosed)) return true;
  // The writer's mapping keeps its lock until the process is gone, of whatever number it is here.
  if (flock(fd_, LOCK_SH | LOCK_NB) != 0) return false;
  flock(fd_, LOCK_UN);
  return true;
}

std::uint64_t Follower::ClaimedBlocks() const {
  FileHeader header{};
  struct stat status = {};
  if (ReadAt(0, reinterpret_cast<char*>(&header), sizeof header) != sizeof header ||
      fstat(fd_, &status) != 0)
    return 0;
  const bool is_closed = header.state == static_cast<std::uint64_t>(FileState::kClosed);
  // A damaged count must not make room for blocks that are not in the file.
  const auto size = static_cast<std::uint64_t>(status.st_size);
  return std::min({is_closed ? header.used_blocks : header.next_block, capacity_blocks_,
                   size > kHeaderBytes ? (size - kHeaderBytes) / block_bytes_ : 0});
}

void Follower::AddBlocks() {
  for (const std::uint64_t claimed = ClaimedBlocks(); blocks_seen_ < claimed;) {
    const std::uint64_t number = blocks_seen_++;
    blocks_.push_back({number, 0, 0, false, 0});
    // While a file is closed, and where its count is damaged, far more blocks are named than were
    // handed out. One that has only not begun yet is followed by others in the next round.
    std::uint64_t head = 0;
    ReadAt(kHeaderBytes + number * block_bytes_, reinterpret_cast<char*>(&head), sizeof head);
    if (head == 0 && !is_last_) break;
  }
}

bool Follower::IsDue(const Block& block) const {
  return is_last_ || block_bytes_ - block.at > kNearlyFullBytes ||
         block.idle_polls % kMaxIdlePolls < 2;
}

std::size_t Follower::ReadBlock(Block& block, bool* is_damaged) {
  const std::uint64_t start = kHeaderBytes + block.number * block_bytes_ + block.at;
  const std::size_t got =
      ReadAt(start, buffer_.data(), block_bytes_ - block.at) / kUnitBytes * kUnitBytes;
  std::size_t end = 0;
  while (end < got) {
    std::uint64_t head;
    memcpy(&head, buffer_.data() + end, sizeof head);
    const std::size_t bytes = std::size_t{UnitsOf(head)} * kUnitBytes;
    if (head == 0) break;
    if (bytes == 0 || bytes > got - end) {
      *is_damaged = true;
      break;
    }
    end += bytes;
  }
  // Heads are stored last: what is read after a head was seen is whole.
  const std::size_t whole = std::min(ReadAt(start, buffer_.data(), end), end);
  std::size_t at = 0;
  while (at < whole) {
    Record record;
    memcpy(&record, buffer_.data() + at, sizeof record);
    const std::size_t bytes = std::size_t{UnitsOf(record.head)} * kUnitBytes;
    if (bytes == 0 || bytes > whole - at || !IsWellFormed(record) ||
        !Take(block, start + at, record, buffer_.data() + at)) {
      *is_damaged = true;
      break;
    }
    at += bytes;
  }
  block.at += static_cast<std::uint32_t>(at);
  return at;
}

bool Follower::Take(Block& block, std::uint64_t offset, const Record& record, const char* at) {
  const RecordKind kind = KindOf(record.head);
  const bool is_first = offset == kHeaderBytes + block.number * block_bytes_;
  if ((kind == RecordKind::kBlock) != is_first) return false;
  if (is_first)
    return record.words[0] == kBlockMagic &&
           HighOf(record.head) == static_cast<std::uint32_t>(block.number);
  if (kind == RecordKind::kThread) {
    TakeThread(block, record);
    return true;
  }
  if (!block.has_thread) return false;
  switch (kind) {
    case RecordKind::kString:
      if (HighOf(record.head) > kMaxTextIdThere) return false;
      if (std::string& text = texts_[HighOf(record.head)]; text.empty())
        text.assign(at + kTextOffset, LowOf(record.words[0]));
      break;
    case RecordKind::kClock:
      pairs_.push_back({record.words[0], static_cast<std::int64_t>(record.words[1]),
                        static_cast<std::int64_t>(record.words[2])});
      has_new_pairs_ = true;
      break;
    case RecordKind::kTrack:
      if (FlagsOf(record.head) > XSP_TRACK_DEVICE) break;
      track_name_[static_cast<std::uint32_t>(tracks_.size())] = HighOf(record.head);
      tracks_.push_back({static_cast<xsp_track_kind>(FlagsOf(record.head)),
                         {},
                         LowOf(record.words[0]),
                         static_cast<std::int64_t>(record.words[1])});
      track_at_[IdAt(offset)] = static_cast<std::uint32_t>(tracks_.size());
      break;
    case RecordKind::kSpan:
    case RecordKind::kTimedSpan:
    case RecordKind::kPlacedSpan:
      TakeSpan(block, offset, record, at);
      break;
    case RecordKind::kMetric:
    case RecordKind::kAttribute:
      TakeDetail(record, at, std::size_t{UnitsOf(record.head)} * kUnitBytes);
      break;
    default:
      break;
  }
  return true;
}

void Follower::TakeThread(Block& block, const Record& record) {
  const auto next = static_cast<std::uint32_t>(threads_.size());
  const auto [it, is_new] = thread_of_.try_emplace(HighOf(record.head), next);
  if (is_new) threads_.push_back({LowOf(record.words[0]), {}, false});
  char name[2 * sizeof(std::uint64_t)];
  memcpy(name, &record.words[1], sizeof name);
  if (name[0] != '\0') threads_[it->second].name = FixedTextOf(name, sizeof name);
  block.thread = it->second;
  block.has_thread = true;
}

void Follower::TakeSpan(const Block& block, std::uint64_t offset, const Record& record,
                        const char* at) {
  if (FlagsOf(record.head) > XSP_LEVEL_KERNEL) return;
  Held held{record, {}, block.thread, round_, IsTimed(record) || record.words[2] != 0, {}};
  if (KindOf(record.head) == RecordKind::kPlacedSpan) {
    memcpy(&held.placement, at + kUnitBytes, sizeof held.placement);
  } else {
    threads_[block.thread].has_events = true;
  }
  if (!held.has_ended) {
    if (open_spans_ >= kMaxOpenSpans) {
      ++lost_.spans;
      return;
    }
    ++open_spans_;
  }
  held_.insert_or_assign(IdAt(offset), std::move(held));
}

void Follower::TakeDetail(const Record& record, const char* at, std::size_t bytes) {
  if (detail_bytes_ + bytes > kMaxDetailBytes) {
    ++lost_.details;
    return;
  }
  detail_bytes_ += bytes;
  const std::uint32_t span = LowOf(record.words[0]);
  const auto it = held_.find(span);
  if (it == held_.end()) {
    orphans_.push_back({round_, std::string(at, bytes)});
    return;
  }
  it->second.details.emplace_back(at, bytes);
  it->second.round = round_;
}

void Follower::LookForEnds() {
  if (open_spans_ == 0) return;
  for (auto& [id, held] : held_) {
    if (held.has_ended) continue;
    std::uint64_t end = 0;
    const std::uint64_t place = std::uint64_t{id} * kUnitBytes + offsetof(Record, words) + 16;
    if (ReadAt(place, reinterpret_cast<char*>(&end), sizeof end) != sizeof end || end == 0)
      continue;
    held.record.words[2] = end;
    held.has_ended = true;
    held.round = round_;
    --open_spans_;
  }
}

void Follower::AdoptOrphans(RecordSink& sink, bool all) {
  std::erase_if(orphans_, [&](Orphan& orphan) {
    Record record;
    memcpy(&record, orphan.record.data(), sizeof record);
    const auto it = held_.find(LowOf(record.words[0]));
    if (it != held_.end()) {
      it->second.details.push_back(std::move(orphan.record));
      it->second.round = round_;
      return true;
    }
    const std::uint64_t waited = round_ - orphan.round;
    const bool is_whole = waited >= kRoundsToWait && HasTextsOfDetail(orphan.record);
    if (!all && !IsReady(waited, is_whole)) return false;
    DeliverDetail(orphan.record, sink);
    return true;
  });
}

void Follower::DeliverReady(RecordSink& sink, bool all) {
  if (std::exchange(has_new_pairs_, false)) timeline_ = Timeline(info_.clock, pairs_);
  for (auto it = track_name_.begin(); it != track_name_.end();) {
    const auto text = texts_.find(it->second);
    if (text != texts_.end()) tracks_[it->first].name = text->second;
    it = text != texts_.end() || it->second == 0 ? track_name_.erase(it) : std::next(it);
  }
  const bool is_crowded = held_.size() - open_spans_ > kMaxHeldSpans;
  for (auto it = held_.begin(); it != held_.end();) {
    const Held& held = it->second;
    const std::uint64_t waited = round_ - held.round;
    const bool is_whole = (waited >= kRoundsToWait || is_crowded) && HasTexts(held);
    if (!all && !(held.has_ended && IsReady(waited, is_whole))) {
      ++it;
      continue;
    }
    Deliver(it->first, held, sink);
    if (!held.has_ended) --open_spans_;
    it = held_.erase(it);
  }
}

void Follower::Deliver(std::uint32_t id, const Held& held, RecordSink& sink) {
  const Record& record = held.record;
  SpanRecord span{id,
                  HighOf(record.words[0]),
                  held.thread,
                  static_cast<xsp_level>(FlagsOf(record.head)),
                  Text(HighOf(record.head)),
                  Text(LowOf(record.words[0])),
                  0,
                  SpanRecord::kOpen,
                  IsTimed(record)};
  bool has_track = true;
  if (KindOf(record.head) == RecordKind::kPlacedSpan) {
    Placement placed;
    memcpy(&placed, &held.placement, sizeof placed);
    const auto track = track_at_.find(LowOf(placed.track_details));
    has_track = track != track_at_.end();
    if (has_track) span.track = track->second;
    span.correlation_id = placed.correlation_id;
    span.graph_node = placed.graph_node;
    span.bytes = placed.bytes;
    span.details = Text(HighOf(placed.track_details));
  }
  span.start_ns = span.is_timed ? ClampedNs(record.words[1]) : Time(record.words[1]);
  if (held.has_ended)
    span.end_ns =
        std::max(span.start_ns, span.is_timed ? ClampedNs(record.words[2]) : Time(record.words[2]));
  if (has_track) {
    sink.OnSpan(span);
  } else {
    ++lost_.spans;
  }
  for (const std::string& detail : held.details) DeliverDetail(detail, sink);
}

void Follower::DeliverDetail(const std::string& bytes, RecordSink& sink) {
  detail_bytes_ -= bytes.size();
  Record record;
  memcpy(&record, bytes.data(), sizeof record);
  if (KindOf(record.head) == RecordKind::kAttribute) {
    return sink.OnAttribute({LowOf(record.words[0]), Text(HighOf(record.head)),
                             std::string_view(bytes).substr(kTextOffset, HighOf(record.words[0]))});
  }
  double value;
  memcpy(&value, &record.words[2], sizeof value);
  sink.OnMetric({LowOf(record.words[0]), Text(HighOf(record.head)), Text(HighOf(record.words[0])),
                 Text(LowOf(record.words[1])), value});
}

std::string_view Follower::Text(std::uint32_t id) const {
  const auto it = texts_.find(id);
  return it != texts_.end() ? std::string_view(it->second) : std::string_view();
}

bool Follower::HasText(std::uint32_t id) const { return id == 0 || texts_.contains(id); }

bool Follower::HasTextsOfDetail(const std::string& bytes) const {
  Record record;
  memcpy(&record, bytes.data(), sizeof record);
  if (!HasText(HighOf(record.head))) return false;
  return KindOf(record.head) != RecordKind::kMetric ||
         (HasText(HighOf(record.words[0])) && HasText(LowOf(record.words[1])));
}

bool Follower::HasTexts(const Held& held) const {
  if (!HasText(HighOf(held.record.head)) || !HasText(LowOf(held.record.words[0]))) return false;
  for (const std::string& detail : held.details)
    if (!HasTextsOfDetail(detail)) return false;
  if (KindOf(held.record.head) != RecordKind::kPlacedSpan) return true;
  Placement placed;
  memcpy(&placed, &held.placement, sizeof placed);
  return track_at_.contains(LowOf(placed.track_details)) && HasText(HighOf(placed.track_details));
}

std::int64_t Follower::Time(std::uint64_t ticks) { return timeline_.ToMonotonicNs(ticks); }

}  // namespace xsp::wire
