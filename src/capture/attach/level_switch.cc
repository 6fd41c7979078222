#include "capture/attach/level_switch.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <climits>
#include <system_error>

namespace xsp::attach {

Result<std::unique_ptr<LevelSwitch>> LevelSwitch::Create(const std::filesystem::path& file,
                                                         bool on) {
  const int descriptor = open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  const bool sized = descriptor >= 0 && ftruncate(descriptor, record::kSwitchPageBytes) == 0;
  void* page = sized ? mmap(nullptr, record::kSwitchPageBytes, PROT_READ | PROT_WRITE, MAP_SHARED,
                            descriptor, 0)
                     : MAP_FAILED;
  const int failed = errno;
  if (descriptor >= 0) close(descriptor);
  if (page == MAP_FAILED) {
    return Error{ErrorKind::kEnvironment,
                 fmt::format("cannot make the file that starts and stops recording: {}: {}",
                             file.string(), std::generic_category().message(failed)),
                 "Check the free space of the folder for temporary files ($TMPDIR)."};
  }
  std::unique_ptr<LevelSwitch> made(new LevelSwitch(static_cast<record::SwitchPage*>(page)));
  made->Set(on);
  return made;
}

LevelSwitch::~LevelSwitch() {
  {
    const std::lock_guard lock(mutex_);
    is_ended_ = true;
  }
  ended_.notify_all();
  if (timer_.joinable()) timer_.join();
  munmap(page_, record::kSwitchPageBytes);
}

void LevelSwitch::Set(bool on) {
  const std::lock_guard lock(mutex_);
  SetLocked(on);
}

void LevelSwitch::Toggle() {
  const std::lock_guard lock(mutex_);
  SetLocked(!is_on_);
}

void LevelSwitch::SetLocked(bool on) {
  is_on_ = on;
  __atomic_store_n(&page_->is_on, on ? 1 : 0, __ATOMIC_RELEASE);
  __atomic_add_fetch(&page_->changes, 1, __ATOMIC_RELEASE);
  syscall(SYS_futex, &page_->changes, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

bool LevelSwitch::Sleep(std::unique_lock<std::mutex>& lock, double seconds) {
  return !ended_.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return is_ended_; });
}

void LevelSwitch::Schedule(double delay_s, double duration_s) {
  timer_ = std::thread([this, delay_s, duration_s] {
    std::unique_lock lock(mutex_);
    if (!Sleep(lock, delay_s)) return;
    SetLocked(true);
    if (duration_s > 0 && Sleep(lock, duration_s)) SetLocked(false);
  });
}

}  // namespace xsp::attach
