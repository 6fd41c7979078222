#ifndef XSP_INGEST_IMPORTERS_OTLP_TRACE_BUILDER_H_
#define XSP_INGEST_IMPORTERS_OTLP_TRACE_BUILDER_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ingest/importers/otlp/span_record.h"
#include "trace/source_writer.h"

namespace xsp::importers::otlp {

/// Writes the spans of a file into a trace. Spans of XSP's own export are written as they come;
/// others wait until Finish(), which gives traces that overlap a track each.
class TraceBuilder final : public BatchVisitor {
 public:
  /// `writer` is borrowed.
  explicit TraceBuilder(trace::SourceWriter& writer) : writer_(writer) {}

  void OnResource(const Attributes& attributes) override;
  void OnScope(std::string_view name, std::string_view version) override;
  void OnSpan(SpanRecord span) override;
  void OnFlaw(Flaw flaw, std::string_view example) override;

  /// Once, after the last span: what needs all of them.
  void Finish();

 private:
  struct Resource {
    std::string name;  ///< Of its service.
    std::int64_t process_id = trace::kNotApplicable;
  };
  /// A span of another program.
  struct Waiting {
    SpanRecord span;
    std::size_t resource = 0;
    std::string scope;
  };
  /// The spans of a trace in one thread of a resource.
  struct Group {
    std::vector<const Waiting*> spans;
    std::int64_t start_ns = 0, end_ns = 0;
  };
  using ThreadKey = std::pair<std::size_t, std::string>;  ///< Resource, thread.

  std::size_t CurrentResource();
  void AddResource();
  void AddOwnSpan(const SpanRecord& span, trace::Level level);
  trace::TrackId TrackOfOwnSpan(const SpanRecord& span);
  void AddDetails(trace::SpanId id, const Attributes& attributes);
  void AddWaiting();
  void AddThread(const ThreadKey& thread, std::vector<Group*> groups);
  void AddForeignSpan(const Waiting& waiting, trace::TrackId track);
  trace::SpanId Add(const SpanRecord& span, const trace::NewSpan& written);
  std::int64_t DurationOf(const SpanRecord& span);
  void SetParents();
  void AddLinks();

  trace::SourceWriter& writer_;
  Attributes resource_;
  std::string scope_;
  std::optional<std::size_t> resource_id_;  ///< Of the current one, once a span came.
  std::vector<Resource> resources_;
  std::map<std::string, std::size_t, std::less<>> resource_ids_;  ///< By attributes, as JSON.
  std::map<std::string, trace::TrackId, std::less<>> tracks_;     ///< Of XSP's own export.
  std::vector<Waiting> waiting_;
  std::unordered_map<SpanKey, trace::SpanId, SpanKeyHash> ids_;  ///< 0: it waits.
  std::vector<std::pair<trace::SpanId, SpanKey>> parents_;
  std::vector<std::pair<trace::SpanId, SpanKey>> links_;
};

}  // namespace xsp::importers::otlp

#endif  // XSP_INGEST_IMPORTERS_OTLP_TRACE_BUILDER_H_
