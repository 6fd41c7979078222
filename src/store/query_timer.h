#ifndef XSP_STORE_QUERY_TIMER_H_
#define XSP_STORE_QUERY_TIMER_H_

#include <duckdb.h>

#include <condition_variable>
#include <mutex>
#include <thread>

namespace xsp::store {

/// Interrupts what a connection does once a time has passed, until it is destroyed: no interrupt
/// comes after that, so that none hits a later statement.
///
/// The engine forgets an interrupt where it begins to prepare or to run a statement. Whoever begins
/// one has to ask expired() after that and before the long work.
///
/// Threading: of one thread at a time, but for its own.
class QueryTimer {
 public:
  /// Starts to count. `limit_s` of 0: it never expires. `connection` outlives the timer.
  QueryTimer(duckdb_connection connection, double limit_s);
  QueryTimer(const QueryTimer&) = delete;
  QueryTimer& operator=(const QueryTimer&) = delete;
  ~QueryTimer();

  /// Whether the time has passed, and so the connection was interrupted.
  bool expired() const;

 private:
  void Await(duckdb_connection connection, double limit_s);

  mutable std::mutex mutex_;
  std::condition_variable ended_;
  bool is_over_ = false;
  bool is_expired_ = false;
  std::thread thread_;
};

}  // namespace xsp::store

#endif  // XSP_STORE_QUERY_TIMER_H_
