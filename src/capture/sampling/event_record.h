#ifndef XSP_CAPTURE_SAMPLING_EVENT_RECORD_H_
#define XSP_CAPTURE_SAMPLING_EVENT_RECORD_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace xsp::sampling {

/// Executable memory of a process.
struct Mapping {
  std::uint64_t start = 0, length = 0;  ///< Addresses.
  std::uint64_t file_offset = 0;
  std::uint64_t inode = 0;
  std::string path;  ///< As the process sees it; "[vdso]", "//anon" and the like for no file.

  std::uint64_t end() const { return start + length; }
};

/// One record of perf_event_open(2), as the events of MakeAttributes() write it.
struct EventRecord {
  enum class Kind { kSample, kMapping, kName, kFork, kExit, kLost, kOther };
  Kind kind = Kind::kOther;
  std::int32_t process_id = 0, thread_id = 0;
  std::uint64_t time_ns = 0;  ///< CLOCK_MONOTONIC.

  // kSample.
  std::vector<std::uint64_t> kernel_addresses;  ///< The innermost first.
  std::vector<std::uint64_t> registers;         ///< Of user mode, by bit of the mask; may be empty.
  std::string stack;                            ///< From the stack pointer on.
  bool stack_is_cut = false;                    ///< There is more of it than was copied.

  Mapping mapping;                     // kMapping.
  std::string name;                    // kName.
  bool is_exec = false;                // kName: it is another program now.
  std::int32_t parent_process_id = 0;  // kFork.
  std::int32_t parent_thread_id = 0;   // kFork.
  std::int64_t lost = 0;               // kLost: how many.
};

/// How many bytes the record at the start of `bytes` has by its own word; 0: no record is that
/// short, or there is no whole header.
std::size_t RecordSize(std::span<const char> bytes);

/// Reads one whole record, with `registers` bits in its mask of registers. Any bytes are safe;
/// nothing where they contradict themselves. Layout: perf_event_open(2), "MMAP layout".
std::optional<EventRecord> ParseRecord(std::span<const char> bytes, std::size_t registers);

}  // namespace xsp::sampling

#endif  // XSP_CAPTURE_SAMPLING_EVENT_RECORD_H_
