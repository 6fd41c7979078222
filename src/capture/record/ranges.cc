#include "capture/record/ranges.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

#include "capture/record/control.h"
#include "capture/record/process.h"
#include "capture/record/range_table.h"

namespace xsp::record {
namespace {

constexpr std::uint32_t kTexts = 64;  // A power of two.
constexpr std::size_t kLongestText = 47;
constexpr double kExactInDouble = 9007199254740992.0;  // 2^53

struct CachedText {
  const char* from;
  xsp_string id;
  char text[kLongestText + 1];
};

struct OpenRange {
  const RangeDomain* domain;
  xsp_span span;
  std::uint64_t key;
  std::int32_t depth;  // Of the domain's on this thread that were open before.
  bool is_asked;
};

struct ThreadRanges {
  OpenRange* open;
  std::uint32_t count, room;
  CachedText texts[kTexts];
};

struct RangeNames {
  xsp_string domain, category, color, payload, one, provenance, kind, start_thread;
};

// A pointer only: the C library keeps few bytes free for libraries that are loaded late.
__attribute__((tls_model("initial-exec"))) thread_local ThreadRanges* this_thread = nullptr;

pthread_key_t thread_key;
RangeNames names;
AskedRange asked;
RangeDomain* default_domain = nullptr;
RangeDomain unnamed;  // Where there is no memory for a domain.
RangeTable loose;
std::atomic<std::uint64_t> lone_pops{0}, unknown_ends{0}, lost_starts{0};

void FreeThread(void* state) {
  auto* thread = static_cast<ThreadRanges*>(state);
  // A range that is asked for and never ended must not keep the recording on.
  for (std::uint32_t i = 0; i < thread->count; ++i) {
    if (thread->open[i].is_asked) LeaveAskedRange();
  }
  free(thread->open);
  free(thread);
  this_thread = nullptr;
}

__attribute__((noinline)) ThreadRanges* MakeThread() {
  auto* made = static_cast<ThreadRanges*>(calloc(1, sizeof(ThreadRanges)));
  if (made == nullptr) return nullptr;
  if (pthread_setspecific(thread_key, made) != 0) {
    free(made);
    return nullptr;
  }
  return this_thread = made;
}

inline ThreadRanges* Thread() {
  ThreadRanges* thread = this_thread;
  return __builtin_expect(thread != nullptr, 1) ? thread : MakeThread();
}

__attribute__((noinline)) bool Grow(ThreadRanges& thread) {
  const std::uint32_t room = thread.room == 0 ? 32 : thread.room * 2;
  void* grown = realloc(thread.open, room * sizeof(OpenRange));
  if (grown == nullptr) return false;
  thread.open = static_cast<OpenRange*>(grown);
  thread.room = room;
  return true;
}

/// Counts, and says so in the recording the first time: it may be killed before its end.
void CountProblem(std::atomic<std::uint64_t>& counter, const char* name, const char* what,
                  const char* hint) {
  if (counter.fetch_add(1, std::memory_order_relaxed) == 0) ReportProblem(name, what, hint);
}

void AddText(xsp_span span, xsp_string key, const char* text, int length) {
  if (length > 0) xsp_attribute(span, key, text, static_cast<std::size_t>(length));
}

void AddPayload(xsp_span span, const RangeDetails& details) {
  double number = 0;
  char text[24];
  switch (details.payload) {
    case RangeDetails::Payload::kNone:
      return;
    case RangeDetails::Payload::kDouble:
      number = details.number;
      break;
    case RangeDetails::Payload::kSigned:
      number = static_cast<double>(details.signed_number);
      if (number > kExactInDouble || number < -kExactInDouble) {
        return AddText(
            span, names.payload, text,
            snprintf(text, sizeof text, "%lld", static_cast<long long>(details.signed_number)));
      }
      break;
    case RangeDetails::Payload::kUnsigned:
      number = static_cast<double>(details.unsigned_number);
      if (number > kExactInDouble) {
        return AddText(span, names.payload, text,
                       snprintf(text, sizeof text, "%llu",
                                static_cast<unsigned long long>(details.unsigned_number)));
      }
      break;
  }
  xsp_metric(span, names.payload, number, names.one, names.provenance);
}

void AddDetails(xsp_span span, const RangeDomain& domain, const RangeDetails* details) {
  if (domain.name != 0) xsp_attribute(span, names.domain, domain.text.data(), domain.text.size());
  if (details == nullptr) return;
  char text[16];
  if (details->category != 0) {
    const std::string_view name = CategoryName(domain, details->category);
    if (name.empty()) {
      AddText(span, names.category, text, snprintf(text, sizeof text, "%u", details->category));
    } else {
      xsp_attribute(span, names.category, name.data(), name.size());
    }
  }
  if (details->has_color) {
    AddText(span, names.color, text, snprintf(text, sizeof text, "#%08x", details->argb));
  }
  AddPayload(span, *details);
}

bool SetUp(std::string_view source) {
  if (pthread_key_create(&thread_key, FreeThread) != 0) return false;
  char provenance[64];
  const int length = snprintf(provenance, sizeof provenance, "reported:%.*s",
                              static_cast<int>(source.size()), source.data());
  names = {Intern("domain"),     Intern("category"),
           Intern("color"),      Intern("payload"),
           Intern("1"),          xsp_intern(provenance, static_cast<std::size_t>(length)),
           Intern("range_kind"), Intern("start_thread_id")};
  asked = ParseAskedRange(Environment(kRangeVariable));
  unnamed.type = Intern("range");
  default_domain = FindRangeDomain({});
  return true;
}

// A library ends before those that it needs: the recording is still open.
pid_t counting_process = 0;

__attribute__((destructor)) void SayCounts() {
  // A forked child counts on from its parent.
  if (default_domain == nullptr || getpid() != counting_process) return;
  const struct {
    const char* name;
    std::uint64_t count;
  } counts[] = {{"lone_pops", lone_pops.load()},
                {"unknown_ends", unknown_ends.load()},
                {"lost_starts", lost_starts.load()},
                {"never_ended", loose.Count()}};
  if (counts[3].count > 0) {
    ReportProblem("range_never_ended",
                  "Ranges were started and never ended; they are not in the recording.",
                  "End each range that the program starts, on every way out of its code.");
  }
  for (const auto& [name, count] : counts) {
    if (count == 0) continue;
    char key[64], value[24];
    const int key_length = snprintf(key, sizeof key, "ranges.%s", name);
    AddText(0, xsp_intern(key, static_cast<std::size_t>(key_length)), value,
            snprintf(value, sizeof value, "%llu", static_cast<unsigned long long>(count)));
  }
}

}  // namespace

void StartRanges(std::string_view source) {
  static const bool is_started = SetUp(source);  // Others wait until it is done.
  if (counting_process == 0) counting_process = getpid();
  static_cast<void>(is_started);
}

RangeDomain& DefaultDomain() { return default_domain == nullptr ? unnamed : *default_domain; }

xsp_string TextId(const char* text) {
  if (text == nullptr) return 0;
  ThreadRanges* thread = Thread();
  if (thread == nullptr) return xsp_intern(text, strlen(text));
  const std::uint64_t hash = reinterpret_cast<std::uintptr_t>(text) * 0x9e3779b97f4a7c15u;
  CachedText& cached = thread->texts[hash >> 58 & (kTexts - 1)];
  // The pointer alone says nothing: a buffer is used again for another text.
  if (cached.from == text && strcmp(cached.text, text) == 0) return cached.id;
  const std::size_t length = strlen(text);
  const xsp_string id = xsp_intern(text, length);
  if (id != 0 && length <= kLongestText) {
    cached.from = text;
    cached.id = id;
    memcpy(cached.text, text, length + 1);
  }
  return id;
}

std::string_view ToUtf8(const wchar_t* text, char* buffer, std::size_t size) {
  std::size_t used = 0;
  for (; text != nullptr && *text != 0; ++text) {
    auto c = static_cast<std::uint32_t>(*text);
    if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) c = 0xfffd;
    const int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    if (used + static_cast<std::size_t>(more) >= size) break;
    constexpr std::uint32_t kLead[] = {0, 0xc0, 0xe0, 0xf0};
    buffer[used++] = static_cast<char>(kLead[more] | c >> (6 * more));
    for (int i = more - 1; i >= 0; --i) {
      buffer[used++] = static_cast<char>(0x80 | (c >> (6 * i) & 0x3f));
    }
  }
  return {buffer, used};
}

