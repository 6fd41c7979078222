#include "capture/record/preload/level_switch.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <string_view>
#include <utility>

#include "capture/record/process.h"
#include "capture/record/switch_page.h"
#include "capture/wire/xsp.h"

namespace xsp::record::preload {
namespace {

/// Mapped once, for good.
const SwitchPage* page = nullptr;

std::uint32_t Load(const std::uint32_t& word) { return __atomic_load_n(&word, __ATOMIC_ACQUIRE); }

/// Whether the hold of kind XSP_HOLD_USER is ours at present. One thread at a time.
bool is_held = false;

void Obey() {
  const bool hold = Load(page->is_on) == 0;
  if (hold == is_held) return;
  is_held = hold;
  xsp_hold(XSP_HOLD_USER, hold ? 1 : -1);
}

void* Follow(void*) {
  for (std::uint32_t seen = Load(page->changes);;) {
    Obey();
    // Shared between processes, so not FUTEX_WAIT_PRIVATE. Spurious returns only look again.
    syscall(SYS_futex, &page->changes, FUTEX_WAIT, seen, nullptr, nullptr, 0);
    const std::uint32_t now = Load(page->changes);
    if (now != seen) xsp_mark(Intern(Load(page->is_on) != 0 ? "recording.on" : "recording.off"));
    seen = now;
  }
}

void StartThread() {
  // The program's signals are not for a thread that it does not know of.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  // The thread's stack holds the static storage of all libraries' threads, too.
  constexpr std::size_t kLeastStackBytes = 64 << 10, kMostStackBytes = 8 << 20;
  pthread_t thread;
  int error = EINVAL;
  for (std::size_t bytes = kLeastStackBytes; error == EINVAL && bytes <= kMostStackBytes;
       bytes *= 2) {
    pthread_attr_setstacksize(&attributes, bytes);
    error = pthread_create(&thread, &attributes, Follow, nullptr);
  }
  if (error == 0) {
    pthread_setname_np(thread, "xsp-switch");
  } else {
    if (std::exchange(is_held, false)) xsp_hold(XSP_HOLD_USER, -1);
    ReportProblem("switch_not_followed", "no thread could be made to follow start and stop",
                  "All of this process was recorded. Raise the limit of threads (ulimit -u).");
  }
  pthread_attr_destroy(&attributes);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace

void FollowSwitch() {
  const std::string_view file = Environment(kSwitchVariable);
  if (file.empty()) return;
  const int descriptor = open(file.data(), O_RDONLY | O_CLOEXEC);
  void* mapped = descriptor < 0
                     ? MAP_FAILED
                     : mmap(nullptr, kSwitchPageBytes, PROT_READ, MAP_SHARED, descriptor, 0);
  if (descriptor >= 0) close(descriptor);
  if (mapped == MAP_FAILED) {
    ReportProblem("switch_not_followed", "the file that says when to record could not be read",
                  "All of this process was recorded. Check that it may read the file's folder.");
    return;
  }
  page = static_cast<const SwitchPage*>(mapped);
  Obey();  // Before main(); the thread may come late.
  StartThread();
  pthread_atfork(nullptr, nullptr, StartThread);
}

}  // namespace xsp::record::preload
