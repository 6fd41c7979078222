#ifndef XSP_ANSWER_REPORT_RUN_TRACKS_H_
#define XSP_ANSWER_REPORT_RUN_TRACKS_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/result.h"
#include "store/database.h"

namespace xsp::report {

/// A track of a run with what lies on it.
struct RunTrack {
  std::int64_t id = 0;
  std::string kind, name;
  std::int64_t device = -1;   ///< -1: none.
  std::int64_t rank = -1;     ///< -1: the run is no distributed one.
  bool is_reference = false;  ///< Only says what other tracks show; never drawn.
  std::int64_t spans = 0;
  std::int64_t launches = 0;   ///< Library spans: those that give work to a device, mostly.
  std::int64_t kernel_ns = 0;  ///< Sum of the durations of its kernels.
  std::int64_t start_ns = 0, end_ns = 0;

  /// Whether it shows what a device did (and not who asked for it).
  bool IsDevice() const { return kernel_ns > 0 && kind != "thread" && kind != "process"; }
};

/// Every track of a run with at least one span, by id. Errors: those of Database::Query.
Result<std::vector<RunTrack>> ReadRunTracks(const store::Database& database, std::int64_t run_id);

/// The tracks that a reader wants, in the order of reading: rank by rank, the device's streams
/// (longest kernel time first), then the threads that launch most. References are left out.
struct TrackChoice {
  std::vector<RunTrack> tracks;
  std::size_t unfolded = 0;         ///< Of these, shown without asking; they lead `tracks`.
  std::size_t left_out = 0;         ///< Tracks beyond `most_tracks` or of another time.
  std::int64_t left_out_spans = 0;  ///< Spans on them.
  std::int64_t reference_spans = 0;
};
TrackChoice ChooseTracks(std::vector<RunTrack> tracks, std::size_t most_tracks);

/// "1, 4, 7": for IN (...). Never empty: 0, which is no track, where `tracks` is empty.
std::string IdList(std::span<const RunTrack> tracks);

}  // namespace xsp::report

#endif  // XSP_ANSWER_REPORT_RUN_TRACKS_H_