xsp_string TextId(const wchar_t* text) {
  char buffer[kLongestName];
  return Intern(ToUtf8(text, buffer, sizeof buffer));
}

int PushRange(RangeDomain& domain, xsp_string name, const RangeDetails* details,
              std::uint64_t key) {
  ThreadRanges* thread = Thread();
  if (thread == nullptr || (thread->count == thread->room && !Grow(*thread))) return -1;
  std::int32_t depth = 0;
  for (std::uint32_t i = thread->count; i-- > 0;) {
    if (thread->open[i].domain != &domain) continue;
    depth = thread->open[i].depth + 1;
    break;
  }
  const bool is_asked = IsAsked(asked, name, domain.name);
  if (is_asked) EnterAskedRange();
  const xsp_span span = xsp_begin(domain.level, domain.type, name);
  if (span != 0 && (domain.name != 0 || details != nullptr)) AddDetails(span, domain, details);
  thread->open[thread->count++] = {&domain, span, key, depth, is_asked};
  return depth;
}

int PopRange(RangeDomain& domain) {
  ThreadRanges* thread = this_thread;
  std::uint32_t place = thread == nullptr ? 0 : thread->count;
  while (place > 0 && thread->open[place - 1].domain != &domain) --place;
  if (place == 0) {
    CountProblem(lone_pops, "range_pop_without_push",
                 "A range was ended on a thread that had none open in that domain.",
                 "Push and pop each range on the same thread and in the same domain.");
    return -1;
  }
  const OpenRange ended = thread->open[--place];
  // Ranges of other domains may have begun inside and go on.
  if (place + 1 < thread->count) {
    memmove(thread->open + place, thread->open + place + 1,
            (thread->count - place - 1) * sizeof(OpenRange));
  }
  --thread->count;
  if (ended.span != 0) xsp_end(ended.span);
  if (ended.is_asked) LeaveAskedRange();
  return ended.depth;
}

