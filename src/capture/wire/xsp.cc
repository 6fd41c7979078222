#include "capture/wire/xsp.h"

#include <string.h>

#include <algorithm>

#include "capture/wire/clock.h"
#include "capture/wire/format.h"
#include "capture/wire/recording_file.h"
#include "capture/wire/recording_state.h"

namespace xsp::wire {
namespace {

// What a thread keeps of the recording. Plain data, so that reaching it costs no guard.
struct Thread {
  char* cursor;
  char* end;
  char* base;
  std::uint64_t next_clock;  // Ticks.
  RecordingFile* file;
  std::uint32_t generation;
  std::uint32_t current;  // The innermost open span.
  std::uint32_t index;
  std::uint32_t unit_limit;
  ClockKind clock;
};

// Initial-exec also in libxsp.so: these few bytes fit in what the C library keeps free for it.
__attribute__((tls_model("initial-exec"))) thread_local Thread this_thread;

// Gets `bytes` of room for this thread in the open recording. False, and counted: there is none.
__attribute__((noinline)) bool Acquire(Thread& thread, std::uint64_t state, std::size_t bytes) {
  if ((state & kOpenBit) == 0) return false;
  const std::uint32_t generation = GenerationOf(state);
  if (thread.generation != generation) {
    RecordingFile* file = FileOf(generation);
    if (file == nullptr) return false;
    thread = Thread{};
    thread.file = file;
    thread.base = file->base();
    thread.next_clock = file->NextClockTicks();
    thread.index = file->NextThreadIndex();
    thread.unit_limit = file->unit_limit();
    thread.clock = file->clock();
    thread.generation = generation;
  }
  if (static_cast<std::size_t>(thread.end - thread.cursor) >= bytes) return true;
  Space space;
  if (!thread.file->Take(bytes, thread.index, &space)) {
    thread.file->CountDropped();
    return false;
  }
  thread.file->Return(Space{thread.cursor, thread.end});
  thread.cursor = space.begin;
  thread.end = space.end;
  AtThreadExit(&thread);
  return true;
}

// Room for one record of `bytes`, or null. `state` is what the caller saw.
inline Record* Reserve(Thread& thread, std::uint64_t state, std::size_t bytes = kUnitBytes) {
  if (__builtin_expect(thread.generation != GenerationOf(state) ||
                           static_cast<std::size_t>(thread.end - thread.cursor) < bytes,
                       0)) {
    if (!Acquire(thread, state, bytes)) return nullptr;
  }
  auto* record = reinterpret_cast<Record*>(thread.cursor);
  thread.cursor += bytes;
  return record;
}

__attribute__((noinline)) void RenewClock(Thread& thread, std::uint64_t now) {
  // Not worth a new block, nor a dropped record: the next event with room sees to it.
  if (thread.end - thread.cursor < kUnitBytes) return;
  if (thread.file->ClaimClock(now)) {
    auto* record = reinterpret_cast<Record*>(thread.cursor);
    thread.cursor += kUnitBytes;
    const ClockPair pair = ReadClocks(thread.clock);
    record->words[0] = pair.ticks;
    record->words[1] = static_cast<std::uint64_t>(pair.monotonic_ns);
    record->words[2] = static_cast<std::uint64_t>(pair.realtime_ns);
    Publish(record, MakeHead(RecordKind::kClock, 0));
  }
  thread.next_clock = thread.file->NextClockTicks();
}

inline void RenewClockWhenDue(Thread& thread, std::uint64_t now) {
  if (__builtin_expect(now >= thread.next_clock, 0)) RenewClock(thread, now);
}

inline xsp_span SpanOf(const Thread& thread, const Record* record) {
  const auto offset = reinterpret_cast<const char*>(record) - thread.base;
  return Pack(static_cast<std::uint32_t>(offset / kUnitBytes), thread.generation);
}

// The innermost span that is still open once `ended` is. One that ends before the spans inside it
// takes them along; one that is not among this thread's open spans changes nothing.
__attribute__((noinline)) void Unwind(Thread& thread, std::uint32_t ended) {
  for (std::uint32_t span = thread.current; span != 0;) {
    const auto* record =
        reinterpret_cast<const Record*>(thread.base + std::uint64_t{span} * kUnitBytes);
    const std::uint32_t parent = HighOf(record->words[0]);
    if (span == ended) {
      thread.current = parent;
      return;
    }
    span = parent;
  }
}

XSP_TAKES_ANY_NUMBER inline bool IsOn(xsp_level level, std::uint64_t state) {
  return ((state & XSP_LEVELS_ALL) >> (static_cast<unsigned>(level) & 31u) & 1u) != 0;
}

inline bool IsOfOpenRecording(xsp_span span, std::uint64_t state) {
  return (state & kOpenBit) != 0 && HighOf(span) == GenerationOf(state);
}

// Publishes a timed span whose name and parent are packed already.
xsp_span PublishTimedSpan(const Thread& thread, Record* record, xsp_level level, xsp_string type,
                          std::uint64_t start_ns, std::uint64_t duration_ns) {
  record->words[1] = start_ns;
  record->words[2] = start_ns + duration_ns;
  Publish(record, MakeHead(RecordKind::kTimedSpan, type, static_cast<std::uint8_t>(level)));
  return SpanOf(thread, record);
}

}  // namespace

void ReleaseThread(void* thread_at_exit) {
  auto* thread = static_cast<Thread*>(thread_at_exit);
  if (thread->file != nullptr && thread->generation == GenerationOf(LoadState())) {
    thread->file->Return(Space{thread->cursor, thread->end});
  }
  thread->cursor = thread->end = nullptr;
}

}  // namespace xsp::wire

