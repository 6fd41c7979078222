#include "ingest/importers/xsp_recording/stack_rows.h"

#include <string>

namespace xsp::importers::xsp_recording {

trace::CallStackId StackRows::Find(std::uint32_t frame) const {
  const auto found = stacks_.find(frame);
  return found != stacks_.end() ? found->second : 0;
}

void StackRows::AddFrame(std::uint32_t id, std::uint32_t caller, std::string_view function,
                         std::string_view module) {
  stacks_[id] = writer_.AddCallStack(Find(caller), function, module);
}

void StackRows::AddSample(trace::TrackId track, std::int64_t time_ns, std::uint32_t frame,
                          trace::StackKind kind) {
  writer_.AddStackSample(track, time_ns, Find(frame), kind);
}

trace::TrackId StackRows::TrackOf(std::int64_t process_id, std::uint32_t thread_id) {
  trace::TrackId& track = tracks_[thread_id];
  if (track == 0) {
    track = writer_.AddTrack({.kind = trace::TrackKind::kThread,
                              .name = "thread " + std::to_string(thread_id),
                              .process_id = process_id,
                              .thread_id = thread_id});
  }
  return track;
}

}  // namespace xsp::importers::xsp_recording
