#include "answer/trace_formats/exported_tracks.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <variant>

#include "store/table.h"

namespace xsp::trace_formats {
namespace {

std::optional<std::int64_t> OptionalInteger(const store::Cell& cell) {
  const auto* value = std::get_if<std::int64_t>(&cell);
  return value == nullptr ? std::nullopt : std::optional(*value);
}

std::string TextOr(const store::Cell& cell, std::string otherwise) {
  const auto* text = std::get_if<std::string>(&cell);
  return text == nullptr || text->empty() ? std::move(otherwise) : *text;
}

/// Hands out numbers above 0, each once.
class Numbers {
 public:
  std::int32_t Take(std::optional<std::int64_t> wanted) {
    constexpr std::int64_t kLast = std::numeric_limits<std::int32_t>::max();
    if (wanted && *wanted > 0 && *wanted <= kLast &&
        used_.insert(static_cast<std::int32_t>(*wanted)).second)
      return static_cast<std::int32_t>(*wanted);
    while (!used_.insert(next_).second) ++next_;
    return next_++;
  }

 private:
  std::set<std::int32_t> used_;
  std::int32_t next_ = 1'000'000'000;  // Above the largest process id of Linux, 2^22.
};

/// What tracks of one process have in common: rank, process, and the device of those without one.
using ProcessKey = std::tuple<std::int64_t, std::int64_t, std::int64_t>;

ProcessKey KeyOf(const ExportedTrack& track) {
  constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::min();
  const bool by_device = !track.process_id;
  return {track.rank.value_or(kNone), track.process_id.value_or(kNone),
          by_device ? track.device.value_or(kNone) : kNone};
}

std::string NameOfProcess(const ExportedTrack& track) {
  const std::string rank = track.rank ? fmt::format("rank {}, ", *track.rank) : "";
  if (track.process_id) return fmt::format("{}process {}", rank, *track.process_id);
  if (track.device) return fmt::format("{}GPU {}", rank, *track.device);
  return rank + "other tracks";
}

void AssignNumbers(ExportedTracks& all) {
  Numbers process_numbers, thread_numbers;
  std::map<ProcessKey, std::int32_t> processes;
  // Processes that the source numbered come first: they keep their numbers.
  for (const bool numbered : {true, false}) {
    for (const ExportedTrack& track : all.tracks) {
      if (track.process_id.has_value() != numbered || processes.contains(KeyOf(track))) continue;
      const std::int32_t number = process_numbers.Take(track.process_id);
      processes.emplace(KeyOf(track), number);
      all.processes.push_back({number, NameOfProcess(track)});
    }
  }
  for (ExportedTrack& track : all.tracks) {
    track.process = processes.at(KeyOf(track));
    if (track.kind == "thread") track.thread = thread_numbers.Take(track.thread_id);
  }
  for (ExportedTrack& track : all.tracks)
    if (track.thread == 0) track.thread = thread_numbers.Take(track.thread_id);
}

void MakeLabelsUnique(std::vector<ExportedTrack>& tracks) {
  std::map<std::string, int> count;
  for (const ExportedTrack& track : tracks) ++count[track.label];
  for (ExportedTrack& track : tracks)
    if (count.at(track.label) > 1) track.label += fmt::format(" (track {})", track.id);
}

}  // namespace

const ExportedTrack& ExportedTracks::Get(std::int64_t id) const {
  const auto found = std::ranges::lower_bound(tracks, id, {}, &ExportedTrack::id);
  XSP_CHECK(found != tracks.end() && found->id == id);
  return *found;
}

Result<ExportedTracks> ReadTracks(const store::Database& run) {
  XSP_TRY(const store::Table rows, run.Query(R"(
      WITH named AS (SELECT DISTINCT track_id FROM span UNION SELECT DISTINCT track_id FROM counter)
      SELECT coalesce(t.id, n.track_id) AS id, kind, name, process_id, thread_id, device, rank
      FROM track t FULL JOIN named n ON n.track_id = t.id ORDER BY 1)"));
  ExportedTracks all;
  for (const auto& row : rows.rows) {
    ExportedTrack track;
    track.id = OptionalInteger(row[0]).value_or(0);
    if (!all.tracks.empty() && all.tracks.back().id == track.id) continue;
    track.kind = TextOr(row[1], "");
    track.label = TextOr(row[2], fmt::format("track {}", track.id));
    track.process_id = OptionalInteger(row[3]);
    track.thread_id = OptionalInteger(row[4]);
    track.device = OptionalInteger(row[5]);
    track.rank = OptionalInteger(row[6]);
    all.tracks.push_back(std::move(track));
  }
  MakeLabelsUnique(all.tracks);
  AssignNumbers(all);
  return all;
}

}  // namespace xsp::trace_formats
