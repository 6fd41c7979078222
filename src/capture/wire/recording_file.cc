#include "capture/wire/recording_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <new>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

namespace xsp::wire {
namespace {

constexpr std::uint64_t kChunkBytes = 4 << 20;  // Disk space is asked for in these.
constexpr std::uint64_t kClosedBlocks = std::uint64_t{1} << 62;
RecordingFile* last_file = nullptr;  // Opening is serialised by the caller.

std::atomic_ref<std::uint64_t> Shared(std::uint64_t& word) {
  return std::atomic_ref<std::uint64_t>(word);
}

std::uint64_t FileSizeLimit() {
  rlimit limit;
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return UINT64_MAX;
  return limit.rlim_cur;
}

void ReadSmallFile(const char* path, char* text, std::size_t size) {
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  const ssize_t length = read(fd, text, size - 1);
  close(fd);
  if (length > 0 && text[length - 1] == '\n') text[length - 1] = '\0';
}

// Faults the pages in at once, which costs a fraction of one fault a page. False: there is no space
// behind them after all, and touching them would be a SIGBUS.
bool Populate(char* begin, std::size_t bytes) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto from = reinterpret_cast<std::uintptr_t>(begin) & ~(page - 1);
  const auto to = (reinterpret_cast<std::uintptr_t>(begin) + bytes + page - 1) & ~(page - 1);
  if (madvise(reinterpret_cast<void*>(from), to - from, MADV_POPULATE_WRITE) == 0) return true;
  return errno != EFAULT && errno != ENOMEM;  // EINVAL, say: a kernel before 5.14.
}

}  // namespace

int RecordingFile::Open(const RecordingFileOptions& options, std::uint32_t generation,
                        ClockKind clock, RecordingFile** made) {
  void* memory = malloc(sizeof(RecordingFile));
  if (memory == nullptr) return ENOMEM;
  auto* file = new (memory) RecordingFile;
  file->generation_ = generation;
  file->clock_ = clock;
  file->block_bytes_ = options.block_bytes;
  const ClockPair first = ReadClocks(clock);
  int error = file->Map(options);
  if (error == 0) {
    file->header().opened[0] = first;
    error = file->WriteHeader();
  }
  if (error != 0) {
    if (file->base_ != nullptr) munmap(file->base_, file->capacity_);
    if (file->fd_ >= 0) {
      unlink(file->path_);
      close(file->fd_);
    }
    free(memory);
    return error;
  }
  file->previous_ = last_file;
  last_file = file;
  *made = file;
  return 0;
}

int RecordingFile::Map(const RecordingFileOptions& options) {
  fd_ = ClaimFile(options.file, path_);
  if (fd_ < 0) return -fd_;
  struct stat own {};
  if (fstat(fd_, &own) != 0) return errno;
  device_ = own.st_dev;
  inode_ = own.st_ino;
  MoveDescriptorUp();
  const FileSizeSignalGuard guard;
  const std::uint64_t least = kHeaderBytes + 2 * std::uint64_t{block_bytes_};
  std::uint64_t capacity = std::min(options.capacity_bytes, FileSizeLimit());
  if (capacity < least) return options.capacity_bytes < least ? EINVAL : EFBIG;
  // An address space limit may refuse the whole: a smaller recording is better than none.
  for (;; capacity = std::max(least, capacity / 2)) {
    max_blocks_ = (capacity - kHeaderBytes) / block_bytes_;
    capacity_ = kHeaderBytes + max_blocks_ * block_bytes_;
    if (ftruncate(fd_, static_cast<off_t>(capacity_)) != 0) {
      if (errno != EFBIG || capacity <= least) return errno;
      continue;  // The file system has no files as large.
    }
    void* base = mmap(nullptr, capacity_, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0);
    if (base != MAP_FAILED) {
      base_ = static_cast<char*>(base);
      break;
    }
    if (errno != ENOMEM || capacity <= least) return errno;
  }
  const std::uint64_t ready =
      std::min(std::max(least, kHeaderBytes + options.prepare_bytes), capacity_);
  // A disk that has room for the least but not for all of this will do.
  const std::uint64_t got = ExtendLocked(ready) ? ready : ExtendLocked(least) ? least : 0;
  if (got == 0 || !Populate(base_, got)) return ENOSPC;
  prepared_ = got;
  return 0;
}

