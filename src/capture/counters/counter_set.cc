#include "capture/counters/counter_set.h"

#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <map>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace xsp::counters {

namespace {

#if defined(__x86_64__)
constexpr bool kReadsPages = true;
std::uint64_t ReadHardware(std::uint32_t index) {
  return static_cast<std::uint64_t>(__rdpmc(static_cast<int>(index)));
}
std::uint64_t ReadTime() { return __rdtsc(); }
#else
constexpr bool kReadsPages = false;
std::uint64_t ReadHardware(std::uint32_t) { return 0; }
std::uint64_t ReadTime() { return 0; }
#endif

std::size_t PageBytes() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

/// Whether it still means something without what happens in the kernel. A context switch is made
/// there: counted in user mode there would be none, which is not what happened.
bool HoldsInUserMode(const Event& event) {
  if (!IsSoftware(event)) return true;
  return event.config == PERF_COUNT_SW_TASK_CLOCK || event.config == PERF_COUNT_SW_CPU_CLOCK ||
         event.config == PERF_COUNT_SW_PAGE_FAULTS ||
         event.config == PERF_COUNT_SW_PAGE_FAULTS_MIN ||
         event.config == PERF_COUNT_SW_PAGE_FAULTS_MAJ;
}

}  // namespace

Difference Between(const Count& before, const Count& after) {
  const auto grown = [](std::uint64_t from, std::uint64_t to) {
    return static_cast<double>(std::max(from, to) - from);
  };
  const double value = grown(before.value, after.value);
  const double enabled_ns = grown(before.enabled_ns, after.enabled_ns);
  const double running_ns = grown(before.running_ns, after.running_ns);
  if (running_ns <= 0) return {value, enabled_ns > 0 ? 0.0 : 1.0};
  // Times are read one after the other: by some ns more may have run than was enabled.
  if (running_ns >= enabled_ns) return {value, 1};
  return {value * enabled_ns / running_ns, running_ns / enabled_ns};
}

CounterSet::CounterSet(std::span<const Event> events, Scope scope) {
  events = events.first(std::min(events.size(), kMostEvents));
  counters_.resize(events.size());
  std::map<int, std::size_t> group_of;  // By Event::group: index in groups_.
  for (std::size_t i = 0; i < events.size(); ++i) {
    Counter& counter = counters_[i];
    const auto found = group_of.find(events[i].group);
    if (scope == Scope::kThread && found != group_of.end()) {
      Group& group = groups_[found->second];
      counter.file = OpenAllowed(events[i], scope, counters_[group.members.front()].file);
      if (counter.file >= 0) group.members.push_back(i);
    }
    if (counter.file < 0) {
      // The group's first, or too many for the CPU's counters together: then it leads its own.
      counter.file = OpenAllowed(events[i], scope, -1);
      if (counter.file < 0) {
        refusals_.push_back({events[i].name, errno});
        continue;
      }
      group_of[events[i].group] = groups_.size();
      groups_.push_back({{i}});
    }
    if (scope == Scope::kThread && !IsSoftware(events[i])) Map(counter);
  }
  const bool cpu_counts = std::any_of(groups_.begin(), groups_.end(), [&](const Group& group) {
    return std::any_of(group.members.begin(), group.members.end(),
                       [&](std::size_t member) { return !IsSoftware(events[member]); });
  });
  for (Refusal& refusal : refusals_) refusal.cpu_counts = cpu_counts;
  // A group is switched on when it is whole: a member that joins one that counts already was seen
  // to stand still until the thread was scheduled again, with times that claimed that it had
  // counted.
  for (const Group& group : groups_)
    ioctl(counters_[group.members.front()].file, PERF_EVENT_IOC_ENABLE, 0);
}

CounterSet::~CounterSet() {
  // Members before their leader, or they would go on counting alone for a moment.
  for (auto counter = counters_.rbegin(); counter != counters_.rend(); ++counter) {
    if (counter->page != nullptr)
      munmap(const_cast<perf_event_mmap_page*>(counter->page), PageBytes());
    if (counter->file >= 0) close(counter->file);
  }
}

int CounterSet::Open(const Event& event, Scope scope, int leader_file, bool user_only) const {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = event.type;
  attributes.config = event.config;
  attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  if (scope == Scope::kThread) attributes.read_format |= PERF_FORMAT_GROUP;
  attributes.disabled = leader_file < 0 ? 1 : 0;
  attributes.inherit = scope == Scope::kInherited ? 1 : 0;
  attributes.exclude_kernel = user_only ? 1 : 0;
  attributes.exclude_hv = user_only ? 1 : 0;
  constexpr pid_t kThisThread = 0;
  constexpr int kAnyCpu = -1;
  return static_cast<int>(syscall(SYS_perf_event_open, &attributes, kThisThread, kAnyCpu,
                                  leader_file, PERF_FLAG_FD_CLOEXEC));
}

int CounterSet::OpenAllowed(const Event& event, Scope scope, int leader_file) const {
  if (!IsSoftware(event)) return Open(event, scope, leader_file, true);
  const int file = Open(event, scope, leader_file, false);
  if (file >= 0 || (errno != EACCES && errno != EPERM) || !HoldsInUserMode(event)) return file;
  return Open(event, scope, leader_file, true);
}

void CounterSet::Map(Counter& counter) const {
  if (!kReadsPages) return;
  void* const mapped = mmap(nullptr, PageBytes(), PROT_READ, MAP_SHARED, counter.file, 0);
  if (mapped != MAP_FAILED) counter.page = static_cast<const perf_event_mmap_page*>(mapped);
}

bool CounterSet::ReadPages(const Group& group, Reading& reading) const {
  if (!kReadsPages) return false;
  for (const std::size_t member : group.members) {
    const volatile perf_event_mmap_page* page = counters_[member].page;
    if (page == nullptr || !page->cap_user_rdpmc || !page->cap_user_time) return false;
  }
  for (const std::size_t member : group.members)
    reading[member] = ReadPage(*counters_[member].page, ReadHardware, ReadTime);
  return true;
}

void CounterSet::Read(Reading& reading) const {
  // As perf_event_open(2) has it, with PERF_FORMAT_GROUP: how many, times, values; without: value,
  // times.
  std::array<std::uint64_t, 3 + kMostEvents> words;
  for (const Group& group : groups_) {
    if (ReadPages(group, reading)) continue;
    const ssize_t length = read(counters_[group.members.front()].file, words.data(), sizeof words);
    const std::size_t count = length > 0 ? static_cast<std::size_t>(length) / 8 : 0;
    if (count < 3) continue;
    const bool grouped = count > 3;
    if (!grouped) {
      reading[group.members.front()] = {words[0], words[1], words[2]};
      continue;
    }
    for (std::size_t i = 0; i < group.members.size() && 3 + i < count; ++i)
      reading[group.members[i]] = {words[3 + i], words[1], words[2]};
  }
}

}  // namespace xsp::counters
