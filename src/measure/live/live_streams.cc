#include "measure/live/live_streams.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <random>
#include <utility>

#include "core/counted.h"
#include "measure/live/level_sink.h"
#include "measure/live/live_stream.h"
#include "measure/live/otlp_endpoint.h"
#include "measure/live/otlp_sink.h"
#include "measure/live/parquet_sink.h"
#include "os/paths.h"

namespace xsp::live {
namespace {

constexpr std::chrono::milliseconds kShortGrace{1000};
constexpr const char* kDroppedRows = "stream_dropped_rows";
constexpr const char* kRowsHint =
    "These rows could not be written to the folder of --stream; the stored run has all of them. "
    "Free disk space, or choose another folder.";

std::optional<std::string> OwnVariable(const char* name) { return os::Environment(name); }

/// A stream and the words for what became of it.
struct NamedStream {
  std::unique_ptr<LiveStream> stream;
  std::string done;  ///< "were sent to http://..."; empty: LevelSink, for who looks on.
  std::string diagnostic, hint;
};

class RunningStreams final : public LiveStreams {
 public:
  RunningStreams(StreamedRuns streamed) : streamed_(std::move(streamed)) {}

  void Send(const OtlpEndpoint& endpoint) {
    grace_ = endpoint.timeout;
    OtlpEncoder encoder(streamed_.experiment, streamed_.session);
    for (const std::string& run : RunNames()) traces_[run] = encoder.TraceId(run);
    Add(std::make_unique<OtlpSink>(endpoint, std::move(encoder)),
        fmt::format("sent to {} while they were recorded", endpoint.Name()), "otlp_dropped_spans",
        "The server did not take these spans, or not before the end; the stored run has all of "
        "them. Check the server's address and log, or raise OTEL_EXPORTER_OTLP_TIMEOUT; xsp export "
        "--format otlp writes the whole run.");
  }

  void Append(store::LiveTables tables, const std::filesystem::path& folder) {
    Add(std::make_unique<ParquetSink>(std::move(tables), streamed_.experiment),
        fmt::format("appended to the tables in {}", folder.string()), kDroppedRows, kRowsHint);
  }

  void SumLevels(const std::filesystem::path& file) {
    Add(std::make_unique<LevelSink>(file), "", "", "");
  }

  /// In place of Append(): nothing can be written there.
  void LeaveOut(const Error& error) {
    missed_.notes.push_back(fmt::format("No spans were appended to tables: {}.", error.what));
    for (const std::string& run : RunNames())
      missed_.losses.push_back({run, kDroppedRows, error.what, kRowsHint, LiveOutcome::kWholeRun});
  }

  LiveOutcome Stop() override {
    LiveOutcome outcome = missed_;
    outcome.traces = traces_;
    for (NamedStream& named : streams_) {
      const LiveCounts& counts =
          named.stream->Stop(streamed_.has_lost ? std::min(grace_, kShortGrace) : grace_);
      if (!named.done.empty()) {
        Report(named, counts, RunNames(), outcome);
      } else if (counts.delivered > 0) {
        outcome.notes.push_back(fmt::format(
            "Somebody looked on: {} summed while the programs ran, which took {:.2g} s of CPU time "
            "on this machine. Times may be too long.",
            counts.delivered == 1 ? "1 span was" : fmt::format("{} spans were", counts.delivered),
            named.stream->cpu_s()));
      }
    }
    streams_.clear();  // With their files.
    return outcome;
  }

 private:
  std::set<std::string> RunNames() const {
    return streamed_.runs.empty() ? std::set<std::string>{"recorded"} : streamed_.runs;
  }

  void Add(std::unique_ptr<LiveSink> sink, std::string done, std::string diagnostic,
           std::string hint) {
    streams_.push_back(
        {std::make_unique<LiveStream>(
             std::make_unique<LiveReader>(streamed_.recordings, streamed_.runs), std::move(sink)),
         std::move(done), std::move(diagnostic), std::move(hint)});
  }

