#ifndef XSP_INGEST_IMPORTERS_XSP_RECORDING_STACK_ROWS_H_
#define XSP_INGEST_IMPORTERS_XSP_RECORDING_STACK_ROWS_H_

#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "trace/trace.h"

namespace xsp::importers::xsp_recording {

/// Turns the frames and stack samples of one recording into rows of a trace.
class StackRows {
 public:
  /// `writer` is borrowed.
  explicit StackRows(trace::TraceWriter& writer) : writer_(writer) {}

  /// A frame whose caller was lost becomes a root.
  void AddFrame(std::uint32_t id, std::uint32_t caller, std::string_view function,
                std::string_view module);
  /// A sample whose frame was lost has an empty stack.
  void AddSample(trace::TrackId track, std::int64_t time_ns, std::uint32_t frame,
                 trace::StackKind kind);
  /// The track of a thread that recorded nothing itself.
  trace::TrackId TrackOf(std::int64_t process_id, std::uint32_t thread_id);

 private:
  trace::CallStackId Find(std::uint32_t frame) const;

  trace::TraceWriter& writer_;
  std::unordered_map<std::uint32_t, trace::CallStackId> stacks_;  ///< By frame id.
  std::unordered_map<std::uint32_t, trace::TrackId> tracks_;      ///< By thread id.
};

}  // namespace xsp::importers::xsp_recording

#endif  // XSP_INGEST_IMPORTERS_XSP_RECORDING_STACK_ROWS_H_
