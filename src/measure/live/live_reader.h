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
///
/// A file is open until its recording has ended and all of it is read. At most a quarter of the
/// files that the process may have (RLIMIT_NOFILE) are open at once: other recordings have their
/// turn when those have ended, at the latest in ReadLast(), and lose nothing.
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
  /// more open than a follower holds; and recordings that could not be opened.
  std::uint64_t lost() const;

 private:
  class Recording;
  using FileKey = std::pair<std::uint64_t, std::uint64_t>;  // Device and inode.
  void LookForRecordings();
  void Open(const std::filesystem::path& path, const FileKey& key);
  /// Closes the file of a recording of which nothing more is to be read.
  void Release(std::size_t at);

  const std::filesystem::path folder_;
  const std::set<std::string> runs_;
  const std::size_t max_open_;
  std::set<FileKey> known_;
  std::set<FileKey> unreadable_;                        // Tried again each time.
  bool has_waiting_ = false;                            // More than max_open_ are there.
  std::size_t opened_ = 0;                              // Ever: the number of the latest.
  std::vector<std::unique_ptr<Recording>> recordings_;  // Whose files are open.
  std::uint64_t lost_ = 0;                              // Of those that were released.
  std::size_t next_ = 0;                                // The recording that Read() goes on with.
  bool is_last_ = false;
};

}  // namespace xsp::live

#endif  // XSP_MEASURE_LIVE_LIVE_READER_H_