int RecordingFile::WriteHeader() {
  FileHeader& file = header();
  file.version = kVersion;
  file.header_bytes = kHeaderBytes;
  file.block_bytes = block_bytes_;
  file.clock_kind = static_cast<std::uint32_t>(clock_);
  file.capacity_bytes = capacity_;
  file.process_id = static_cast<std::uint32_t>(getpid());
  file.parent_process_id = static_cast<std::uint32_t>(getppid());
  file.process_start = ProcessStart();
  ReadSmallFile("/proc/sys/kernel/random/boot_id", file.boot_id, sizeof file.boot_id);
  char program[kMaxPath];
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program);
  if (length > 0) {
    const auto kept =
        std::min<std::size_t>(static_cast<std::size_t>(length), sizeof file.program - 1);
    memcpy(file.program, program + length - kept, kept);
  }
  // A rate from two pairs a fifth of a millisecond apart is good to some 1e-4; better ones follow
  // as soon as there is something to time.
  const std::uint64_t since_ns = static_cast<std::uint64_t>(file.opened[0].monotonic_ns);
  while (MonotonicNs() < since_ns + 200'000) {
  }
  const ClockPair second = ReadClocks(clock_);
  file.opened[1] = second;
  const auto elapsed_ns = static_cast<std::uint64_t>(second.monotonic_ns) - since_ns;
  opened_ticks_ = second.ticks;
  ticks_per_ms_ = std::max<std::uint64_t>(1, (second.ticks - file.opened[0].ticks) * 1000 /
                                                 std::max<std::uint64_t>(1, elapsed_ns / 1000));
  next_clock_.store(second.ticks + ticks_per_ms_, std::memory_order_relaxed);
  std::uint64_t magic;
  memcpy(&magic, kMagic, sizeof magic);
  Shared(*reinterpret_cast<std::uint64_t*>(file.magic)).store(magic, std::memory_order_release);
  return 0;
}

bool RecordingFile::Take(std::size_t bytes, std::uint32_t thread_index, Space* space) {
  const std::size_t wanted = bytes + kUnitBytes;  // The thread record comes first.
  if (!TakeRest(wanted, space) && !TakeBlock(space)) return false;
  if (space->bytes() < wanted) {
    Return(*space);
    return false;
  }
  WriteThread(thread_index, space);
  return true;
}

bool RecordingFile::TakeRest(std::size_t bytes, Space* space) {
  for (auto& slot : rests_) {
    if (slot.load(std::memory_order_relaxed) == 0) continue;
    const std::uint64_t rest = slot.exchange(0, std::memory_order_acq_rel);
    if (rest == 0) continue;
    space->begin = base_ + std::uint64_t{LowOf(rest)} * kUnitBytes;
    space->end = space->begin + std::uint64_t{HighOf(rest)} * kUnitBytes;
    if (space->bytes() >= bytes) return true;
    Return(*space);
  }
  return false;
}

void RecordingFile::Return(Space space) {
  // Less than this is not worth a thread record.
  if (space.begin == nullptr || space.bytes() < 4 * kUnitBytes) return;
  const std::uint64_t rest = Pack(static_cast<std::uint32_t>((space.begin - base_) / kUnitBytes),
                                  static_cast<std::uint32_t>(space.bytes() / kUnitBytes));
  for (auto& slot : rests_) {
    std::uint64_t empty = 0;
    if (slot.compare_exchange_strong(empty, rest, std::memory_order_acq_rel)) return;
  }
}

bool RecordingFile::TakeBlock(Space* space) {
  if (full_.load(std::memory_order_relaxed)) return false;
  const std::uint64_t block = Shared(header().next_block).fetch_add(1, std::memory_order_relaxed);
  const std::uint64_t begin = kHeaderBytes + block * block_bytes_;
  if (block >= max_blocks_ || !EnsureOnDisk(begin + block_bytes_) ||
      (begin + block_bytes_ > prepared_ && !Populate(base_ + begin, block_bytes_))) {
    full_.store(true, std::memory_order_relaxed);
    return false;
  }
  auto* record = reinterpret_cast<Record*>(base_ + begin);
  record->words[0] = kBlockMagic;
  Publish(record, MakeHead(RecordKind::kBlock, static_cast<std::uint32_t>(block)));
  space->begin = base_ + begin + kUnitBytes;
  space->end = base_ + begin + block_bytes_;
  return true;
}

bool RecordingFile::EnsureOnDisk(std::uint64_t end_bytes) {
  const std::uint64_t promised = on_disk_.load(std::memory_order_acquire);
  if (end_bytes > promised) {
    LockSpace();
    const bool extended = ExtendLocked(end_bytes);
    UnlockSpace();
    return extended;
  }
  // Ask for the next chunk before it is needed, so that no thread has to wait for another.
  if (promised < capacity_ && end_bytes + kChunkBytes / 2 > promised &&
      pthread_mutex_trylock(&space_mutex_) == 0) {
    if (!full_.load(std::memory_order_relaxed)) ExtendLocked(promised + block_bytes_);
    UnlockSpace();
  }
  return true;
}

