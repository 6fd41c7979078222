#ifndef XSP_CAPTURE_ATTACH_LEVEL_SWITCH_H_
#define XSP_CAPTURE_ATTACH_LEVEL_SWITCH_H_

#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>
#include <thread>

#include "capture/record/switch_page.h"
#include "core/result.h"

namespace xsp::attach {

/// Switches the recording of all processes of a program on and off while they run, through a file
/// that each of them maps (capture/record/switch_page.h). A change takes as long as waking a
/// thread. Threading: any thread.
class LevelSwitch {
 public:
  /// Makes the file. Errors: kEnvironment.
  static Result<std::unique_ptr<LevelSwitch>> Create(const std::filesystem::path& file, bool on);
  ~LevelSwitch();
  LevelSwitch(const LevelSwitch&) = delete;
  LevelSwitch& operator=(const LevelSwitch&) = delete;

  void Set(bool on);
  void Toggle();

  /// From now on: on after `delay_s`, and off again `duration_s` later (0: never). Once.
  void Schedule(double delay_s, double duration_s);

 private:
  explicit LevelSwitch(record::SwitchPage* page) : page_(page) {}
  void SetLocked(bool on);
  /// False: it is being destroyed.
  bool Sleep(std::unique_lock<std::mutex>& lock, double seconds);

  record::SwitchPage* const page_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool is_on_ = false;     ///< Under mutex_.
  bool is_ended_ = false;  ///< Under mutex_.
  std::thread timer_;
};

}  // namespace xsp::attach

#endif  // XSP_CAPTURE_ATTACH_LEVEL_SWITCH_H_
