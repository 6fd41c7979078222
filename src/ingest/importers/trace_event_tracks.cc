#include "ingest/importers/trace_event_tracks.h"

#include <fmt/format.h>

namespace xsp::importers {

using trace::TrackId;
using trace::TrackKind;

Tracks::Id Tracks::IdOf(const Value& value) {
  if (const auto number = ToInteger(value)) return {*number, {}};
  std::string scratch;
  return {trace::kNotApplicable, std::string(Unescape(value, scratch))};
}

TrackId Tracks::Find(const Event& event, bool stream) const {
  const auto found = tracks_.find({stream, IdOf(event.process), IdOf(event.thread)});
  return found == tracks_.end() ? 0 : found->second;
}

TrackId Tracks::FindCached(const Event& event, bool stream) {
  Cached& last = last_[stream ? 1 : 0];
  if (last.Holds(event)) return last.track;
  const TrackId track = Find(event, stream);
  if (track != 0) last = {std::string(event.process.text), std::string(event.thread.text), track};
  return track;
}

TrackId Tracks::Get(const Event& event, bool stream) {
  if (const TrackId track = FindCached(event, stream)) return track;
  const TrackId track = Add(event, stream);
  last_[stream ? 1 : 0] = {std::string(event.process.text), std::string(event.thread.text), track};
  return track;
}

TrackId Tracks::Add(const Event& event, bool stream) {
  const Key key = {stream, IdOf(event.process), IdOf(event.thread)};
  trace::Track track;
  track.kind = stream ? TrackKind::kStream : TrackKind::kThread;
  if (stream) {
    // What the event itself says of its place; its ids stand for the same since 2022.
    const auto device = ToInteger(event.argument(Argument::kDevice));
    const auto number = ToInteger(event.argument(Argument::kStream));
    track.device = device ? *device : key.process.number;
    track.stream = number ? *number : key.thread.number;
  } else {
    track.process_id = key.process.number;
    track.thread_id = key.thread.number;
  }
  const TrackId id = writer_.AddTrack(std::move(track));
  tracks_.emplace(key, id);
  return id;
}

TrackId Tracks::Thread(const Event& event) { return Get(event, false); }
TrackId Tracks::Stream(const Event& event) { return Get(event, true); }

TrackId Tracks::Device(std::int64_t device) {
  const auto [it, is_new] = devices_.try_emplace(device, TrackId{0});
  if (is_new) {
    trace::Track track;
    track.kind = device < 0 ? TrackKind::kHost : TrackKind::kDevice;
    track.name = prefix_ + (device < 0 ? "host" : fmt::format("device {}", device));
    if (device >= 0) track.device = device;
    it->second = writer_.AddTrack(std::move(track));
  }
  return it->second;
}

bool Tracks::Name(const Event& event) {
  const std::string_view what = event.name.text;
  std::string scratch;
  const auto text = [&](Argument which) {
    return std::string(Unescape(event.argument(which), scratch));
  };
  if (what == "process_name") {
    process_names_[IdOf(event.process)] = text(Argument::kName);
  } else if (what == "process_labels") {
    process_labels_[IdOf(event.process)] = text(Argument::kLabels);
  } else if (what == "thread_name") {
    thread_names_[{IdOf(event.process), IdOf(event.thread)}] = text(Argument::kName);
  } else {
    return what == "process_sort_index" || what == "thread_sort_index";
  }
  return true;
}

void Tracks::Finish(std::int64_t rank) {
  const auto named = [](const auto& names, const auto& key) {
    const auto it = names.find(key);
    return it == names.end() ? std::string() : it->second;
  };
  const auto shown = [](const Id& id) {
    return id.text.empty() ? fmt::format("{}", id.number) : id.text;
  };
  for (const auto& [key, id] : tracks_) {
    std::string name = named(thread_names_, std::pair(key.process, key.thread));
    if (name.empty())
      name = key.thread.text.empty()
                 ? fmt::format("{} {}", key.stream ? "stream" : "thread", key.thread.number)
                 : key.thread.text;
    const std::string process = named(process_names_, key.process);
    const std::string label = named(process_labels_, key.process);
    if (key.stream && !label.empty()) {
      name = label + " " + name;
    } else if (!process.empty()) {
      name = fmt::format("{} {} {}", process, shown(key.process), name);
    }
    writer_.NameTrack(id, prefix_ + name);
  }
  if (rank < 0) return;
  for (const auto& [key, id] : tracks_) writer_.SetRank(id, rank);
  for (const auto& [device, id] : devices_) writer_.SetRank(id, rank);
}

}  // namespace xsp::importers
