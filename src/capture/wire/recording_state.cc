#include "capture/wire/recording_state.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>

#include "capture/wire/intern_table.h"

std::uint64_t xsp_state_word = 0;

namespace xsp::wire {
namespace {

constexpr std::uint64_t kDefaultCapacityBytes = std::uint64_t{1} << 30;
constexpr std::uint64_t kDefaultPrepareBytes = 8 << 20;
// A span's number in the file has 32 bits, of units of 32 bytes.
constexpr std::uint64_t kMaxCapacityBytes = std::uint64_t{64} << 30;

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;  // Of all below but the atomics.
InternTable texts;                                  // Added to under the mutex.
RecordingFileOptions options;
std::atomic<RecordingFile*> current_file{nullptr};
Space text_space;        // Where the file's texts go.
bool is_forked = false;  // Open, but this child has made no file yet.
bool is_set_up = false;
ClockKind clock_kind;
pthread_key_t thread_key;
std::uint32_t asked_levels = 0;  // In force whenever nothing holds.
constexpr int kHoldReasons = XSP_HOLD_USER + 1;
std::int64_t holds[kHoldReasons] = {};

class Lock {
 public:
  Lock() { pthread_mutex_lock(&mutex); }
  ~Lock() { pthread_mutex_unlock(&mutex); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
};

void StoreState(std::uint32_t generation, std::uint64_t low) {
  __atomic_store_n(&xsp_state_word, std::uint64_t{generation} << 32 | low, __ATOMIC_RELEASE);
}

std::uint32_t LevelsInForce() {
  for (const std::int64_t count : holds) {
    if (count > 0) return 0;
  }
  return asked_levels;
}

/// One change of the levels in force. Written under the lock, read without.
struct LevelChange {
  std::atomic<std::uint64_t> time_ns;
  std::atomic<std::uint32_t> levels;
};
constexpr std::uint64_t kRememberedChanges = 256;
LevelChange level_changes[kRememberedChanges];
std::atomic<std::uint64_t> level_change_count{0};

/// Puts the levels that the lock's holder asked for in force, and remembers since when.
void PutLevelsInForce(std::uint32_t generation) {
  const std::uint32_t levels = LevelsInForce();
  const std::uint64_t count = level_change_count.load(std::memory_order_relaxed);
  LevelChange& change = level_changes[count % kRememberedChanges];
  change.time_ns.store(xsp_now_ns(), std::memory_order_relaxed);
  change.levels.store(levels, std::memory_order_relaxed);
  level_change_count.store(count + 1, std::memory_order_release);
  StoreState(generation, levels | kOpenBit);
}

bool WriteText(RecordingFile* to, const InternedText& entry) {
  const std::uint32_t units = TextUnits(entry.length);
  const std::size_t bytes = std::size_t{units} * kUnitBytes;
  if (text_space.bytes() < bytes) {
    to->Return(text_space);
    text_space = Space{};
    if (!to->Take(bytes, 0, &text_space)) {
      to->CountDropped();
      return false;
    }
  }
  auto* record = reinterpret_cast<Record*>(text_space.begin);
  text_space.begin += bytes;
  record->words[0] = entry.length;
  // The length first: a reader that finds the text without a head tells it from damage by it.
  std::atomic_signal_fence(std::memory_order_release);
  memcpy(reinterpret_cast<char*>(record) + kTextOffset, entry.text(), entry.length);
  Publish(record, MakeHead(RecordKind::kString, entry.id, 0, static_cast<std::uint16_t>(units)));
  return true;
}

// Opens a file for `generation` with every text that is known so far. The mutex is held.
int OpenFile(std::uint32_t generation) {
  RecordingFile* made = nullptr;
  if (const int error = RecordingFile::Open(options, generation, clock_kind, &made); error != 0) {
    return error;
  }
  text_space = Space{};
  for (const InternedText* entry = texts.first(); entry != nullptr; entry = entry->next) {
    if (!WriteText(made, *entry)) {
      made->Close();
      unlink(made->path());
      return ENOSPC;
    }
  }
  current_file.store(made, std::memory_order_release);
  return 0;
}

void BeforeFork() {
  pthread_mutex_lock(&mutex);
  if (RecordingFile* open = current_file.load(std::memory_order_relaxed)) open->LockSpace();
}

void AfterForkInParent() {
  if (RecordingFile* open = current_file.load(std::memory_order_relaxed)) open->UnlockSpace();
  pthread_mutex_unlock(&mutex);
}

void AfterForkInChild() {
  if (RecordingFile* open = current_file.load(std::memory_order_relaxed)) {
    open->UnlockSpace();
    open->AbandonAfterFork();
    current_file.store(nullptr, std::memory_order_relaxed);
    is_forked = true;
    options.file.beside = true;
    const std::uint64_t state = LoadState();
    StoreState(GenerationOf(state) + 1, state & 0xffffffffu);
  }
  pthread_mutex_unlock(&mutex);
}

int SetUp() {
  if (is_set_up) return 0;
  if (const int error = pthread_key_create(&thread_key, ReleaseThread); error != 0) return error;
  if (const int error = pthread_atfork(BeforeFork, AfterForkInParent, AfterForkInChild);
      error != 0) {
    pthread_key_delete(thread_key);
    return error;
  }
  clock_kind = BestClock();
  is_set_up = true;
  return 0;
}

int SetPath(const char* path) {
  char* to = options.file.path;
  std::size_t used = 0;
  if (path[0] != '/') {
    if (getcwd(to, kMaxPath - 1) == nullptr) return errno;
    used = strlen(to);
    to[used++] = '/';
  }
  const std::size_t length = strlen(path);
  if (used + length + 32 > kMaxPath) return ENAMETOOLONG;
  memcpy(to + used, path, length + 1);
  return 0;
}

// Reads as much of the caller's options as the caller's version has.
int SetOptions(const xsp_options* given, std::uint32_t* levels) {
  xsp_options known = {};
  if (given != nullptr) {
    if (given->size < offsetof(xsp_options, capacity_bytes)) return EINVAL;
    memcpy(&known, given, std::min<std::size_t>(given->size, sizeof known));
  }
  *levels = known.levels == 0 ? XSP_LEVELS_ALL : known.levels & XSP_LEVELS_ALL;
  options.capacity_bytes = known.capacity_bytes == 0
                               ? kDefaultCapacityBytes
                               : std::min(known.capacity_bytes, kMaxCapacityBytes);
  options.block_bytes = known.block_bytes == 0 ? kDefaultBlockBytes : known.block_bytes;
  options.prepare_bytes = std::min(
      known.prepare_bytes == 0 ? kDefaultPrepareBytes : known.prepare_bytes, kMaxCapacityBytes);
  options.file.keep_existing = (known.flags & XSP_KEEP_EXISTING) != 0;
  options.file.beside = false;
  const bool is_power = (options.block_bytes & (options.block_bytes - 1)) == 0;
  return is_power && options.block_bytes >= kMinBlockBytes && options.block_bytes <= kMaxBlockBytes
             ? 0
             : EINVAL;
}

// So that a program that just ends has a whole recording.
__attribute__((destructor)) void CloseAtExit() { xsp_close(); }

}  // namespace

RecordingFile* FileOf(std::uint32_t generation) {
  RecordingFile* open = current_file.load(std::memory_order_acquire);
  if (open == nullptr) {
    const Lock lock;
    open = current_file.load(std::memory_order_relaxed);
    if (open == nullptr && is_forked && GenerationOf(LoadState()) == generation) {
      is_forked = false;
      if (OpenFile(generation) != 0) StoreState(generation + 1, 0);
      open = current_file.load(std::memory_order_relaxed);
    }
  }
  return open != nullptr && open->generation() == generation ? open : nullptr;
}

std::uint32_t LevelsAt(std::uint64_t time_ns) {
  const std::uint64_t count = level_change_count.load(std::memory_order_acquire);
  const std::uint64_t known = std::min(count, kRememberedChanges - 1);
  std::uint32_t levels = 0;
  for (std::uint64_t i = 1; i <= known; ++i) {
    const LevelChange& change = level_changes[(count - i) % kRememberedChanges];
    levels = change.levels.load(std::memory_order_relaxed);
    if (change.time_ns.load(std::memory_order_relaxed) <= time_ns) break;
  }
  return levels;
}

void AtThreadExit(void* thread) { pthread_setspecific(thread_key, thread); }

}  // namespace xsp::wire

using namespace xsp::wire;

int xsp_open(const char* path, const xsp_options* given) {
  if (path == nullptr || path[0] == '\0') return EINVAL;
  const Lock lock;
  // A forked child goes on in its parent's recording, whose file it makes with its first event.
  const bool goes_on = is_forked && (LoadState() & kOpenBit) != 0;
  if (current_file.load(std::memory_order_relaxed) != nullptr || goes_on) return EEXIST;
  if (const int error = SetUp(); error != 0) return error;
  std::uint32_t levels = 0;
  if (const int error = SetOptions(given, &levels); error != 0) return error;
  if (const int error = SetPath(path); error != 0) return error;
  is_forked = false;
  const std::uint32_t generation = GenerationOf(LoadState()) + 1;
  if (const int error = OpenFile(generation); error != 0) {
    StoreState(generation, 0);
    return error;
  }
  asked_levels = levels;
  std::fill(holds, holds + kHoldReasons, 0);
  if (given != nullptr && given->size >= offsetof(xsp_options, block_bytes) &&
      (given->flags & XSP_START_HELD) != 0) {
    holds[XSP_HOLD_RANGE] = 1;
  }
  PutLevelsInForce(generation);
  return 0;
}

void xsp_close(void) {
  const Lock lock;
  const std::uint64_t state = LoadState();
  if ((state & kOpenBit) == 0) return;
  StoreState(GenerationOf(state) + 1, 0);
  is_forked = false;
  if (RecordingFile* open = current_file.exchange(nullptr, std::memory_order_acq_rel))
    open->Close();
}

size_t xsp_path(char* buffer, size_t size) {
  const Lock lock;
  const RecordingFile* open = current_file.load(std::memory_order_relaxed);
  const char* path = open == nullptr ? "" : open->path();
  const std::size_t length = strlen(path);
  if (size > 0) {
    const std::size_t kept = std::min(length, size - 1);
    memcpy(buffer, path, kept);
    buffer[kept] = '\0';
  }
  return length;
}

uint32_t xsp_set_levels(uint32_t mask) {
  const Lock lock;
  const std::uint64_t state = LoadState();
  if ((state & kOpenBit) == 0) return 0;
  asked_levels = mask & XSP_LEVELS_ALL;
  PutLevelsInForce(GenerationOf(state));
  return static_cast<std::uint32_t>(state & XSP_LEVELS_ALL);
}

XSP_TAKES_ANY_NUMBER void xsp_hold(xsp_hold_reason reason, int change) {
  if (static_cast<unsigned>(reason) >= kHoldReasons) return;
  const Lock lock;
  const std::uint64_t state = LoadState();
  if ((state & kOpenBit) == 0) return;
  holds[reason] += change;
  PutLevelsInForce(GenerationOf(state));
}

uint32_t xsp_levels(void) { return static_cast<std::uint32_t>(LoadState() & XSP_LEVELS_ALL); }

xsp_string xsp_intern(const char* text, size_t length) {
  if (length == 0) return 0;
  length = std::min<std::size_t>(length, kMaxStringBytes);
  if (const InternedText* entry = texts.Find(text, length)) return entry->id;
  const Lock lock;
  if (const InternedText* entry = texts.Find(text, length)) return entry->id;
  InternedText* entry = texts.Make(text, length);
  if (entry == nullptr) return 0;
  // Into the file first: nobody may write a record that names it before it is there.
  RecordingFile* open = current_file.load(std::memory_order_relaxed);
  if (open != nullptr && !WriteText(open, *entry)) {
    InternTable::Discard(entry);
    return 0;
  }
  texts.Add(entry);
  return entry->id;
}

uint64_t xsp_dropped(void) {
  const Lock lock;
  const RecordingFile* open = current_file.load(std::memory_order_relaxed);
  return open == nullptr ? 0 : open->Dropped();
}
