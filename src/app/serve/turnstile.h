#ifndef XSP_APP_SERVE_TURNSTILE_H_
#define XSP_APP_SERVE_TURNSTILE_H_

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace xsp::serve {

/// Lets at most so many threads work at once; so many more wait; others are turned away.
/// Threading: any thread.
class Turnstile {
 public:
  Turnstile(int at_once, int waiting) : at_once_(at_once), most_waiting_(waiting) {}

  /// Holds a place while it lives.
  class Place {
   public:
    explicit Place(Turnstile* turnstile) : turnstile_(turnstile) {}
    Place(Place&& other) noexcept : turnstile_(other.turnstile_) { other.turnstile_ = nullptr; }
    Place& operator=(Place&&) = delete;
    ~Place() {
      if (turnstile_ != nullptr) turnstile_->Leave();
    }
    /// False: turned away.
    bool is_held() const { return turnstile_ != nullptr; }

   private:
    Turnstile* turnstile_;
  };

  /// Waits for a place, at most `time`.
  Place Enter(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    if (inside_ >= at_once_) {
      if (waiting_ >= most_waiting_) return Place(nullptr);
      ++waiting_;
      const bool has_place = free_.wait_for(lock, time, [&] { return inside_ < at_once_; });
      --waiting_;
      if (!has_place) return Place(nullptr);
    }
    ++inside_;
    return Place(this);
  }

  /// How many may be inside from now on; who is inside stays.
  void SetAtOnce(int at_once) {
    const std::lock_guard lock(mutex_);
    at_once_ = at_once;
    free_.notify_all();
  }

 private:
  void Leave() {
    const std::lock_guard lock(mutex_);
    --inside_;
    free_.notify_one();
  }

  std::mutex mutex_;
  std::condition_variable free_;
  int at_once_;
  const int most_waiting_;
  int inside_ = 0;
  int waiting_ = 0;
};

}  // namespace xsp::serve

#endif  // XSP_APP_SERVE_TURNSTILE_H_
