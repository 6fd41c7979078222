#include "capture/sampling/event_record.h"

#include <linux/perf_event.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>

namespace xsp::sampling {
namespace {

/// Takes values off the front of some bytes; once there are too few, all that follows is 0.
class Cursor {
 public:
  explicit Cursor(std::span<const char> bytes) : bytes_(bytes) {}

  template <typename T>
  T Take() {
    T value{};
    const std::span<const char> taken = Bytes(sizeof(T));
    if (ok_) std::memcpy(&value, taken.data(), sizeof(T));
    return value;
  }

  std::span<const char> Bytes(std::uint64_t count) {
    if (count > bytes_.size()) {
      ok_ = false;
      bytes_ = {};
      return {};
    }
    const std::span<const char> taken = bytes_.first(static_cast<std::size_t>(count));
    bytes_ = bytes_.subspan(taken.size());
    return taken;
  }

  std::vector<std::uint64_t> Words(std::uint64_t count) {
    if (count > bytes_.size() / sizeof(std::uint64_t)) ok_ = false;
    if (!ok_) return {};
    std::vector<std::uint64_t> words(static_cast<std::size_t>(count));
    const std::span<const char> taken = Bytes(count * sizeof(std::uint64_t));
    std::copy(taken.begin(), taken.end(), reinterpret_cast<char*>(words.data()));
    return words;
  }

  /// Up to its final 0, which must be there.
  std::string Text() {
    const auto end = std::find(bytes_.begin(), bytes_.end(), '\0');
    if (end == bytes_.end()) ok_ = false;
    return ok_ ? std::string(bytes_.begin(), end) : std::string();
  }

  bool ok() const { return ok_; }

 private:
  std::span<const char> bytes_;
  bool ok_ = true;
};

constexpr std::size_t kTrailerBytes = 16;  ///< Process, thread and time, at the end of the others.

/// The part of a call chain that ran in the kernel.
std::vector<std::uint64_t> KernelPart(const std::vector<std::uint64_t>& chain) {
  std::vector<std::uint64_t> addresses;
  bool in_kernel = false;
  for (const std::uint64_t address : chain) {
    if (address >= static_cast<std::uint64_t>(PERF_CONTEXT_MAX)) {
      in_kernel = address == static_cast<std::uint64_t>(PERF_CONTEXT_KERNEL);
    } else if (in_kernel) {
      addresses.push_back(address);
    }
  }
  return addresses;
}

bool ReadSample(Cursor at, std::size_t registers, EventRecord& record) {
  record.kind = EventRecord::Kind::kSample;
  record.process_id = at.Take<std::int32_t>();
  record.thread_id = at.Take<std::int32_t>();
  record.time_ns = at.Take<std::uint64_t>();
  record.kernel_addresses = KernelPart(at.Words(at.Take<std::uint64_t>()));
  // Threads of the kernel have no registers of user mode.
  if (at.Take<std::uint64_t>() != PERF_SAMPLE_REGS_ABI_NONE) record.registers = at.Words(registers);
  const auto copied = at.Take<std::uint64_t>();
  const std::span<const char> stack = at.Bytes(copied);
  if (copied > 0) {
    const auto filled = at.Take<std::uint64_t>();
    if (filled > stack.size()) return false;
    record.stack.assign(stack.data(), static_cast<std::size_t>(filled));
    record.stack_is_cut = filled == copied;
  }
  return at.ok();
}

bool ReadMapping(Cursor at, EventRecord& record) {
  record.kind = EventRecord::Kind::kMapping;
  record.process_id = at.Take<std::int32_t>();
  record.thread_id = at.Take<std::int32_t>();
  Mapping& mapping = record.mapping;
  mapping.start = at.Take<std::uint64_t>();
  mapping.length = at.Take<std::uint64_t>();
  mapping.file_offset = at.Take<std::uint64_t>();
  at.Bytes(8);  // Numbers of the device.
  mapping.inode = at.Take<std::uint64_t>();
  at.Bytes(8);  // Generation of the inode.
  const auto protection = at.Take<std::uint32_t>();
  at.Bytes(4);  // Flags.
  mapping.path = at.Text();
  if ((protection & PROT_EXEC) == 0) record.kind = EventRecord::Kind::kOther;
  return at.ok() && mapping.start + mapping.length >= mapping.start;
}

bool ReadBody(std::uint32_t type, std::uint16_t misc, Cursor at, EventRecord& record) {
  switch (type) {
    case PERF_RECORD_MMAP2:
      return ReadMapping(at, record);
    case PERF_RECORD_COMM:
      record.kind = EventRecord::Kind::kName;
      record.process_id = at.Take<std::int32_t>();
      record.thread_id = at.Take<std::int32_t>();
      record.name = at.Text();
      record.is_exec = (misc & PERF_RECORD_MISC_COMM_EXEC) != 0;
      return at.ok();
    case PERF_RECORD_FORK:
    case PERF_RECORD_EXIT:
      record.kind = type == PERF_RECORD_FORK ? EventRecord::Kind::kFork : EventRecord::Kind::kExit;
      record.process_id = at.Take<std::int32_t>();
      record.parent_process_id = at.Take<std::int32_t>();
      record.thread_id = at.Take<std::int32_t>();
      record.parent_thread_id = at.Take<std::int32_t>();
      return at.ok();
    case PERF_RECORD_LOST:
      at.Take<std::uint64_t>();  // Which event.
      [[fallthrough]];
    case PERF_RECORD_LOST_SAMPLES:
      record.kind = EventRecord::Kind::kLost;
      record.lost = static_cast<std::int64_t>(at.Take<std::uint64_t>());
      return at.ok() && record.lost >= 0;
    default:
      return true;
  }
}

}  // namespace

std::size_t RecordSize(std::span<const char> bytes) {
  perf_event_header header{};
  if (bytes.size() < sizeof(header)) return 0;
  std::memcpy(&header, bytes.data(), sizeof(header));
  return header.size >= sizeof(header) ? header.size : 0;
}

std::optional<EventRecord> ParseRecord(std::span<const char> bytes, std::size_t registers) {
  const std::size_t size = RecordSize(bytes);
  if (size == 0 || size > bytes.size()) return std::nullopt;
  Cursor whole(bytes.first(size));
  const auto header = whole.Take<perf_event_header>();
  EventRecord record;
  const std::span<const char> rest = whole.Bytes(size - sizeof(header));
  if (header.type == PERF_RECORD_SAMPLE) {
    if (!ReadSample(Cursor(rest), registers, record)) return std::nullopt;
    return record;
  }
  if (rest.size() < kTrailerBytes) return std::nullopt;
  Cursor trailer(rest.last(kTrailerBytes));
  record.process_id = trailer.Take<std::int32_t>();
  record.thread_id = trailer.Take<std::int32_t>();
  record.time_ns = trailer.Take<std::uint64_t>();
  const Cursor body(rest.first(rest.size() - kTrailerBytes));
  if (!ReadBody(header.type, header.misc, body, record)) return std::nullopt;
  return record;
}

}  // namespace xsp::sampling
