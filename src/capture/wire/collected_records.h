#ifndef XSP_CAPTURE_WIRE_COLLECTED_RECORDS_H_
#define XSP_CAPTURE_WIRE_COLLECTED_RECORDS_H_

#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "capture/wire/reader.h"

namespace xsp::wire {

/// A recording as plain rows with texts of their own: for tests, and for small files.
struct CollectedRecords final : RecordSink {
  struct Span {
    std::uint32_t id, parent, thread;
    xsp_level level;
    std::string type, name;
    std::int64_t start_ns, end_ns;
    std::uint32_t track = 0;
    std::uint64_t correlation_id = 0, graph_node = 0, bytes = kNoBytes;
    std::string details;
    bool is_open() const { return end_ns == SpanRecord::kOpen; }
  };
  struct Metric {
    std::uint32_t span;
    std::string name, unit, provenance;
    double value;
  };
  struct Attribute {
    std::uint32_t span;
    std::string key, value;
  };
  struct Event {
    std::uint32_t thread;
    std::int64_t time_ns;
    std::string name, unit;
    double value;
    std::uint32_t track = 0;
  };

  struct Frame {
    std::uint32_t id, caller;
    std::string function, module;
  };

  bool is_readable = false;
  ReadError error;
  RecordingInfo info = {};
  Losses losses;
  std::vector<ThreadInfo> threads;
  std::vector<TrackInfo> tracks;
  std::vector<CaptureRecord> captures;
  std::vector<Span> spans;
  std::vector<Metric> metrics;
  std::vector<Attribute> attributes;
  std::vector<Event> marks, counters;
  std::vector<Frame> frames;
  std::vector<StackSampleRecord> stack_samples;

  void OnSpan(const SpanRecord& s) override {
    spans.push_back({s.id, s.parent, s.thread, s.level, std::string(s.type), std::string(s.name),
                     s.start_ns, s.end_ns, s.track, s.correlation_id, s.graph_node, s.bytes,
                     std::string(s.details)});
  }
  void OnMetric(const MetricRecord& m) override {
    metrics.push_back(
        {m.span, std::string(m.name), std::string(m.unit), std::string(m.provenance), m.value});
  }
  void OnAttribute(const AttributeRecord& a) override {
    attributes.push_back({a.span, std::string(a.key), std::string(a.value)});
  }
  void OnMark(const MarkRecord& m) override {
    marks.push_back({m.thread, m.time_ns, std::string(m.name), {}, 0});
  }
  void OnCounter(const CounterRecord& c) override {
    counters.push_back(
        {c.thread, c.time_ns, std::string(c.name), std::string(c.unit), c.value, c.track});
  }
  void OnCapture(const CaptureRecord& c) override { captures.push_back(c); }

  void OnFrame(const FrameRecord& f) override {
    frames.push_back({f.id, f.caller, std::string(f.function), std::string(f.module)});
  }
  void OnStackSample(const StackSampleRecord& s) override { stack_samples.push_back(s); }

  static std::unique_ptr<CollectedRecords> From(std::unique_ptr<Reader> reader,
                                                const ReadError& error) {
    auto collected = std::make_unique<CollectedRecords>();
    collected->error = error;
    if (reader == nullptr) return collected;
    reader->Read(*collected);
    collected->is_readable = true;
    collected->info = reader->info();
    collected->threads = reader->threads();
    collected->tracks = reader->tracks();
    collected->losses = reader->losses();
    return collected;
  }
};

inline std::unique_ptr<CollectedRecords> ReadRecording(const std::string& path) {
  ReadError error;
  auto reader = Reader::Open(path, &error);
  return CollectedRecords::From(std::move(reader), error);
}

inline std::unique_ptr<CollectedRecords> ReadRecordingBytes(std::string_view bytes) {
  ReadError error;
  auto reader = Reader::OpenBytes(bytes, &error);
  return CollectedRecords::From(std::move(reader), error);
}

/// A folder that is gone when its owner is.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "xsp-wire-XXXXXX").string();
    path_ = mkdtemp(pattern.data()) == nullptr ? "" : pattern;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace xsp::wire

#endif  // XSP_CAPTURE_WIRE_COLLECTED_RECORDS_H_
