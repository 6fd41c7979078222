#ifndef XSP_CAPTURE_WIRE_RECORDING_FILE_H_
#define XSP_CAPTURE_WIRE_RECORDING_FILE_H_

#include <pthread.h>
#include <sys/types.h>

#include <atomic>
#include <cstdint>

#include "capture/wire/clock.h"
#include "capture/wire/file_claim.h"
#include "capture/wire/format.h"

namespace xsp::wire {

/// Room for records inside a block, owned by whoever took it.
struct Space {
  char* begin = nullptr;
  char* end = nullptr;

  std::size_t bytes() const { return static_cast<std::size_t>(end - begin); }
};

/// What a recording is opened with; checked by the caller.
struct RecordingFileOptions {
  FileRequest file;
  std::uint64_t capacity_bytes;
  std::uint32_t block_bytes;
  std::uint64_t prepare_bytes;
};

/// Publishes a record whose other words are already in place.
inline void Publish(Record* record, std::uint64_t head) {
  std::atomic_ref<std::uint64_t>(record->head).store(head, std::memory_order_release);
}

/// One open recording file and its mapping.
///
/// Lives until the process ends, also after Close: a thread that lost the race against xsp_close
/// may still be writing into its block, so no block that was handed out is ever unmapped. All
/// members may be called from any thread; only space_mutex is ever waited for, and only where a
/// block lies beyond what the disk has promised so far.
class RecordingFile {
 public:
  /// Makes the file and maps it. Returns 0 and sets `*made`, or an errno value.
  static int Open(const RecordingFileOptions& options, std::uint32_t generation, ClockKind clock,
                  RecordingFile** made);

  /// Takes at least `bytes` of room, a block's rest that another thread left or a new block, and
  /// opens it with a record saying which thread's records follow. False: the recording is full.
  bool Take(std::size_t bytes, std::uint32_t thread_index, Space* space);

  /// Gives back what is left of a taken space.
  void Return(Space space);

  void CountDropped();
  std::uint64_t Dropped() const;

  /// The ticks at which the clocks should next be read together. Renewing it is the right, and the
  /// duty, of one thread: the one that Claims it writes a clock record.
  std::uint64_t NextClockTicks() const { return next_clock_.load(std::memory_order_relaxed); }
  bool ClaimClock(std::uint64_t now_ticks);

  std::uint32_t NextThreadIndex() { return threads_.fetch_add(1, std::memory_order_relaxed) + 1; }

  /// Marks the file complete, trims and unlocks it. Blocks handed out stay mapped.
  void Close();

  /// In a forked child, where no other thread exists: lets go of the parent's file and mapping.
  void AbandonAfterFork();

  void LockSpace() { pthread_mutex_lock(&space_mutex_); }
  void UnlockSpace() { pthread_mutex_unlock(&space_mutex_); }

  std::uint32_t generation() const { return generation_; }
  ClockKind clock() const { return clock_; }
  char* base() const { return base_; }
  /// Units in the mapping: a span of this file has a smaller number.
  std::uint32_t unit_limit() const { return static_cast<std::uint32_t>(capacity_ / kUnitBytes); }
  std::size_t largest_record_bytes() const { return block_bytes_ - 2 * kUnitBytes; }
  const char* path() const { return path_; }

 private:
  RecordingFile() = default;

  int Map(const RecordingFileOptions& options);
  int WriteHeader();
  /// The program counts on low numbers of descriptors, and shells name theirs: ours goes high.
  void MoveDescriptorUp();
  /// Whether fd_ is still this file's: the program may have closed the number, or put a file of its
  /// own there, which must not be touched.
  bool OwnsDescriptor() const;
  /// Opens the file anew where the descriptor is lost. Under space_mutex_.
  bool HoldFile();
  bool TakeRest(std::size_t bytes, Space* space);
  bool TakeBlock(Space* space);
  bool EnsureOnDisk(std::uint64_t end_bytes);
  bool ExtendLocked(std::uint64_t end_bytes);
  void WriteThread(std::uint32_t thread_index, Space* space);
  FileHeader& header() const { return *reinterpret_cast<FileHeader*>(base_); }

  static constexpr int kRests = 64;
  static constexpr unsigned kDescriptorsBelowLimit = 64;
  static constexpr unsigned kHighestDescriptor = 65536;

  std::uint32_t generation_ = 0;
  ClockKind clock_ = ClockKind::kMonotonicNs;
  std::uint32_t block_bytes_ = 0;
  std::uint64_t capacity_ = 0;
  std::uint64_t max_blocks_ = 0;
  std::uint64_t prepared_ = 0;  ///< Bytes from the start whose pages were made ready at opening.
  char* base_ = nullptr;
  std::uint64_t opened_ticks_ = 0;
  std::uint64_t ticks_per_ms_ = 0;
  std::atomic<std::uint64_t> on_disk_{0};  ///< Bytes from the start that the disk has promised.
  std::atomic<bool> full_{false};
  std::atomic<std::uint32_t> threads_{0};
  std::atomic<std::uint32_t> sequence_{0};
  std::atomic<std::uint64_t> next_clock_{0};
  std::atomic<std::uint64_t> rests_[kRests] = {};  ///< Unit of begin | units << 32; 0: empty.
  pthread_mutex_t space_mutex_ = PTHREAD_MUTEX_INITIALIZER;
  int fd_ = -1;       ///< Under space_mutex_.
  dev_t device_ = 0;  ///< Of the file, with inode_: which one it is.
  ino_t inode_ = 0;
  RecordingFile* previous_ = nullptr;  ///< Keeps every file reachable.
  char path_[kMaxPath] = {};
};

}  // namespace xsp::wire

#endif  // XSP_CAPTURE_WIRE_RECORDING_FILE_H_
