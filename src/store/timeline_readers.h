#ifndef XSP_STORE_TIMELINE_READERS_H_
#define XSP_STORE_TIMELINE_READERS_H_

#include <cstddef>
#include <filesystem>
#include <list>
#include <memory>
#include <mutex>
#include <string>

#include "core/result.h"
#include "store/timeline_reader.h"

namespace xsp::store {

/// Opened readers of timelines that wait for their next use: to open one takes longer than to read
/// a tile. Threading: any thread.
class TimelineReaders {
 public:
  /// `most`: readers that wait; the last used stay.
  explicit TimelineReaders(std::size_t most = 4) : most_(most) {}
  TimelineReaders(const TimelineReaders&) = delete;
  TimelineReaders& operator=(const TimelineReaders&) = delete;

  /// Those of this process, which live as long as it does.
  static TimelineReaders& OfProcess();

  /// A reader of the run in `folder` for one thread, which waits here again once it is let go: that
  /// must be before this object ends. A run that was replaced since is opened anew. Errors: as
  /// TimelineReader::Open.
  Result<std::shared_ptr<const TimelineReader>> Borrow(const std::filesystem::path& folder);

  /// How many readers wait.
  std::size_t waiting() const;

 private:
  struct Entry {
    std::string key;  ///< The folder and what changes when it is replaced.
    std::unique_ptr<TimelineReader> reader;
  };

  std::unique_ptr<TimelineReader> Take(const std::string& key);
  void GiveBack(std::string key, std::unique_ptr<TimelineReader> reader);

  const std::size_t most_;
  mutable std::mutex mutex_;
  std::list<Entry> waiting_;  ///< The last used first.
};

}  // namespace xsp::store

#endif  // XSP_STORE_TIMELINE_READERS_H_