bool RecordingFile::ExtendLocked(std::uint64_t end_bytes) {
  const std::uint64_t promised = on_disk_.load(std::memory_order_relaxed);
  if (end_bytes <= promised) return true;
  if (end_bytes > capacity_ || !HoldFile()) return false;
  const FileSizeSignalGuard guard;
  const std::uint64_t chunk_end =
      std::min(capacity_, (end_bytes + kChunkBytes - 1) / kChunkBytes * kChunkBytes);
  for (const std::uint64_t end : {chunk_end, end_bytes}) {
    if (posix_fallocate(fd_, static_cast<off_t>(promised), static_cast<off_t>(end - promised)) ==
        0) {
      on_disk_.store(end, std::memory_order_release);
      return true;
    }
  }
  return false;
}

void RecordingFile::WriteThread(std::uint32_t thread_index, Space* space) {
  auto* record = reinterpret_cast<Record*>(space->begin);
  char name[16] = {};
  prctl(PR_GET_NAME, name);
  record->words[0] = Pack(static_cast<std::uint32_t>(syscall(SYS_gettid)),
                          sequence_.fetch_add(1, std::memory_order_relaxed));
  memcpy(&record->words[1], name, sizeof name);
  Publish(record, MakeHead(RecordKind::kThread, thread_index));
  space->begin += kUnitBytes;
}

void RecordingFile::CountDropped() {
  Shared(header().dropped).fetch_add(1, std::memory_order_relaxed);
}

std::uint64_t RecordingFile::Dropped() const {
  return Shared(header().dropped).load(std::memory_order_relaxed);
}

bool RecordingFile::ClaimClock(std::uint64_t now_ticks) {
  std::uint64_t due = next_clock_.load(std::memory_order_relaxed);
  if (now_ticks < due) return false;
  // Dense at first: what lies beyond the last pair is extrapolated if the process is killed, and
  // never by more than a few times the length of what was measured.
  const std::uint64_t age = now_ticks - opened_ticks_;
  const std::uint64_t wait = std::clamp(age, ticks_per_ms_, 250 * ticks_per_ms_);
  return next_clock_.compare_exchange_strong(due, now_ticks + wait, std::memory_order_relaxed);
}

void RecordingFile::Close() {
  const std::uint64_t used = std::min(
      Shared(header().next_block).exchange(kClosedBlocks, std::memory_order_relaxed), max_blocks_);
  const std::uint64_t bytes = kHeaderBytes + used * block_bytes_;
  LockSpace();
  header().closed = ReadClocks(clock_);
  header().used_blocks = used;
  Shared(header().state)
      .store(static_cast<std::uint64_t>(FileState::kClosed), std::memory_order_release);
  // Nobody was given a block beyond, so nobody can be writing there.
  const std::uint64_t page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  const std::uint64_t kept = (bytes + page - 1) / page * page;
  if (kept < capacity_) munmap(base_ + kept, capacity_ - kept);
  if (HoldFile()) {
    (void)!ftruncate(fd_, static_cast<off_t>(bytes));
    flock(fd_, LOCK_UN);  // The mapping that stays would keep it.
    close(fd_);
  }
  fd_ = -1;
  UnlockSpace();
}

void RecordingFile::AbandonAfterFork() {
  munmap(base_, capacity_);
  if (OwnsDescriptor()) close(fd_);
  fd_ = -1;
}

void RecordingFile::MoveDescriptorUp() {
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur <= 2 * kDescriptorsBelowLimit) return;
  const int least = static_cast<int>(std::min<rlim_t>(files.rlim_cur, kHighestDescriptor)) -
                    static_cast<int>(kDescriptorsBelowLimit);
  const int high = fcntl(fd_, F_DUPFD_CLOEXEC, least);
  if (high < 0) return;
  close(fd_);
  fd_ = high;
}

bool RecordingFile::OwnsDescriptor() const {
  struct stat now {};
  return fd_ >= 0 && fstat(fd_, &now) == 0 && now.st_dev == device_ && now.st_ino == inode_;
}

bool RecordingFile::HoldFile() {
  if (OwnsDescriptor()) return true;
  fd_ = open(path_, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (fd_ < 0) return false;
  if (!OwnsDescriptor()) {  // Another file has taken its name.
    close(fd_);
    fd_ = -1;
    return false;
  }
  flock(fd_, LOCK_EX | LOCK_NB);
  MoveDescriptorUp();
  return true;
}

}  // namespace xsp::wire
