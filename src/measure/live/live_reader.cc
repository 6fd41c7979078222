#include "measure/live/live_reader.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "capture/wire/follower.h"
#include "core/utf8.h"
#include "ingest/primitives/announcement.h"
#include "trace/vocabulary.h"

namespace xsp::live {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kSuffix = ".xspr";
constexpr const char* kOnlyRun = "recorded";

std::string CleanText(std::string_view text) {
  return core::IsCleanUtf8(text) ? std::string(text) : core::ToCleanUtf8(text);
}

/// Ids of a recording are below 2^32.
std::int64_t IdOf(std::size_t recording, std::uint64_t place) {
  return static_cast<std::int64_t>(recording << 32 | place);
}

std::size_t MaxOpenRecordings() {
  struct rlimit limit = {};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 1;
  constexpr rlim_t kMost = 4096;
  return static_cast<std::size_t>(std::clamp<rlim_t>(limit.rlim_cur / 4, 1, kMost));
}

}  // namespace

/// One recording: turns its records into rows of the batch.
class LiveReader::Recording final : public wire::RecordSink {
 public:
  /// `number`: from 1.
  Recording(std::unique_ptr<wire::Follower> follower, std::size_t number, std::string run)
      : follower_(std::move(follower)), number_(number), run_(std::move(run)) {}

  bool HasEnded() const { return follower_->HasEnded(); }

  bool Read(LiveBatch& batch) {
    batch_ = &batch;
    const bool has_more = follower_->Poll(*this);
    Close();
    return has_more;
  }

  void ReadLast(LiveBatch& batch) {
    batch_ = &batch;
    follower_->Finish(*this);
    Close();
  }

  std::uint64_t lost() const {
    const wire::Follower::Lost& lost = follower_->lost();
    return lost.spans + lost.details + lost.damaged_blocks;
  }

  void OnSpan(const wire::SpanRecord& record) override {
    Close();
    LiveSpan& span = batch_->spans.emplace_back();
    has_span_ = true;
    span.id = IdOf(number_, record.id);
    span.parent_id = record.parent == 0 ? 0 : IdOf(number_, record.parent);
    span.track_id = TrackOf(record);
    span.run = run_;
    span.level = trace::ToString(static_cast<trace::Level>(record.level));
    span.type = CleanText(record.type);
    span.name = CleanText(record.name);
    span.start_ns = Time(record.start_ns);
    if (record.end_ns != wire::SpanRecord::kOpen)
      span.duration_ns = record.end_ns - record.start_ns;
    span.correlation_id = static_cast<std::int64_t>(record.correlation_id & INT64_MAX);
    if (record.bytes != wire::kNoBytes)
      span.metrics.push_back({std::string(trace::metric::kBytes), static_cast<double>(record.bytes),
                              "byte", "measured:cupti"});
    AddDetails(record.details, span);
  }

  void OnMetric(const wire::MetricRecord& record) override {
    LiveMetric metric{CleanText(record.name), record.value, CleanText(record.unit),
                      CleanText(record.provenance)};
    if (LiveSpan* span = SpanOf(record.span)) {
      span->metrics.push_back(std::move(metric));
    } else {
      batch_->late.push_back({IdOf(number_, record.span), run_, std::move(metric), {}});
    }
  }

  void OnAttribute(const wire::AttributeRecord& record) override {
    if (record.span == 0) return;  // A fact about the process.
    LiveAttribute attribute{CleanText(record.key), CleanText(record.value)};
    if (LiveSpan* span = SpanOf(record.span)) {
      span->attributes.push_back(std::move(attribute));
    } else {
      batch_->late.push_back({IdOf(number_, record.span), run_, {}, std::move(attribute)});
    }
  }

  void OnMark(const wire::MarkRecord&) override {}
  void OnCounter(const wire::CounterRecord&) override {}

 private:
  /// The span that was handed over last, if it is that one.
  LiveSpan* SpanOf(std::uint32_t id) {
    if (!has_span_ || batch_->spans.back().id != IdOf(number_, id)) return nullptr;
    return &batch_->spans.back();
  }

  /// Names the last span as an import does: a primitive after its line.
  void Close() {
    if (!std::exchange(has_span_, false)) return;
    LiveSpan& span = batch_->spans.back();
    if (span.type != trace::type::kPrimitive || span.level != "kernel") return;
    for (const LiveAttribute& attribute : span.attributes) {
      if (attribute.key != trace::attribute::kRaw) continue;
      if (const auto announcement = primitives::ParseAnnouncement(attribute.value))
        span.name = primitives::KernelName(*announcement);
    }
  }

  static void AddDetails(std::string_view details, LiveSpan& span) {
    while (!details.empty()) {
      const std::string_view line = details.substr(0, details.find('\n'));
      details.remove_prefix(std::min(line.size() + 1, details.size()));
      const std::size_t equals = line.find('=');
      if (equals == std::string_view::npos) continue;
      span.attributes.push_back(
          {CleanText(line.substr(0, equals)), CleanText(line.substr(equals + 1))});
    }
  }

  std::int64_t Time(std::int64_t monotonic_ns) const {
    std::int64_t time_ns = 0;
    if (__builtin_add_overflow(monotonic_ns, follower_->info().realtime_offset_ns, &time_ns))
      return monotonic_ns;
    return time_ns;
  }

