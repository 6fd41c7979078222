// What ITT's static part loads through INTEL_LIBITTNOTIFY64 (docs/ranges.md): tasks, frames,
// events, markers, counters, names of threads, pause and resume. itt_abi.h says where the protocol
// is from.

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <atomic>
#include <string>
#include <string_view>

#include "capture/record/itt/itt_abi.h"
#include "capture/record/itt/open_entries.h"
#include "capture/record/process.h"
#include "capture/record/ranges.h"

namespace xsp::record::itt {
namespace {

struct CounterState {
  xsp_string name;
  double value;
};

// Never destroyed.
Entries<std::uint64_t>& Loose() {
  static auto& entries = *new Entries<std::uint64_t>;
  return entries;
}
Entries<CounterState>& Counters() {
  static auto& entries = *new Entries<CounterState>;
  return entries;
}

std::atomic<bool> is_paused{false};
xsp_string frame_type, event_type, unit_one, provenance;

std::string_view View(const char* text) { return text == nullptr ? std::string_view() : text; }

RangeDomain* MakeDomain(const Domain& domain) {
  RangeDomain* made = FindRangeDomain(View(domain.name));
  // oneDNN announces the same primitives in text, with shapes: these tasks would be a second copy.
  if (made != nullptr && made->text == "dnnl::primitive::execute" &&
      Environment(kCaptureVariable) == "1") {
    made->is_ignored.store(true, std::memory_order_relaxed);
  }
  return made;
}

/// Null: the domain is switched off, or what it tells is recorded otherwise.
RangeDomain* Known(const Domain* given) {
  if (given == nullptr || given->flags == 0) return nullptr;
  std::atomic_ref<void*> kept(const_cast<Domain*>(given)->extra2);
  auto* known = static_cast<RangeDomain*>(kept.load(std::memory_order_acquire));
  if (__builtin_expect(known == nullptr, 0)) {
    known = MakeDomain(*given);
    kept.store(known, std::memory_order_release);
  }
  if (known == nullptr || known->is_ignored.load(std::memory_order_relaxed)) return nullptr;
  return known;
}

xsp_string Known(StringHandle* handle) {
  if (handle == nullptr) return 0;
  std::atomic_ref<int> kept(handle->extra1);
  auto id = static_cast<xsp_string>(kept.load(std::memory_order_relaxed));
  if (__builtin_expect(id == 0, 0)) {
    id = Intern(View(handle->text));
    kept.store(static_cast<int>(id), std::memory_order_relaxed);
  }
  return id;
}

bool IsNull(const Id& id) { return (id.d1 | id.d2 | id.d3) == 0; }

/// 0 for the id that stands for none.
std::uint64_t KeyOf(const Id& id) {
  if (IsNull(id)) return 0;
  return (id.d1 * 0x9e3779b97f4a7c15u ^ id.d2 * 0xc2b2ae3d27d4eb4fu ^ id.d3) | 1;
}

// Tasks.

void Begin(const Domain* domain, const Id& id, xsp_string name) {
  if (RangeDomain* known = Known(domain)) PushRange(*known, name, nullptr, KeyOf(id));
}

void TaskBegin(const Domain* domain, Id id, Id, StringHandle* name) {
  Begin(domain, id, Known(name));
}
void TaskBeginEx(const Domain* domain, void*, unsigned long long, Id id, Id, StringHandle* name) {
  Begin(domain, id, Known(name));
}

void TaskBeginFn(const Domain* domain, Id id, Id, void* function) {
  Dl_info info;
  char text[24];
  if (function != nullptr && dladdr(function, &info) != 0 && info.dli_sname != nullptr) {
    return Begin(domain, id, TextId(info.dli_sname));
  }
  const int length = snprintf(text, sizeof text, "%p", function);
  Begin(domain, id, xsp_intern(text, static_cast<std::size_t>(length)));
}
void TaskBeginFnEx(const Domain* domain, void*, unsigned long long, Id id, Id parent,
                   void* function) {
  TaskBeginFn(domain, id, parent, function);
}

void TaskEnd(const Domain* domain) {
  if (RangeDomain* known = Known(domain)) PopRange(*known);
}
void TaskEndEx(const Domain* domain, void*, unsigned long long) { TaskEnd(domain); }

// Tasks that overlap, frames, and events: known by what the program calls them.

void StartLoose(RangeDomain& domain, const EntryKey& key, xsp_string name, xsp_string type) {
  const std::uint64_t range = StartRange(domain, name, type);
  if (range != 0) Loose().Push(key, range);
}

constexpr std::uint64_t kNoRange = ~std::uint64_t{0};

// What is not known is ended too: that counts it.
void EndLoose(const EntryKey& key) { EndRange(Loose().Pop(key).value_or(kNoRange)); }

void TaskBeginOverlapped(const Domain* domain, Id id, Id, StringHandle* name) {
  RangeDomain* known = Known(domain);
  if (known != nullptr) {
    StartLoose(*known, {known, id.d1, id.d2, id.d3}, Known(name), known->type);
  }
}
void TaskBeginOverlappedEx(const Domain* domain, void*, unsigned long long, Id id, Id parent,
                           StringHandle* name) {
  TaskBeginOverlapped(domain, id, parent, name);
}
void TaskEndOverlapped(const Domain* domain, Id id) {
  if (const RangeDomain* known = Known(domain)) EndLoose({known, id.d1, id.d2, id.d3});
}
void TaskEndOverlappedEx(const Domain* domain, void*, unsigned long long, Id id) {
  TaskEndOverlapped(domain, id);
}

EntryKey FrameKey(const RangeDomain& domain, const Id* id) {
  // An id of a frame is not one of a task: the address of the category list tells them apart.
  const Id value = id == nullptr ? Id{} : *id;
  return {&domain.categories, value.d1, value.d2, value.d3};
}

void FrameBegin(const Domain* domain, Id* id) {
  if (RangeDomain* known = Known(domain)) {
    StartLoose(*known, FrameKey(*known, id), known->name, frame_type);
  }
}
void FrameEnd(const Domain* domain, Id* id) {
  if (const RangeDomain* known = Known(domain)) EndLoose(FrameKey(*known, id));
}

Timestamp GetTimestamp() { return xsp_now_ns(); }

void FrameSubmit(const Domain* domain, Id*, Timestamp begin, Timestamp end) {
  const RangeDomain* known = Known(domain);
  if (known == nullptr) return;
  if (end == kNoTimestamp) end = xsp_now_ns();
  if (begin > end) return;
  CompleteRange(*known, known->name, frame_type, begin, end, RangeDetails());
}

int EventCreate(const char* name, int length) {
  return static_cast<int>(
      xsp_intern(name, name == nullptr || length < 0 ? 0 : static_cast<std::size_t>(length)));
}
EntryKey EventKey(int event) {
  return {&event_type, static_cast<unsigned>(event), ThisThread(), 0};
}
int EventStart(int event) {
  StartLoose(DefaultDomain(), EventKey(event), static_cast<xsp_string>(event), event_type);
  return 0;
}
int EventEnd(int event) {
  EndLoose(EventKey(event));
  return 0;
}

// Their descriptions.

void Marker(const Domain* domain, Id, StringHandle* name, int) {
  if (Known(domain) != nullptr) xsp_mark(Known(name));
}
void MarkerEx(const Domain* domain, void*, unsigned long long, Id id, StringHandle* name,
              int scope) {
  Marker(domain, id, name, scope);
}

template <typename T>
double NumberAt(const void* data, std::size_t index) {
  T value;
  memcpy(&value, static_cast<const char*>(data) + index * sizeof(T), sizeof(T));
  return static_cast<double>(value);
}

double Number(int type, const void* data, std::size_t index) {
  switch (type) {
    case kS64:
      return NumberAt<std::int64_t>(data, index);
    case kU32:
      return NumberAt<std::uint32_t>(data, index);
    case kS32:
      return NumberAt<std::int32_t>(data, index);
    case kU16:
      return NumberAt<std::uint16_t>(data, index);
    case kS16:
      return NumberAt<std::int16_t>(data, index);
    case kFloat:
      return NumberAt<float>(data, index);
    case kDouble:
      return NumberAt<double>(data, index);
    default:
      return NumberAt<std::uint64_t>(data, index);
  }
}

void AddNumbers(xsp_span span, StringHandle* key, int type, std::size_t count, const void* data) {
  if (span == 0 || key == nullptr || data == nullptr || count == 0) return;
  if (type < kU64 || type > kDouble) return;
  if (count == 1) {
    return xsp_metric(span, Known(key), Number(type, data, 0), unit_one, provenance);
  }
  std::string text;
  for (std::size_t i = 0; i < count && text.size() < 4000; ++i) {
    char number[32];
    snprintf(number, sizeof number, "%s%.17g", i == 0 ? "" : ",", Number(type, data, i));
    text += number;
  }
  xsp_attribute(span, Known(key), text.data(), text.size());
}

void MetadataAdd(const Domain* domain, Id id, StringHandle* key, int type, std::size_t count,
                 void* data) {
  if (const RangeDomain* known = Known(domain)) {
    AddNumbers(FindOpenRange(*known, KeyOf(id)), key, type, count, data);
  }
}
void MetadataAddWithScope(const Domain* domain, int, StringHandle* key, int type, std::size_t count,
                          void* data) {
  MetadataAdd(domain, Id{}, key, type, count, data);
}
void MetadataTextAdd(const Domain* domain, Id id, StringHandle* key, const char* text,
                     std::size_t length) {
  const RangeDomain* known = Known(domain);
  if (known == nullptr || key == nullptr || text == nullptr) return;
  const xsp_span span = FindOpenRange(*known, KeyOf(id));
  // 0 stands for the end of the text.
  if (span != 0) xsp_attribute(span, Known(key), text, length == 0 ? strlen(text) : length);
}
void MetadataTextAddWithScope(const Domain* domain, int, StringHandle* key, const char* text,
                              std::size_t length) {
  MetadataTextAdd(domain, Id{}, key, text, length);
}

void ThreadSetName(const char* name) { NameThread(ThisThread(), View(name)); }

// Counters.

xsp_string CounterName(std::string_view domain, std::string_view name) {
  if (domain.empty()) return Intern(name);
  return Intern(std::string(domain) + "." + std::string(name));
}

template <typename Change>
void Count(const EntryKey& key, const char* domain, const char* name, Change change) {
  const CounterState state = Counters().Update(
      key,
      [&] {
        return CounterState{CounterName(View(domain), View(name)), 0};
      },
      change);
  xsp_counter(state.name, state.value, unit_one);
}

void AddToCounter(Counter* counter, double change) {
  if (counter == nullptr) return;
  Count({counter, 0, 0, 0}, counter->domain, counter->name,
        [change](CounterState& state) { state.value += change; });
}
void CounterIncrease(Counter* counter) { AddToCounter(counter, 1); }
void CounterDecrease(Counter* counter) { AddToCounter(counter, -1); }
void CounterIncreaseBy(Counter* counter, unsigned long long change) {
  AddToCounter(counter, static_cast<double>(change));
}
void CounterDecreaseBy(Counter* counter, unsigned long long change) {
  AddToCounter(counter, -static_cast<double>(change));
}
void CounterSet(Counter* counter, void* value) {
  if (counter == nullptr || value == nullptr) return;
  const double number = Number(counter->type, value, 0);
  Count({counter, 0, 0, 0}, counter->domain, counter->name,
        [number](CounterState& state) { state.value = number; });
}
void CounterSetEx(Counter* counter, void*, unsigned long long, void* value) {
  CounterSet(counter, value);
}

void AddToNamed(const Domain* domain, const StringHandle* name, double change) {
  if (domain == nullptr || name == nullptr) return;
  Count({domain, reinterpret_cast<std::uintptr_t>(name), 0, 0}, domain->name, name->text,
        [change](CounterState& state) { state.value += change; });
}
void NamedIncrease(const Domain* domain, StringHandle* name) { AddToNamed(domain, name, 1); }
void NamedDecrease(const Domain* domain, StringHandle* name) { AddToNamed(domain, name, -1); }
void NamedIncreaseBy(const Domain* domain, StringHandle* name, unsigned long long change) {
  AddToNamed(domain, name, static_cast<double>(change));
}
void NamedDecreaseBy(const Domain* domain, StringHandle* name, unsigned long long change) {
  AddToNamed(domain, name, -static_cast<double>(change));
}

// Pausing is not counted: two pauses end with one resume.

void Pause() {
  if (!is_paused.exchange(true)) xsp_hold(XSP_HOLD_PROGRAM, 1);
}
void Resume() {
  if (is_paused.exchange(false)) xsp_hold(XSP_HOLD_PROGRAM, -1);
}
void PauseScoped(int scope) {
  if ((scope & kScopeHost) != 0) Pause();
}
void ResumeScoped(int scope) {
  if ((scope & kScopeHost) != 0) Resume();
}

bool Start() {
  StartRanges("itt");
  pthread_atfork(nullptr, nullptr, [] {
    Loose().ResetLock();
    Counters().ResetLock();
  });
  frame_type = Intern("frame");
  event_type = Intern("event");
  unit_one = Intern("1");
  provenance = Intern("reported:itt");
  return true;
}

// What the program makes once loaded; kept, as ITT knows no end of them but a counter's.

const char* Copy(std::string_view text) {
  char* copy = static_cast<char*>(calloc(1, text.size() + 1));
  if (copy != nullptr) memcpy(copy, text.data(), text.size());
  return copy;
}

Domain* DomainCreate(const char* name) {
  if (name == nullptr) return nullptr;
  static auto& domains = *new Entries<Domain*>;
  return domains.Update(
      {nullptr, Intern(name), 0, 0},
      [name] { return new Domain{1, Copy(name), nullptr, 0, nullptr, nullptr}; }, [](Domain*) {});
}

StringHandle* StringHandleCreate(const char* text) {
  if (text == nullptr) return nullptr;
  static auto& handles = *new Entries<StringHandle*>;
  const xsp_string id = Intern(text);
  return handles.Update(
      {nullptr, id, 0, 0},
      [text, id] {
        return new StringHandle{Copy(text), nullptr, static_cast<int>(id), nullptr, nullptr};
      },
      [](StringHandle*) {});
}

Counter* CounterCreateTyped(const char* name, const char* domain, int type) {
  if (name == nullptr) return nullptr;
  static auto& counters = *new Entries<Counter*>;
  return counters.Update(
      {nullptr, Intern(name), Intern(View(domain)), static_cast<unsigned>(type)},
      [name, domain, type] {
        return new Counter{Copy(name), nullptr, domain == nullptr ? nullptr : Copy(domain), nullptr,
                           type};
      },
      [](Counter*) {});
}
Counter* CounterCreate(const char* name, const char* domain) {
  return CounterCreateTyped(name, domain, kU64);
}
Counter* CounterCreateIn(const Domain* domain, const char* name, int type) {
  return CounterCreateTyped(name, domain == nullptr ? nullptr : domain->name, type);
}

struct Entry {
  std::string_view name;
  void* function;
};

template <typename Function>
Entry At(std::string_view name, Function* function) {
  return {name, reinterpret_cast<void*>(function)};
}

const Entry* FindEntry(std::string_view name) {
  static const Entry kEntries[] = {
      At("__itt_domain_create", DomainCreate),
      At("__itt_string_handle_create", StringHandleCreate),
      At("__itt_counter_create", CounterCreate),
      At("__itt_counter_create_typed", CounterCreateTyped),
      At("__itt_counter_create_v3", CounterCreateIn),
      At("__itt_task_begin", TaskBegin),
      At("__itt_task_begin_ex", TaskBeginEx),
      At("__itt_task_begin_fn", TaskBeginFn),
      At("__itt_task_begin_fn_ex", TaskBeginFnEx),
      At("__itt_task_end", TaskEnd),
      At("__itt_task_end_ex", TaskEndEx),
      At("__itt_task_begin_overlapped", TaskBeginOverlapped),
      At("__itt_task_begin_overlapped_ex", TaskBeginOverlappedEx),
      At("__itt_task_end_overlapped", TaskEndOverlapped),
      At("__itt_task_end_overlapped_ex", TaskEndOverlappedEx),
      At("__itt_frame_begin_v3", FrameBegin),
      At("__itt_frame_end_v3", FrameEnd),
      At("__itt_frame_submit_v3", FrameSubmit),
      At("__itt_get_timestamp", GetTimestamp),
      At("__itt_event_create", EventCreate),
      At("__itt_event_start", EventStart),
      At("__itt_event_end", EventEnd),
      At("__itt_marker", Marker),
      At("__itt_marker_ex", MarkerEx),
      At("__itt_metadata_add", MetadataAdd),
      At("__itt_metadata_add_with_scope", MetadataAddWithScope),
      At("__itt_metadata_str_add", MetadataTextAdd),
      At("__itt_metadata_str_add_with_scope", MetadataTextAddWithScope),
      At("__itt_thread_set_name", ThreadSetName),
      At("__itt_counter_inc", CounterIncrease),
      At("__itt_counter_dec", CounterDecrease),
      At("__itt_counter_inc_delta", CounterIncreaseBy),
      At("__itt_counter_dec_delta", CounterDecreaseBy),
      At("__itt_counter_inc_v3", NamedIncrease),
      At("__itt_counter_dec_v3", NamedDecrease),
      At("__itt_counter_inc_delta_v3", NamedIncreaseBy),
      At("__itt_counter_dec_delta_v3", NamedDecreaseBy),
      At("__itt_counter_set_value", CounterSet),
      At("__itt_counter_set_value_ex", CounterSetEx),
      At("__itt_counter_set_value_v3", CounterSet),
      At("__itt_pause", Pause),
      At("__itt_resume", Resume),
      At("__itt_pause_scoped", PauseScoped),
      At("__itt_resume_scoped", ResumeScoped),
      At("__itt_detach", Pause),
  };
  for (const Entry& entry : kEntries) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

void FillFunctions(ApiInfo* functions, bool is_recording) {
  for (ApiInfo* info = functions; info->name != nullptr; ++info) {
    const Entry* entry = is_recording ? FindEntry(info->name) : nullptr;
    *info->function = entry != nullptr ? entry->function : info->null_function;
  }
}

}  // namespace
}  // namespace xsp::record::itt

/// What ITT's static part calls, once for each copy of it in the program, behind a lock of its own.
extern "C" XSP_API void __itt_api_init(xsp::record::itt::Global* global, int) {
  using namespace xsp::record;
  using namespace xsp::record::itt;
  if (global == nullptr || memcmp(global->magic, kMagic, sizeof kMagic) != 0 ||
      global->version_major != kMajorVersion || global->functions == nullptr) {
    return;
  }
  // Copies of the static part may arrive at once.
  static const bool is_recording = OpenRecording() && Start();
  FillFunctions(global->functions, is_recording);
}
