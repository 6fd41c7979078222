#ifndef XSP_APP_MCP_CALL_QUEUE_H_
#define XSP_APP_MCP_CALL_QUEUE_H_

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "os/interrupt.h"

namespace xsp::mcp {

/// Performs calls on a thread of its own, one after another: an analysis beside a measurement would
/// distort it. The thread that reads messages stays free to cancel them. Threading: any thread.
class CallQueue {
 public:
  /// Of one call, for its work.
  struct State {
    os::Interrupts interrupts;
    std::atomic<bool> is_cancelled = false;  ///< Nobody waits for the answer any more.
  };
  using Work = std::function<void(State&)>;

  enum class Added { kYes, kKeyInUse, kFull };

  static constexpr std::size_t kMaxWaiting = 64;

  CallQueue();
  ~CallQueue();  ///< As Stop().
  CallQueue(const CallQueue&) = delete;
  CallQueue& operator=(const CallQueue&) = delete;

  /// `key` names the call while it waits and is performed.
  Added Add(const std::string& key, Work work);

  /// Forgets a call that waits; requests one that is performed to stop. Unknown ones: does nothing.
  void Cancel(const std::string& key);

  /// No calls will be added. Requests all to stop, which measurements do and what only reads does
  /// not, and waits until each has been performed.
  void Finish();

  /// Likewise, but cancels them: those that wait are not performed.
  void Stop();

 private:
  struct Call {
    std::string key;
    Work work;
    State state;
  };

  void Run();
  void End(bool cancels);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::shared_ptr<Call>> waiting_;
  std::shared_ptr<Call> current_;  ///< Null: none is performed.
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace xsp::mcp

#endif  // XSP_APP_MCP_CALL_QUEUE_H_
