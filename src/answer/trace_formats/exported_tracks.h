#ifndef XSP_ANSWER_TRACE_FORMATS_EXPORTED_TRACKS_H_
#define XSP_ANSWER_TRACE_FORMATS_EXPORTED_TRACKS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "store/database.h"

namespace xsp::trace_formats {

/// A track with what other programs need beside its name: a process and a thread number that no
/// other track has. Those of the source where they are free; else (several ranks, streams) numbers
/// from 1,000,000,000.
struct ExportedTrack {
  std::int64_t id = 0;
  std::string kind;   ///< As in table `track`; empty: the table lacks the track.
  std::string label;  ///< Its name, with its id where another track has the same name.
  std::optional<std::int64_t> process_id = {}, thread_id = {}, device = {}, rank = {};
  std::int32_t process = 0;  ///< Above 0; a track on a device without a process has the device's.
  std::int32_t thread = 0;   ///< Above 0, unique in the run.

  bool IsOnDevice() const { return kind == "stream" || kind == "device" || kind == "engine"; }
};

struct ExportedProcess {
  std::int32_t number = 0;
  std::string name;  ///< "process 7", "GPU 0", "rank 1, process 7".
};

struct ExportedTracks {
  std::vector<ExportedTrack> tracks;  ///< In order of their ids, each once.
  std::vector<ExportedProcess> processes;

  /// The track `id`, which a span or counter names. All of these are there.
  const ExportedTrack& Get(std::int64_t id) const;
};

/// The tracks of an open run. Errors: those of Database::Query.
Result<ExportedTracks> ReadTracks(const store::Database& run);

}  // namespace xsp::trace_formats

#endif  // XSP_ANSWER_TRACE_FORMATS_EXPORTED_TRACKS_H_