xsp_span FindOpenRange(const RangeDomain& domain, std::uint64_t key) {
  const ThreadRanges* thread = this_thread;
  for (std::uint32_t i = thread == nullptr ? 0 : thread->count; i-- > 0;) {
    const OpenRange& open = thread->open[i];
    if (open.domain == &domain && (key == 0 || open.key == key)) return open.span;
  }
  return 0;
}

std::uint64_t StartRange(RangeDomain& domain, xsp_string name, xsp_string type,
                         const RangeDetails& details) {
  const bool is_asked = IsAsked(asked, name, domain.name);
  if (is_asked) EnterAskedRange();
  const std::uint64_t id = loose.Add({xsp_now_ns(), &domain, name, type, ThisThread(),
                                      xsp_enabled(domain.level) != 0, is_asked, details});
  if (id == 0) {
    if (is_asked) LeaveAskedRange();
    CountProblem(lost_starts, "range_too_many_open",
                 "More than 4096 ranges were open at once; those beyond are not in the recording.",
                 "End ranges that are over, or mark fewer.");
  }
  return id;
}

void EndRange(std::uint64_t id) {
  if (id == 0) return;
  const std::uint64_t end_ns = xsp_now_ns();
  LooseRange range;
  if (!loose.Take(id, &range)) {
    CountProblem(unknown_ends, "range_unknown_end", "A range was ended that was not open.",
                 "End each range once, with its own id.");
    return;
  }
  if (range.is_recorded) {
    const xsp_span span =
        CompleteRange(*range.domain, range.name, range.type, range.start_ns, end_ns, range.details);
    if (span != 0 && range.thread_id != ThisThread()) {
      char text[16];
      AddText(span, names.start_thread, text, snprintf(text, sizeof text, "%u", range.thread_id));
    }
  }
  if (range.is_asked) LeaveAskedRange();
}

xsp_span CompleteRange(const RangeDomain& domain, xsp_string name, xsp_string type,
                       std::uint64_t start_ns, std::uint64_t end_ns, const RangeDetails& details) {
  const xsp_span span = xsp_complete_in(0, domain.level, type, name, start_ns, end_ns - start_ns);
  if (span == 0) return 0;
  xsp_attribute(span, names.kind, "start_end", 9);  // First: the importer places it by this.
  AddDetails(span, domain, &details);
  return span;
}

void NameThread(std::uint32_t thread_id, std::string_view name) {
  char key[40];
  const int length = snprintf(key, sizeof key, "thread.%u.name", thread_id);
  xsp_attribute(0, xsp_intern(key, static_cast<std::size_t>(length)), name.data(), name.size());
}

std::uint32_t ThisThread() { return static_cast<std::uint32_t>(syscall(SYS_gettid)); }

}  // namespace xsp::record
