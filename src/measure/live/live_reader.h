#ifndef XSP_MEASURE_LIVE_LIVE_READER_H_
#define XSP_MEASURE_LIVE_LIVE_READER_H_

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "measure/live/live_batch.h"

namespace xsp::live {

/// Reads the recordings in a folder while programs write them there. One thread.
class LiveReader {
 public:
  /// Recordings are files NAME.xspr and NAME.xspr.PID. `runs`: the run of each NAME; others are not
  /// read. Empty: all are of the run `recorded`.
  LiveReader(std::filesystem::path folder, std::set<std::string> runs);
  ~LiveReader();
  LiveReader(const LiveReader&) = delete;
  LiveReader& operator=(const LiveReader&) = delete;

  /// Replaces `batch` by spans that have ended since. At most about wire::Follower::kMaxHeldSpans
  /// and those of one wire::Follower::kPollBytes. True: more can be read at once.
  bool Read(LiveBatch& batch);

  /// As Read(), once nobody writes any more; spans that never ended come, too.
  bool ReadLast(LiveBatch& batch);

  /// Spans, metrics and attributes that were left out, because their recording is damaged or has
  /// more open than a follower holds.
  std::uint64_t lost() const;

 private:
  class Recording;
  void LookForRecordings();

  const std::filesystem::path folder_;
  const std::set<std::string> runs_;
  std::set<std::pair<std::uint64_t, std::uint64_t>> known_;  // Device and inode.
  std::vector<std::unique_ptr<Recording>> recordings_;
  std::size_t next_ = 0;  // The recording that Read() goes on with.
  bool is_last_ = false;
};

}  // namespace xsp::live

#endif  // XSP_MEASURE_LIVE_LIVE_READER_H_