  std::int64_t TrackOf(const wire::SpanRecord& record) {
    if (record.track == 0) return ThreadTrack(record.thread);
    const wire::TrackInfo& info = follower_->tracks()[record.track - 1];
    if (info.kind == XSP_TRACK_THREAD) {
      // What the thread recorded itself and what others recorded for it lie on one track.
      const auto& threads = follower_->threads();
      for (std::size_t i = threads.size(); i-- > 0;)
        if (threads[i].thread_id == info.owner && threads[i].has_events)
          return ThreadTrack(static_cast<std::uint32_t>(i));
    }
    constexpr std::uint64_t kPlaced = std::uint64_t{1} << 31;
    return Known(kPlaced + record.track, [&](LiveTrack& track) {
      track.name = CleanText(info.name);
      const auto named = [&](std::string otherwise) {
        if (track.name.empty()) track.name = std::move(otherwise);
      };
      if (info.kind == XSP_TRACK_THREAD) {
        track.kind = trace::ToString(trace::TrackKind::kThread);
        track.thread_id = info.owner;
        return;
      }
      track.device = info.owner;
      if (info.kind == XSP_TRACK_DEVICE) {
        track.kind = trace::ToString(trace::TrackKind::kDevice);
        return named(fmt::format("device {}", info.owner));
      }
      track.kind = trace::ToString(trace::TrackKind::kStream);
      track.stream = info.stream;
      named(fmt::format("device {} stream {}", info.owner, info.stream));
    });
  }

  std::int64_t ThreadTrack(std::uint32_t thread) {
    return Known(thread + 1, [&](LiveTrack& track) {
      const wire::ThreadInfo& info = follower_->threads()[thread];
      track.kind = trace::ToString(trace::TrackKind::kThread);
      track.name = CleanText(info.name);
      track.thread_id = info.thread_id;
    });
  }

  template <typename Describe>
  std::int64_t Known(std::uint64_t place, Describe describe) {
    const std::int64_t id = IdOf(number_, place);
    if (!tracks_.insert(place).second) return id;
    LiveTrack& track = batch_->tracks.emplace_back();
    track.id = id;
    track.run = run_;
    track.process_id = follower_->info().process_id;
    describe(track);
    return id;
  }

  const std::unique_ptr<wire::Follower> follower_;
  const std::size_t number_;
  const std::string run_;
  LiveBatch* batch_ = nullptr;
  bool has_span_ = false;  // The last one of the batch is ours.
  std::set<std::uint64_t> tracks_;
};

LiveReader::LiveReader(fs::path folder, std::set<std::string> runs)
    : folder_(std::move(folder)), runs_(std::move(runs)), max_open_(MaxOpenRecordings()) {}
LiveReader::~LiveReader() = default;

void LiveReader::LookForRecordings() {
  std::error_code error;
  std::vector<fs::path> found;
  // Not a range-for: it would throw where the folder is removed meanwhile.
  for (fs::directory_iterator it(folder_, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    const std::size_t suffix = name.find(kSuffix);
    if (suffix != std::string::npos && (runs_.empty() || runs_.contains(name.substr(0, suffix))))
      found.push_back(it->path());
  }
  std::sort(found.begin(), found.end());
  has_waiting_ = false;
  for (const fs::path& path : found) {
    struct stat status = {};
    if (stat(path.c_str(), &status) != 0) continue;
    const FileKey key{status.st_dev, status.st_ino};
    if (known_.contains(key)) continue;
    has_waiting_ = recordings_.size() >= max_open_;
    if (has_waiting_) break;
    Open(path, key);
  }
}

void LiveReader::Open(const fs::path& path, const FileKey& key) {
  wire::ReadError error;
  auto follower = wire::Follower::Open(path.string(), &error);
  if (follower == nullptr) {
    // Else it is being made.
    if (error.kind != wire::ReadError::Kind::kNotARecording) unreadable_.insert(key);
    return;
  }
  unreadable_.erase(key);
  known_.insert(key);
  const std::string name = path.filename().string();
  recordings_.push_back(
      std::make_unique<Recording>(std::move(follower), ++opened_,
                                  runs_.empty() ? kOnlyRun : name.substr(0, name.find(kSuffix))));
}

void LiveReader::Release(std::size_t at) {
  lost_ += recordings_[at]->lost();
  recordings_.erase(recordings_.begin() + static_cast<std::ptrdiff_t>(at));
}

bool LiveReader::Read(LiveBatch& batch) {
  batch = {};
  if (next_ == 0) LookForRecordings();
  bool has_released = false;
  while (next_ < recordings_.size()) {
    Recording& recording = *recordings_[next_];
    // Asked first: what was recorded until then is found.
    const bool has_ended = recording.HasEnded();
    const bool has_more = recording.Read(batch);
    if (!has_more && has_ended) {
      recording.ReadLast(batch);
      Release(next_);
      has_released = true;
    } else if (!has_more) {
      ++next_;
    }
    if (has_more || !batch.spans.empty()) break;
  }
  if (next_ < recordings_.size()) return true;
  next_ = 0;
  return has_released && has_waiting_;
}

bool LiveReader::ReadLast(LiveBatch& batch) {
  // Piece by piece first, so that the last call of each has little left.
  if (!is_last_) {
    is_last_ = !Read(batch);
    return true;
  }
  batch = {};
  if (!recordings_.empty()) {
    recordings_.front()->ReadLast(batch);
    Release(0);
    return true;
  }
  LookForRecordings();  // Those that waited.
  return !recordings_.empty();
}

std::uint64_t LiveReader::lost() const {
  std::uint64_t lost = lost_ + unreadable_.size();
  for (const auto& recording : recordings_) lost += recording->lost();
  return lost;
}

}  // namespace xsp::live
