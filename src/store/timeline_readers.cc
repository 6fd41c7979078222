#include "store/timeline_readers.h"

#include <fmt/format.h>

#include <iterator>
#include <system_error>
#include <utility>

namespace xsp::store {
namespace {

/// The folder, and when and how long its files of the timeline were written.
std::string KeyOf(const std::filesystem::path& folder) {
  std::string key = folder.string();
  for (const char* name : {"run.json", "span.parquet", "timeline_block.parquet"}) {
    std::error_code error;
    const auto written = std::filesystem::last_write_time(folder / name, error);
    if (error) continue;
    const auto size = std::filesystem::file_size(folder / name, error);
    key += fmt::format("\n{} {} {}", name, written.time_since_epoch().count(), size);
  }
  return key;
}

}  // namespace

TimelineReaders& TimelineReaders::OfProcess() {
  // Never destroyed: a thread may still read at the end of the process.
  static auto* readers = new TimelineReaders();
  return *readers;
}

std::unique_ptr<TimelineReader> TimelineReaders::Take(const std::string& key) {
  const std::lock_guard lock(mutex_);
  for (auto entry = waiting_.begin(); entry != waiting_.end(); ++entry) {
    if (entry->key != key) continue;
    std::unique_ptr<TimelineReader> reader = std::move(entry->reader);
    waiting_.erase(entry);
    return reader;
  }
  return nullptr;
}

void TimelineReaders::GiveBack(std::string key, std::unique_ptr<TimelineReader> reader) {
  std::list<Entry> ended;  // Closed outside of the lock.
  const std::lock_guard lock(mutex_);
  waiting_.push_front({std::move(key), std::move(reader)});
  while (waiting_.size() > most_) ended.splice(ended.end(), waiting_, std::prev(waiting_.end()));
}

Result<std::shared_ptr<const TimelineReader>> TimelineReaders::Borrow(
    const std::filesystem::path& folder) {
  std::string key = KeyOf(folder);
  std::unique_ptr<TimelineReader> reader = Take(key);
  if (reader == nullptr) {
    XSP_TRY(TimelineReader opened, TimelineReader::Open(folder));
    reader = std::make_unique<TimelineReader>(std::move(opened));
  }
  return std::shared_ptr<const TimelineReader>(
      reader.release(), [this, key = std::move(key)](TimelineReader* borrowed) mutable {
        GiveBack(std::move(key), std::unique_ptr<TimelineReader>(borrowed));
      });
}

std::size_t TimelineReaders::waiting() const {
  const std::lock_guard lock(mutex_);
  return waiting_.size();
}

}  // namespace xsp::store