using namespace xsp::wire;

XSP_TAKES_ANY_NUMBER xsp_span xsp_begin(xsp_level level, xsp_string type, xsp_string name) {
  const std::uint64_t state = LoadState();
  if (!IsOn(level, state)) return 0;
  Thread& thread = this_thread;
  Record* record = Reserve(thread, state);
  if (record == nullptr) return 0;
  const xsp_span span = SpanOf(thread, record);
  record->words[0] = Pack(name, thread.current);
  thread.current = LowOf(span);
  const std::uint64_t now = Ticks(thread.clock);
  record->words[1] = now;
  Publish(record, MakeHead(RecordKind::kSpan, type, static_cast<std::uint8_t>(level)));
  RenewClockWhenDue(thread, now);
  return span;
}

void xsp_end(xsp_span span) {
  if (span == 0) return;  // Before the clock: a level that is off must cost next to nothing.
  Thread& thread = this_thread;
  const std::uint64_t now = Ticks(thread.clock);
  const std::uint64_t state = LoadState();
  const std::uint32_t number = LowOf(span);
  if (!IsOfOpenRecording(span, state)) return;
  // Only a thread that has recorded nothing yet can be of another generation here.
  if (thread.generation != HighOf(span) || number >= thread.unit_limit) return;
  auto* record = reinterpret_cast<Record*>(thread.base + std::uint64_t{number} * kUnitBytes);
  if (KindOf(record->head) != RecordKind::kSpan) return;
  const std::atomic_ref<std::uint64_t> end(record->words[2]);
  if (end.load(std::memory_order_relaxed) == 0) end.store(now, std::memory_order_relaxed);
  if (thread.current == number) {
    thread.current = HighOf(record->words[0]);
  } else {
    Unwind(thread, number);
  }
  RenewClockWhenDue(thread, now);
}

XSP_TAKES_ANY_NUMBER xsp_span xsp_complete(xsp_level level, xsp_string type, xsp_string name,
                                           uint64_t start_ns, uint64_t duration_ns) {
  const std::uint64_t state = LoadState();
  if (!IsOn(level, state)) return 0;
  Thread& thread = this_thread;
  Record* record = Reserve(thread, state);
  if (record == nullptr) return 0;
  // Only now: joining the recording forgets the spans of an earlier one.
  record->words[0] = Pack(name, thread.current);
  return PublishTimedSpan(thread, record, level, type, start_ns, duration_ns);
}

