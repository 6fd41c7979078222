#include "answer/report/run_tracks.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

#include "answer/report/rows.h"

namespace xsp::report {

Result<std::vector<RunTrack>> ReadRunTracks(const store::Database& database, std::int64_t run_id) {
  XSP_TRY(const Rows rows, Rows::Of(database, fmt::format(R"(
      SELECT c.*, t.kind, t.name, t.device, t.rank, coalesce(t.is_reference, false) AS is_reference
      FROM (SELECT track_id, count(*) AS spans, count(*) FILTER (WHERE level = 'library') AS launches,
                   coalesce(sum(duration_ns) FILTER (WHERE level = 'kernel'), 0)::BIGINT AS kernel_ns,
                   min(start_ns) AS start_ns, max(start_ns + coalesce(duration_ns, 0)) AS end_ns
            FROM span WHERE run_id = {0} GROUP BY track_id) c
      LEFT JOIN track t ON t.run_id = {0} AND t.id = c.track_id ORDER BY c.track_id)",
                                                          run_id)));
  std::vector<RunTrack> tracks;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    RunTrack track;
    track.id = rows.Integer(i, "track_id");
    track.kind = rows.IsNull(i, "kind") ? "thread" : rows.Text(i, "kind");
    track.name = rows.Text(i, "name");
    if (track.name.empty()) track.name = fmt::format("track {}", track.id);
    if (!rows.IsNull(i, "device")) track.device = rows.Integer(i, "device");
    if (!rows.IsNull(i, "rank")) track.rank = rows.Integer(i, "rank");
    track.is_reference = rows.Truth(i, "is_reference");
    track.spans = rows.Integer(i, "spans");
    track.launches = rows.Integer(i, "launches");
    track.kernel_ns = rows.Integer(i, "kernel_ns");
    track.start_ns = rows.Integer(i, "start_ns");
    track.end_ns = rows.Integer(i, "end_ns");
    tracks.push_back(std::move(track));
  }
  return tracks;
}

TrackChoice ChooseTracks(std::vector<RunTrack> tracks, std::size_t most_tracks) {
  TrackChoice choice;
  std::erase_if(tracks, [&](const RunTrack& track) {
    if (track.is_reference) choice.reference_spans += track.spans;
    return track.is_reference;
  });
  std::ranges::sort(tracks, {}, [](const RunTrack& track) {
    return std::tuple(track.rank, !track.IsDevice(), -track.kernel_ns, -track.launches,
                      -track.spans, track.id);
  });
  std::map<std::int64_t, std::int64_t> busiest;  // By rank, the kernel time of its first stream.
  for (const RunTrack& track : tracks) busiest.try_emplace(track.rank, track.kernel_ns);
  // What fits a screen: some ten tracks, and no rank without its busiest stream and thread.
  const std::size_t ranks = std::max<std::size_t>(1, busiest.size());
  const std::size_t most_devices = std::max<std::size_t>(1, 6 / ranks);
  const std::size_t most_threads = std::max<std::size_t>(1, 4 / ranks);
  std::map<std::pair<std::int64_t, bool>, std::size_t> shown;
  std::vector<RunTrack> folded;
  for (RunTrack& track : tracks) {
    std::size_t& before = shown[{track.rank, track.IsDevice()}];
    const bool fits = track.IsDevice() ? before < most_devices : before < most_threads;
    const bool matters =
        before == 0 || (track.IsDevice() ? track.kernel_ns * 200 >= busiest.at(track.rank)
                                         : track.launches > 0 || track.kernel_ns > 0);
    ++before;
    (fits && matters && choice.tracks.size() < most_tracks ? choice.tracks : folded)
        .push_back(std::move(track));
  }
  choice.unfolded = choice.tracks.size();
  std::int64_t start_ns = std::numeric_limits<std::int64_t>::max();
  std::int64_t end_ns = std::numeric_limits<std::int64_t>::min();
  for (const RunTrack& track : choice.tracks) {
    start_ns = std::min(start_ns, track.start_ns);
    end_ns = std::max(end_ns, track.end_ns);
  }
  for (RunTrack& track : folded) {
    // What ended long before, or began after, would only lengthen the axis.
    const bool meets = track.end_ns >= start_ns && track.start_ns <= end_ns;
    if (meets && choice.tracks.size() < most_tracks) {
      choice.tracks.push_back(std::move(track));
    } else {
      ++choice.left_out;
      choice.left_out_spans += track.spans;
    }
  }
  return choice;
}

std::string IdList(std::span<const RunTrack> tracks) {
  std::string list;
  for (const RunTrack& track : tracks)
    list += fmt::format("{}{}", list.empty() ? "" : ", ", track.id);
  return list.empty() ? "0" : list;
}

}  // namespace xsp::report
