#include "capture/sampling/clock_events.h"

#include <fmt/format.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "capture/sampling/event_record.h"
#include "capture/sampling/registers.h"

namespace xsp::sampling {
namespace {

namespace fs = std::filesystem;

std::size_t PageBytes() {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

std::string FirstLine(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

/// "0-3,6" as numbers.
std::vector<int> OnlineCpus() {
  std::vector<int> cpus;
  const std::string list = FirstLine("/sys/devices/system/cpu/online");
  for (const char *at = list.data(), *end = at + list.size(); at < end;) {
    int first = 0;
    auto read = std::from_chars(at, end, first);
    if (read.ec != std::errc()) break;
    int last = first;
    if (read.ptr < end && *read.ptr == '-') read = std::from_chars(read.ptr + 1, end, last);
    for (int cpu = first; cpu <= last; ++cpu) cpus.push_back(cpu);
    at = read.ptr + 1;
  }
  if (cpus.empty())
    for (int cpu = 0; cpu < sysconf(_SC_NPROCESSORS_ONLN); ++cpu) cpus.push_back(cpu);
  return cpus;
}

std::vector<int> ThreadsOf(int pid) {
  std::vector<int> threads;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(fmt::format("/proc/{}/task", pid), error))
    threads.push_back(std::atoi(entry.path().filename().c_str()));
  return threads;
}

perf_event_attr MakeAttributes(const ClockEventOptions& options) {
  perf_event_attr attributes{};
  attributes.size = sizeof(attributes);
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.config = PERF_COUNT_SW_CPU_CLOCK;
  attributes.sample_period = static_cast<std::uint64_t>(1e9 / options.rate_hz);  // ns.
  attributes.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN |
                           PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
  attributes.sample_regs_user = kRegisterMask;
  attributes.sample_stack_user = static_cast<std::uint32_t>(options.stack_bytes);
  attributes.disabled = 1;
  attributes.enable_on_exec = options.wait_for_exec ? 1 : 0;
  attributes.inherit = 1;
  attributes.exclude_callchain_user = 1;  // Unwound by us; frame pointers are seldom there.
  attributes.mmap = 1;
  attributes.mmap2 = 1;
  attributes.comm = 1;
  attributes.comm_exec = 1;
  attributes.task = 1;
  attributes.sample_id_all = 1;
  attributes.use_clockid = 1;
  attributes.clockid = CLOCK_MONOTONIC;
  attributes.watermark = 1;
  attributes.wakeup_watermark = static_cast<std::uint32_t>(options.ring_bytes);  // Nobody polls.
  return attributes;
}

int OpenEvent(perf_event_attr& attributes, int thread, int cpu) {
  return static_cast<int>(
      syscall(SYS_perf_event_open, &attributes, thread, cpu, -1, PERF_FLAG_FD_CLOEXEC));
}

}  // namespace

Error WhyNotPossible(int error) {
  const std::string reason = std::generic_category().message(error);
  if (error == ENOSYS) {
    return {ErrorKind::kNotPossible, "the kernel has no perf_event_open: " + reason,
            "Run on a kernel with CONFIG_PERF_EVENTS, or without stack sampling."};
  }
  if (error == EMFILE || error == ENFILE) {
    return {ErrorKind::kEnvironment, "too many open files for stack sampling: " + reason,
            "It takes one for each CPU and running thread: raise `ulimit -n`."};
  }
  const std::string paranoid = FirstLine("/proc/sys/kernel/perf_event_paranoid");
  if (std::atoi(paranoid.c_str()) > 2) {
    return {ErrorKind::kNotPossible,
            fmt::format("stack sampling is forbidden: perf_event_paranoid is {}", paranoid),
            "As root: `sysctl kernel.perf_event_paranoid=2`; or give xsp the right: "
            "`setcap cap_perfmon+ep $(command -v xsp)`."};
  }
  return {ErrorKind::kNotPossible, "stack sampling is forbidden here: " + reason,
          "In a container its seccomp filter forbids perf_event_open: start it with "
          "`--cap-add PERFMON`, or `--security-opt seccomp=unconfined`. Programs of other users "
          "can be sampled by root only."};
}

Result<std::unique_ptr<ClockEvents>> ClockEvents::Open(int pid, const ClockEventOptions& options) {
  std::unique_ptr<ClockEvents> events(new ClockEvents);
  XSP_RETURN_IF_ERROR(events->OpenAll(pid, options));
  return events;
}

Status ClockEvents::OpenAll(int pid, const ClockEventOptions& options) {
  perf_event_attr attributes = MakeAttributes(options);
  ring_bytes_ = options.ring_bytes;
  cpus_ = OnlineCpus();
  const std::vector<int> threads = options.wait_for_exec ? std::vector<int>{pid} : ThreadsOf(pid);
  bool any = false;
  for (const int thread : threads) {
    const Status opened = OpenThread(thread, attributes);
    // A thread may end meanwhile.
    if (!opened.ok() && opened.error().kind == ErrorKind::kBadInput) continue;
    XSP_RETURN_IF_ERROR(opened);
    any = true;
  }
  if (!any) return Error{ErrorKind::kBadInput, fmt::format("no such process: {}", pid), ""};
  if (!options.wait_for_exec)
    for (const int fd : descriptors_) ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
  return Ok{};
}

Status ClockEvents::OpenThread(int thread, perf_event_attr& attributes) {
  for (std::size_t i = 0; i < cpus_.size(); ++i) {
    int fd = OpenEvent(attributes, thread, cpus_[i]);
    const bool forbidden = fd < 0 && (errno == EACCES || errno == EPERM);
    if (forbidden && attributes.exclude_kernel == 0) {
      attributes.exclude_kernel = 1;
      fd = OpenEvent(attributes, thread, cpus_[i]);
      if (fd >= 0) {
        kernel_hidden_why_ =
            fmt::format("perf_event_paranoid is {}, and without CAP_PERFMON that hides the kernel",
                        FirstLine("/proc/sys/kernel/perf_event_paranoid"));
      }
    }
    if (fd < 0 && errno == ESRCH)
      return Error{ErrorKind::kBadInput, fmt::format("no such thread: {}", thread), ""};
    if (fd < 0) return WhyNotPossible(errno);
    descriptors_.push_back(fd);
    if (i == rings_.size()) {
      XSP_RETURN_IF_ERROR(MapRing(fd));
    } else if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, owners_[i]) != 0) {
      return Error{ErrorKind::kEnvironment, "buffers of stack sampling cannot be shared", ""};
    }
  }
  return Ok{};
}