xsp_span xsp_complete_in(xsp_span parent, xsp_level level, xsp_string type, xsp_string name,
                         uint64_t start_ns, uint64_t duration_ns) {
  const std::uint64_t state = LoadState();
  if ((state & kOpenBit) == 0 || ((LevelsAt(start_ns) >> level) & 1u) == 0) return 0;
  Thread& thread = this_thread;
  Record* record = Reserve(thread, state);
  if (record == nullptr) return 0;
  record->words[0] = Pack(name, IsOfOpenRecording(parent, state) ? LowOf(parent) : 0);
  return PublishTimedSpan(thread, record, level, type, start_ns, duration_ns);
}

xsp_span xsp_current(void) {
  const Thread& thread = this_thread;
  const std::uint64_t state = LoadState();
  const bool is_open = (state & kOpenBit) != 0 && thread.generation == GenerationOf(state);
  return is_open && thread.current != 0 ? Pack(thread.current, thread.generation) : 0;
}

xsp_track xsp_make_track(xsp_track_kind kind, xsp_string name, uint32_t owner, int64_t stream) {
  const std::uint64_t state = LoadState();
  if ((state & kOpenBit) == 0) return 0;
  Thread& thread = this_thread;
  Record* record = Reserve(thread, state);
  if (record == nullptr) return 0;
  record->words[0] = owner;
  record->words[1] = static_cast<std::uint64_t>(stream);
  Publish(record, MakeHead(RecordKind::kTrack, name, static_cast<std::uint8_t>(kind)));
  return SpanOf(thread, record);
}

xsp_span xsp_complete_on(const xsp_placement* placement, xsp_level level, xsp_string type,
                         xsp_string name, uint64_t start_ns, uint64_t duration_ns) {
  const std::uint64_t state = LoadState();
  if (placement->size < offsetof(xsp_placement, decided_ns)) return 0;
  const std::uint64_t decided_ns =
      placement->size >= sizeof(xsp_placement) && placement->decided_ns != 0 ? placement->decided_ns
                                                                             : start_ns;
  if ((state & kOpenBit) == 0 || ((LevelsAt(decided_ns) >> level) & 1u) == 0 ||
      !IsOfOpenRecording(placement->track, state)) {
    return 0;
  }
  Thread& thread = this_thread;
  Record* record = Reserve(thread, state, kPlacedSpanUnits * kUnitBytes);
  if (record == nullptr) return 0;
  record->words[0] = Pack(name, 0);
  record->words[1] = start_ns;
  record->words[2] = start_ns + duration_ns;
  const Placement placed = {Pack(LowOf(placement->track), placement->details),
                            placement->correlation_id, placement->graph_node, placement->bytes};
  memcpy(record + 1, &placed, sizeof placed);
  Publish(record, MakeHead(RecordKind::kPlacedSpan, type, static_cast<std::uint8_t>(level),
                           kPlacedSpanUnits));
  return SpanOf(thread, record);
}

void xsp_counter_on(xsp_track track, xsp_string name, uint64_t time_ns, double value,
                    xsp_string unit) {
  const std::uint64_t state = LoadState();
  if (track == 0 || !IsOfOpenRecording(track, state)) return;
  Record* record = Reserve(this_thread, state);
  if (record == nullptr) return;
  record->words[0] = Pack(LowOf(track), unit);
  record->words[1] = time_ns;
  memcpy(&record->words[2], &value, sizeof value);
  Publish(record, MakeHead(RecordKind::kPlacedCounter, name));
}

void xsp_captured(xsp_span span, uint64_t graph_node) {
  const std::uint64_t state = LoadState();
  if (span == 0 || graph_node == 0 || !IsOfOpenRecording(span, state)) return;
  Record* record = Reserve(this_thread, state);
  if (record == nullptr) return;
  record->words[0] = LowOf(span);
  record->words[1] = graph_node;
  Publish(record, MakeHead(RecordKind::kCaptured, 0));
}

