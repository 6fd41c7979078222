#include "capture/counters/event.h"

#include <linux/perf_event.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>

namespace xsp::counters {

namespace {

bool IsOfNoDriver(int error) { return error == ENOENT || error == EOPNOTSUPP || error == ENODEV; }
/// The kernel has no PMU driver for such an event: a virtual machine without a PMU.
bool IsInvisible(const Refusal& refusal) {
  return IsOfNoDriver(refusal.error) && !refusal.cpu_counts;
}
/// The driver has no such event: EINVAL, and ENOENT of generic events whose entry in its table is 0
/// (AMD Zen: the last level cache).
bool IsUnknown(const Refusal& refusal) {
  return refusal.error == EINVAL || (IsOfNoDriver(refusal.error) && refusal.cpu_counts);
}
bool IsForbidden(int error) { return error == EACCES || error == EPERM; }

std::string NameOf(int error) {
  const char* name = strerrorname_np(error);
  return name == nullptr ? std::to_string(error) : name;
}

}  // namespace

bool IsSoftware(const Event& event) { return event.type == PERF_TYPE_SOFTWARE; }

std::vector<Event> SoftwareEvents() {
  constexpr std::uint32_t kType = PERF_TYPE_SOFTWARE;
  return {{"task_clock_ns", "ns", kType, PERF_COUNT_SW_TASK_CLOCK, 1, 0},
          {"context_switches", "1", kType, PERF_COUNT_SW_CONTEXT_SWITCHES, 1, 0},
          {"cpu_migrations", "1", kType, PERF_COUNT_SW_CPU_MIGRATIONS, 1, 0},
          // Calls have a metric page_faults from elsewhere: of the whole process, by getrusage().
          {"thread_page_faults", "1", kType, PERF_COUNT_SW_PAGE_FAULTS, 1, 0}};
}

std::string WhyRefused(const Refusal& refusal, int paranoid) {
  const std::string name = " (" + NameOf(refusal.error) + ")";
  if (IsInvisible(refusal)) return "the CPU's counters are not visible here" + name;
  if (IsForbidden(refusal.error)) {
    const std::string level = paranoid == kNoParanoid
                                  ? ""
                                  : ", kernel.perf_event_paranoid is " + std::to_string(paranoid);
    return "this user may not count it" + level + name;
  }
  if (IsUnknown(refusal)) return "this CPU or kernel does not know the event" + name;
  switch (refusal.error) {
    case ENOSYS:
      return "the kernel has no perf_event_open, or a sandbox hides it" + name;
    case EBUSY:
      return "the CPU's counters are taken" + name;
    case EMFILE:
    case ENFILE:
      return "too many files are open" + name;
    default:
      return std::string("perf_event_open: ") + std::strerror(refusal.error) + name;
  }
}

std::string RemedyOf(const Refusal& refusal, int paranoid) {
  if (IsInvisible(refusal)) {
    return "Measure on the machine itself, or give the virtual machine a PMU (libvirt: <pmu "
           "state='on'/>; QEMU: -cpu host,pmu=on; clouds: a metal instance).";
  }
  if (IsForbidden(refusal.error)) {
    if (paranoid > 1) {
      return "sudo sysctl kernel.perf_event_paranoid=1, or give the worker CAP_PERFMON; in a "
             "container also --security-opt seccomp=unconfined, or --cap-add PERFMON.";
    }
    return "Give the container --cap-add PERFMON, or --security-opt seccomp=unconfined: its "
           "sandbox forbids perf_event_open.";
  }
  if (IsUnknown(refusal))
    return "Other events are counted; machine/pmu_events.csv says which are meant for this CPU.";
  switch (refusal.error) {
    case ENOSYS:
      return "Use a kernel with CONFIG_PERF_EVENTS; in a container allow perf_event_open "
             "(--security-opt seccomp=unconfined).";
    case EBUSY:
      return "End other profilers, and sudo sysctl kernel.nmi_watchdog=0.";
    case EMFILE:
    case ENFILE:
      return "Raise the limit of open files: ulimit -n 4096.";
    default:
      return "`dmesg` may tell more.";
  }
}

std::string RefusalSentence(const std::vector<Refusal>& refusals, int paranoid) {
  struct Reason {
    std::string names, why, remedy;
  };
  std::map<int, Reason> reasons;  // By errno.
  for (const Refusal& refusal : refusals) {
    Reason& reason = reasons[refusal.error];
    reason.names += (reason.names.empty() ? "" : ", ") + refusal.name;
    reason.why = WhyRefused(refusal, paranoid);
    reason.remedy = RemedyOf(refusal, paranoid);
  }
  std::string sentence;
  for (const auto& [error, reason] : reasons) {
    sentence +=
        (sentence.empty() ? "" : " ") + reason.names + ": " + reason.why + ". " + reason.remedy;
  }
  return sentence;
}

int ReadParanoid() {
  std::ifstream file("/proc/sys/kernel/perf_event_paranoid");
  int level = kNoParanoid;
  return file >> level ? level : kNoParanoid;
}

}  // namespace xsp::counters
