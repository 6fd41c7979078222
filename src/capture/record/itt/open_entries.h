#ifndef XSP_CAPTURE_RECORD_ITT_OPEN_ENTRIES_H_
#define XSP_CAPTURE_RECORD_ITT_OPEN_ENTRIES_H_

#include <pthread.h>

#include <compare>
#include <cstdint>
#include <map>
#include <optional>

namespace xsp::record::itt {

/// What a program calls a thing that is neither on a thread's stack nor known by an id of ours.
struct EntryKey {
  const void* owner;
  unsigned long long d1, d2, d3;
  auto operator<=>(const EntryKey&) const = default;
};

/// Values by the program's own keys, behind a lock: for what ITT has beside tasks. Any thread.
/// Never destroyed: threads may outlive the end of main().
template <typename Value>
class Entries {
 public:
  /// In a forked child, where no other thread exists that could hold it.
  void ResetLock() { mutex_ = PTHREAD_MUTEX_INITIALIZER; }

  /// Several of one key are a stack.
  void Push(const EntryKey& key, Value value) {
    const Lock lock(mutex_);
    map_.emplace(key, value);
  }

  /// Takes out the newest of the key.
  std::optional<Value> Pop(const EntryKey& key) {
    const Lock lock(mutex_);
    const auto [first, after] = map_.equal_range(key);
    if (first == after) return std::nullopt;
    const auto newest = std::prev(after);
    const Value value = newest->second;
    map_.erase(newest);
    return value;
  }

  /// Calls change(Value&) for the key's entry, made from make() on first sight, and returns the
  /// value after it.
  template <typename Make, typename Change>
  Value Update(const EntryKey& key, Make make, Change change) {
    const Lock lock(mutex_);
    auto found = map_.find(key);
    if (found == map_.end()) found = map_.emplace(key, make());
    change(found->second);
    return found->second;
  }

 private:
  class Lock {
   public:
    explicit Lock(pthread_mutex_t& mutex) : mutex_(mutex) { pthread_mutex_lock(&mutex_); }
    ~Lock() { pthread_mutex_unlock(&mutex_); }
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

   private:
    pthread_mutex_t& mutex_;
  };

  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  std::multimap<EntryKey, Value> map_;
};

}  // namespace xsp::record::itt

#endif  // XSP_CAPTURE_RECORD_ITT_OPEN_ENTRIES_H_
