#include "store/query_timer.h"

#include <algorithm>
#include <chrono>

namespace xsp::store {
namespace {

/// Three years: a time point of the clock holds it, and nobody waits for it.
constexpr double kMaxSeconds = 1e8;

}  // namespace

QueryTimer::QueryTimer(duckdb_connection connection, double limit_s) {
  if (limit_s > 0) thread_ = std::thread([=, this] { Await(connection, limit_s); });
}

QueryTimer::~QueryTimer() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  ended_.notify_one();
  thread_.join();
}

bool QueryTimer::expired() const {
  const std::lock_guard lock(mutex_);
  return is_expired_;
}

void QueryTimer::Await(duckdb_connection connection, double limit_s) {
  const std::chrono::duration<double> limit(std::min(limit_s, kMaxSeconds));
  std::unique_lock lock(mutex_);
  if (ended_.wait_for(lock, limit, [this] { return is_over_; })) return;
  is_expired_ = true;
  duckdb_interrupt(connection);
}

}  // namespace xsp::store