void xsp_metric(xsp_span span, xsp_string name, double value, xsp_string unit,
                xsp_string provenance) {
  const std::uint64_t state = LoadState();
  if (span == 0 || !IsOfOpenRecording(span, state)) return;
  Record* record = Reserve(this_thread, state);
  if (record == nullptr) return;
  record->words[0] = Pack(LowOf(span), unit);
  record->words[1] = provenance;
  memcpy(&record->words[2], &value, sizeof value);
  Publish(record, MakeHead(RecordKind::kMetric, name));
}

void xsp_attribute(xsp_span span, xsp_string key, const char* value, size_t length) {
  const std::uint64_t state = LoadState();
  if ((state & kOpenBit) == 0 || (span != 0 && !IsOfOpenRecording(span, state))) return;
  Thread& thread = this_thread;
  // The smallest record also joins the thread to the recording, which knows how large one may be.
  if (thread.generation != GenerationOf(state) && !Acquire(thread, state, kUnitBytes)) return;
  const std::size_t room = thread.file->largest_record_bytes() - kTextOffset;
  const auto kept = static_cast<std::uint32_t>(std::min(length, room));
  const std::uint32_t units = TextUnits(kept);
  Record* record = Reserve(thread, state, std::size_t{units} * kUnitBytes);
  if (record == nullptr) return;
  record->words[0] = Pack(LowOf(span), kept);
  // The length first: a reader that finds the text without a head tells it from damage by it.
  std::atomic_signal_fence(std::memory_order_release);
  memcpy(reinterpret_cast<char*>(record) + kTextOffset, value, kept);
  Publish(record, MakeHead(RecordKind::kAttribute, key, kept < length ? kFlagCut : 0,
                           static_cast<std::uint16_t>(units)));
}

void xsp_mark(xsp_string name) {
  const std::uint64_t state = LoadState();
  if ((state & kOpenBit) == 0) return;
  Thread& thread = this_thread;
  Record* record = Reserve(thread, state);
  if (record == nullptr) return;
  const std::uint64_t now = Ticks(thread.clock);
  record->words[0] = now;
  Publish(record, MakeHead(RecordKind::kMark, name));
  RenewClockWhenDue(thread, now);
}

void xsp_counter(xsp_string name, double value, xsp_string unit) {
  const std::uint64_t state = LoadState();
  if ((state & kOpenBit) == 0) return;
  Thread& thread = this_thread;
  Record* record = Reserve(thread, state);
  if (record == nullptr) return;
  const std::uint64_t now = Ticks(thread.clock);
  record->words[0] = now;
  record->words[1] = unit;
  memcpy(&record->words[2], &value, sizeof value);
  Publish(record, MakeHead(RecordKind::kCounter, name));
  RenewClockWhenDue(thread, now);
}

xsp_stack xsp_frame(xsp_stack caller, xsp_string function, xsp_string module) {
  const std::uint64_t state = LoadState();
  if ((state & kOpenBit) == 0 || (caller != 0 && !IsOfOpenRecording(caller, state))) return 0;
  Thread& thread = this_thread;
  Record* record = Reserve(thread, state);
  if (record == nullptr) return 0;
  record->words[0] = Pack(module, LowOf(caller));
  Publish(record, MakeHead(RecordKind::kFrame, function));
  return SpanOf(thread, record);
}

void xsp_sample(xsp_stack_kind kind, uint32_t thread_id, xsp_stack stack) {
  const std::uint64_t state = LoadState();
  if ((state & kOpenBit) == 0 || (stack != 0 && !IsOfOpenRecording(stack, state))) return;
  Thread& thread = this_thread;
  Record* record = Reserve(thread, state);
  if (record == nullptr) return;
  const std::uint64_t now = Ticks(thread.clock);
  record->words[0] = now;
  record->words[1] = Pack(thread_id, LowOf(stack));
  Publish(record, MakeHead(RecordKind::kSample, 0, static_cast<std::uint8_t>(kind)));
  RenewClockWhenDue(thread, now);
}

uint64_t xsp_now_ns(void) { return MonotonicNs(); }