Status ClockEvents::MapRing(int fd) {
  owners_.push_back(fd);
  for (;;) {
    while (rings_.size() < owners_.size()) {
      void* pages = mmap(nullptr, ring_bytes_ + PageBytes(), PROT_READ | PROT_WRITE, MAP_SHARED,
                         owners_[rings_.size()], 0);
      if (pages == MAP_FAILED) break;
      rings_.push_back({static_cast<char*>(pages)});
    }
    if (rings_.size() == owners_.size()) return Ok{};
    if (ring_bytes_ <= 16 * PageBytes()) break;
    // All are of one size: those of the CPUs before give way, too. Nothing has been written yet.
    UnmapRings();
    ring_bytes_ /= 2;
  }
  return Error{ErrorKind::kEnvironment,
               fmt::format("no locked memory for stack sampling: {} bytes for each of {} CPUs",
                           ring_bytes_, cpus_.size()),
               "Raise `ulimit -l` or kernel.perf_event_mlock_kb."};
}

void ClockEvents::UnmapRings() {
  for (const Ring& ring : rings_) munmap(ring.pages, ring_bytes_ + PageBytes());
  rings_.clear();
}

ClockEvents::~ClockEvents() {
  UnmapRings();
  for (const int fd : descriptors_) close(fd);
}

void ClockEvents::Disable() {
  for (const int fd : descriptors_) ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
}

void ClockEvents::Drain(const std::function<void(std::span<const char> record)>& take) {
  for (const Ring& ring : rings_) {
    auto* positions = reinterpret_cast<perf_event_mmap_page*>(ring.pages);
    const char* data = ring.pages + PageBytes();
    const std::uint64_t head = __atomic_load_n(&positions->data_head, __ATOMIC_ACQUIRE);
    std::uint64_t tail = positions->data_tail;
    while (tail < head) {
      const auto at = static_cast<std::size_t>(tail % ring_bytes_);
      // Records begin at multiples of 8 bytes: the header is in one piece.
      const std::size_t size = RecordSize({data + at, sizeof(perf_event_header)});
      if (size == 0 || size > head - tail) {
        ++damaged_;
        tail = head;
        break;
      }
      const std::size_t first = std::min(size, ring_bytes_ - at);
      if (first == size) {
        take({data + at, size});
      } else {
        joined_.resize(size);
        std::memcpy(joined_.data(), data + at, first);
        std::memcpy(joined_.data() + first, data, size - first);
        take(joined_);
      }
      tail += size;
    }
    __atomic_store_n(&positions->data_tail, tail, __ATOMIC_RELEASE);
  }
}

}  // namespace xsp::sampling
