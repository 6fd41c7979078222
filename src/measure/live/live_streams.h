#ifndef XSP_MEASURE_LIVE_LIVE_STREAMS_H_
#define XSP_MEASURE_LIVE_LIVE_STREAMS_H_

#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "trace/trace.h"

namespace xsp::live {

/// Environment variable: a file for LevelSink, whatever is requested. How a server that looks on
/// names it to the process of a job.
inline constexpr const char* kLevelsVariable = "XSP_LIVE_LEVELS";

/// Where spans go while programs run.
struct LiveRequest {
  std::string otlp;              ///< URL as ReadOtlpEndpoint() takes it; empty: none.
  std::filesystem::path folder;  ///< Gets Parquet tables (store::LiveTables); empty: none does.

  bool empty() const { return otlp.empty() && folder.empty(); }
};

/// What is streamed.
struct StreamedRuns {
  std::string experiment;
  std::filesystem::path recordings;  ///< A folder.
  std::set<std::string> runs;        ///< As LiveReader takes them.
  std::string session;               ///< NewSession().
  int group = 0;                     ///< Of a session: 0 or 1, then ever higher.
  bool has_lost = false;  ///< An earlier group lost spans: what is left gets 1 s at most.
};

/// What came of it.
struct LiveOutcome {
  static constexpr std::int64_t kWholeRun = -1;  ///< As a count: all spans of the run.
  struct Loss {
    std::string run, diagnostic, example, hint;
    std::int64_t count = 0;
  };
  std::vector<std::string> notes;  ///< Sentences for people: what was delivered and what was not.
  std::vector<Loss> losses;
  nlohmann::json traces = nlohmann::json::object();  ///< By run: its trace id; empty: no OTLP.
  bool has_lost = false;

  /// Adds what of a run was lost to its diagnostics.
  void AddTo(std::string_view run, trace::Trace& trace) const;
  /// Adds the id of its trace, `otlp_trace_id`, to what is known of a run.
  void AddTo(std::string_view run, nlohmann::json& details) const;
};

/// A random text of 32 digits.
std::string NewSession();

/// What Start() would find wrong, without a server or a folder being touched. Errors: as
/// ReadOtlpEndpoint().
Status Check(const LiveRequest& request);

/// The streams of a request, which may be none. Threading: one thread.
class LiveStreams {
 public:
  /// Errors: those of ReadOtlpEndpoint(), and in the first group of LiveTables::Create(): later
  /// ones go on without tables, and the outcome says so. A server that does not answer is
  /// none: it may come.
  static Result<std::unique_ptr<LiveStreams>> Start(const LiveRequest& request,
                                                    const StreamedRuns& streamed);
  virtual ~LiveStreams() = default;

  /// To be called once, when the programs have ended. Takes at most about as long as a request may
  /// (OTEL_EXPORTER_OTLP_TIMEOUT); what is not delivered then is counted as dropped.
  virtual LiveOutcome Stop() = 0;
};

}  // namespace xsp::live

#endif  // XSP_MEASURE_LIVE_LIVE_STREAMS_H_