  static void Report(const NamedStream& named, const LiveCounts& counts,
                     const std::set<std::string>& runs, LiveOutcome& outcome) {
    std::string note =
        fmt::format("{} {} {}", core::Counted(static_cast<std::size_t>(counts.delivered), "span"),
                    counts.delivered == 1 ? "was" : "were", named.done);
    const std::int64_t dropped = counts.dropped_in_all();
    if (dropped > 0) note += fmt::format("; {} dropped", dropped);
    if (!counts.problem.empty()) note += fmt::format(" ({})", counts.problem);
    if (counts.late_details > 0)
      note += fmt::format("; {} came after their span was sent",
                          core::Counted(static_cast<std::size_t>(counts.late_details),
                                        "metric or attribute", "metrics and attributes"));
    if (const std::uint64_t lost = named.stream->lost(); lost > 0)
      note += fmt::format("; {} left out: too much was open at once, or the recording is damaged",
                          lost);
    outcome.notes.push_back(note + ".");
    outcome.has_lost |= dropped > 0;
    if (!named.stream->failure().empty()) {
      outcome.notes.push_back(
          fmt::format("Not all spans were {}: {}.", named.done, named.stream->failure()));
      for (const std::string& run : runs)
        outcome.losses.push_back({run, "live_stream_ended", named.stream->failure(),
                                  "The stored run has all spans. Report this as a fault.", 1});
    }
    for (const auto& [run, count] : counts.dropped)
      outcome.losses.push_back({run, named.diagnostic, counts.problem, named.hint, count});
  }

  const StreamedRuns streamed_;
  std::chrono::milliseconds grace_{10'000};
  nlohmann::json traces_ = nlohmann::json::object();
  std::vector<NamedStream> streams_;
  LiveOutcome missed_;  // What has no stream.
};

}  // namespace

void LiveOutcome::AddTo(std::string_view run, trace::Trace& trace) const {
  trace::TraceWriter writer(trace);
  for (const Loss& loss : losses) {
    if (loss.run != run) continue;
    const auto all = static_cast<std::int64_t>(trace.spans.size());
    const std::int64_t count = loss.count == kWholeRun ? all : loss.count;
    if (count > 0) writer.Count(loss.diagnostic, loss.example, loss.hint, count);
  }
}

void LiveOutcome::AddTo(std::string_view run, nlohmann::json& details) const {
  const auto it = traces.find(std::string(run));
  if (it != traces.end()) details["otlp_trace_id"] = *it;
}

std::string NewSession() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
}

Status Check(const LiveRequest& request) {
  if (request.otlp.empty()) return Ok{};
  const auto endpoint = ReadOtlpEndpoint(request.otlp, OwnVariable);
  return endpoint.ok() ? Status(Ok{}) : Status(endpoint.error());
}

Result<std::unique_ptr<LiveStreams>> LiveStreams::Start(const LiveRequest& request,
                                                        const StreamedRuns& streamed) {
  std::optional<OtlpEndpoint> endpoint;
  if (!request.otlp.empty()) {
    XSP_TRY(endpoint, ReadOtlpEndpoint(request.otlp, OwnVariable));
  }
  auto streams = std::make_unique<RunningStreams>(streamed);
  if (!request.folder.empty()) {
    constexpr std::size_t kSessionDigits = 12;
    auto tables = store::LiveTables::Create(
        request.folder,
        fmt::format("{}-{}", streamed.session.substr(0, kSessionDigits), streamed.group));
    if (tables.ok()) {
      streams->Append(std::move(tables).value(), request.folder);
    } else if (streamed.group <= 1) {
      return tables.error();
    } else {
      streams->LeaveOut(tables.error());
    }
  }
  if (endpoint) streams->Send(*endpoint);
  if (const auto file = OwnVariable(kLevelsVariable)) streams->SumLevels(*file);
  return std::unique_ptr<LiveStreams>(std::move(streams));
}

}  // namespace xsp::live
