// The collector as ITT's static part uses it: a list of names whose pointers it fills in. Each case
// runs in a child, as a process records once.

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "capture/record/itt/itt_abi.h"
#include "capture/wire/collected_records.h"

// cmake/Paths.cmake.
extern const char kInjectedLibrary[];

namespace xsp::record::itt {
namespace {

using wire::CollectedRecords;
using Span = CollectedRecords::Span;

constexpr Id kNull = {0, 0, 0};

void NothingToDo() {}

/// A program's copy of the static part: the functions that it knows, called through pointers.
class StaticPart {
 public:
  explicit StaticPart(unsigned char first_magic = kMagic[0],
                      unsigned long version = kMajorVersion) {
    for (const char* name : kNames) {
      pointers_.push_back(nullptr);
      functions_.push_back({name, nullptr, nullptr, Nothing(), 0});
    }
    for (std::size_t i = 0; i < pointers_.size(); ++i) functions_[i].function = &pointers_[i];
    functions_.push_back({nullptr, nullptr, nullptr, nullptr, 0});
    memcpy(global_.magic, kMagic, sizeof kMagic);
    global_.magic[0] = first_magic;
    global_.version_major = version;
    global_.functions = functions_.data();
    void* library = dlopen(kInjectedLibrary, RTLD_NOW);
    if (library == nullptr) _exit(90);
    void* init = dlsym(library, "__itt_api_init");
    reinterpret_cast<void (*)(Global*, int)>(init)(&global_, -1);
  }

  static void* Nothing() { return reinterpret_cast<void*>(&NothingToDo); }

  template <typename Result = void, typename... Arguments>
  Result Call(const char* name, Arguments... arguments) {
    return reinterpret_cast<Result (*)(Arguments...)>(Find(name))(arguments...);
  }

  void* Find(const char* name) const {
    for (std::size_t i = 0; i < pointers_.size(); ++i) {
      if (strcmp(functions_[i].name, name) == 0) return pointers_[i];
    }
    _exit(91);
  }

  Domain* MakeDomain(const char* name) { return Call<Domain*>("__itt_domain_create", name); }
  StringHandle* Handle(const char* text) {
    return Call<StringHandle*>("__itt_string_handle_create", text);
  }
  void Begin(const Domain* domain, const char* name, Id id = kNull) {
    Call("__itt_task_begin", domain, id, kNull, Handle(name));
  }
  void End(const Domain* domain) { Call("__itt_task_end", domain); }

 private:
  static constexpr const char* kNames[] = {"__itt_domain_create",
                                           "__itt_string_handle_create",
                                           "__itt_task_begin",
                                           "__itt_task_end",
                                           "__itt_task_begin_overlapped",
                                           "__itt_task_end_overlapped",
                                           "__itt_frame_begin_v3",
                                           "__itt_frame_end_v3",
                                           "__itt_frame_submit_v3",
                                           "__itt_get_timestamp",
                                           "__itt_marker",
                                           "__itt_metadata_add",
                                           "__itt_metadata_str_add",
                                           "__itt_counter_create_typed",
                                           "__itt_counter_create",
                                           "__itt_counter_inc_delta",
                                           "__itt_counter_dec",
                                           "__itt_counter_set_value",
                                           "__itt_thread_set_name",
                                           "__itt_pause",
                                           "__itt_resume",
                                           "__itt_event_create",
                                           "__itt_event_start",
                                           "__itt_event_end",
                                           "__itt_sync_prepare"};

  std::vector<void*> pointers_;
  std::vector<ApiInfo> functions_;
  Global global_ = {};
};

class Itt : public testing::Test {
 protected:
  void Run(const std::function<void()>& program) {
    const pid_t child = fork();
    if (child == 0) {
      setenv("XSP_RECORD_FOLDER", folder_.path().c_str(), 0);
      program();
      exit(0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    ASSERT_EQ(status, 0);
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      read_ = wire::ReadRecording(entry.path().string());
      EXPECT_TRUE(read_->is_readable) << read_->error.what;
    }
  }

  const Span* Find(const std::string& name) const {
    for (const Span& span : read_->spans) {
      if (span.name == name) return &span;
    }
    ADD_FAILURE() << "no span " << name;
    static const Span kNone = {};
    return &kNone;
  }

  std::map<std::string, std::string> Attributes(std::uint32_t span) const {
    std::map<std::string, std::string> found;
    for (const auto& attribute : read_->attributes) {
      if (attribute.span == span) found[attribute.key] = attribute.value;
    }
    return found;
  }

  wire::ScratchFolder folder_;
  std::unique_ptr<CollectedRecords> read_ = std::make_unique<CollectedRecords>();
};

TEST_F(Itt, NestsTasksAndKeepsWhatIsSaidAboutThem) {
  Run([] {
    StaticPart itt;
    Domain* domain = itt.MakeDomain("my.domain");
    const Domain* in = domain;
    itt.Begin(domain, "outer", {1, 2, 3});
    itt.Begin(domain, "inner");
    const double value = 2.5;
    const std::int32_t list[] = {1, -2};
    itt.Call("__itt_metadata_add", in, kNull, itt.Handle("size"), int{kDouble}, std::size_t{1},
             const_cast<double*>(&value));
    itt.Call("__itt_metadata_add", in, Id{1, 2, 3}, itt.Handle("shape"), int{kS32}, std::size_t{2},
             const_cast<std::int32_t*>(list));
    itt.Call("__itt_metadata_str_add", in, kNull, itt.Handle("note"), "text", std::size_t{0});
    itt.End(domain);
    itt.End(domain);
    itt.Call("__itt_marker", in, kNull, itt.Handle("a mark"), 1);
  });
  ASSERT_EQ(read_->spans.size(), 2u);
  const Span *outer = Find("outer"), *inner = Find("inner");
  EXPECT_EQ(inner->parent, outer->id);
  EXPECT_EQ(outer->level, XSP_LEVEL_APPLICATION);
  EXPECT_EQ(outer->type, "range");
  EXPECT_FALSE(outer->is_open());
  EXPECT_EQ(Attributes(outer->id)["shape"], "1,-2");
  EXPECT_EQ(Attributes(outer->id)["domain"], "my.domain");
  EXPECT_EQ(Attributes(inner->id)["note"], "text");
  ASSERT_EQ(read_->metrics.size(), 1u);
  EXPECT_EQ(read_->metrics[0].span, inner->id);
  EXPECT_EQ(read_->metrics[0].value, 2.5);
  EXPECT_EQ(read_->metrics[0].provenance, "reported:itt");
  ASSERT_EQ(read_->marks.size(), 1u);
  EXPECT_EQ(read_->marks[0].name, "a mark");
}

TEST_F(Itt, RecordsOverlappedTasksFramesAndEventsAtTheirEnd) {
  Run([] {
    StaticPart itt;
    Domain* domain = itt.MakeDomain("loop");
    const Domain* in = domain;
    itt.Call("__itt_task_begin_overlapped", in, Id{1, 0, 0}, kNull, itt.Handle("first"));
    itt.Call("__itt_task_begin_overlapped", in, Id{2, 0, 0}, kNull, itt.Handle("second"));
    itt.Call("__itt_task_end_overlapped", in, Id{1, 0, 0});
    itt.Call("__itt_task_end_overlapped", in, Id{2, 0, 0});
    Id* none = nullptr;
    itt.Call("__itt_frame_begin_v3", in, none);
    itt.Call("__itt_frame_end_v3", in, none);
    itt.Call("__itt_frame_end_v3", in, none);  // One too many.
    const auto now = itt.Call<Timestamp>("__itt_get_timestamp");
    itt.Call("__itt_frame_submit_v3", in, none, now - 100, now);
    itt.Call("__itt_frame_submit_v3", in, none, now, now - 100);
    const int event = itt.Call<int>("__itt_event_create", "event name", 5);
    itt.Call<int>("__itt_event_start", event);
    itt.Call<int>("__itt_event_end", event);
  });
  ASSERT_EQ(read_->spans.size(), 5u);
  EXPECT_LT(Find("first")->end_ns, Find("second")->end_ns);
  EXPECT_LT(Find("second")->start_ns, Find("first")->end_ns);
  EXPECT_EQ(Attributes(Find("first")->id)["range_kind"], "start_end");
  EXPECT_EQ(Find("event")->type, "event");
  EXPECT_EQ(std::ranges::count(read_->spans, "frame", &Span::type), 2);
  EXPECT_TRUE(std::ranges::any_of(
      read_->spans, [](const Span& span) { return span.end_ns - span.start_ns == 100; }));
  EXPECT_EQ(Attributes(0)["ranges.unknown_ends"], "1");
}

TEST_F(Itt, CountsInTheProgramsCounters) {
  Run([] {
    StaticPart itt;
    const char* no_domain = nullptr;
    auto* counter = itt.Call<Counter*>("__itt_counter_create", "queue", "loader");
    itt.Call("__itt_counter_inc_delta", counter, 5ull);
    itt.Call("__itt_counter_dec", counter);
    auto* typed = itt.Call<Counter*>("__itt_counter_create_typed", "loss", no_domain, int{kFloat});
    float value = 0.5f;
    itt.Call("__itt_counter_set_value", typed, static_cast<void*>(&value));
    itt.Call("__itt_thread_set_name", "the main one");
  });
  ASSERT_EQ(read_->counters.size(), 3u);
  EXPECT_EQ(read_->counters[0].name, "loader.queue");
  EXPECT_EQ(read_->counters[0].value, 5);
  EXPECT_EQ(read_->counters[1].value, 4);
  EXPECT_EQ(read_->counters[2].name, "loss");
  EXPECT_EQ(read_->counters[2].value, 0.5);
  EXPECT_EQ(Attributes(0)["thread." + std::to_string(read_->info.process_id) + ".name"],
            "the main one");
}

TEST_F(Itt, PausesUntilTheFirstResume) {
  Run([] {
    StaticPart itt;
    Domain* domain = itt.MakeDomain("d");
    itt.Call("__itt_pause");
    itt.Call("__itt_pause");
    itt.Begin(domain, "paused");
    itt.End(domain);
    itt.Call("__itt_resume");
    itt.Begin(domain, "resumed");
    itt.End(domain);
  });
  ASSERT_EQ(read_->spans.size(), 1u);
  EXPECT_EQ(read_->spans[0].name, "resumed");
}

void RunPrimitive(StaticPart& itt) {
  for (const char* name : {"dnnl::primitive::execute", "dnnl::primitive::create"}) {
    Domain* domain = itt.MakeDomain(name);
    itt.Begin(domain, "convolution");
    itt.End(domain);
  }
}

TEST_F(Itt, TakesOneDnnsPrimitivesForLibraryCalls) {
  Run([] {
    StaticPart itt;
    RunPrimitive(itt);
  });
  ASSERT_EQ(read_->spans.size(), 2u);
  EXPECT_EQ(read_->spans[0].level, XSP_LEVEL_LIBRARY);
  EXPECT_EQ(read_->spans[0].type, "onednn");
}

TEST_F(Itt, LeavesOneDnnsPrimitivesToTheCaptureWhereThereIsOne) {
  Run([] {
    setenv("XSP_RECORD_CPU_CAPTURE", "1", 1);
    StaticPart itt;
    RunPrimitive(itt);
  });
  ASSERT_EQ(read_->spans.size(), 1u) << "no second copy of what ran; what was made is told once";
  EXPECT_EQ(Attributes(read_->spans[0].id)["domain"], "dnnl::primitive::create");
  EXPECT_TRUE(Attributes(0).empty()) << "and no end without a beginning";
}

TEST_F(Itt, IgnoresDomainsThatTheProgramSwitchedOff) {
  Run([] {
    StaticPart itt;
    Domain* domain = itt.MakeDomain("d");
    domain->flags = 0;
    itt.Begin(domain, "off");
    itt.End(domain);
    itt.Begin(nullptr, "no domain");
    itt.End(nullptr);
  });
  EXPECT_TRUE(read_->spans.empty());
}

TEST_F(Itt, ServesSeveralCopiesOfTheStaticPart) {
  Run([] {
    StaticPart one, two;
    Domain *first = one.MakeDomain("shared"), *second = two.MakeDomain("shared");
    one.Begin(first, "outer");
    two.Begin(second, "inner");
    two.End(second);
    one.End(first);
  });
  ASSERT_EQ(read_->spans.size(), 2u);
  EXPECT_EQ(Find("inner")->parent, Find("outer")->id);
}

TEST_F(Itt, FillsInNothingThatItDoesNotKnow) {
  Run([] {
    StaticPart itt;
    if (itt.Find("__itt_sync_prepare") != StaticPart::Nothing()) _exit(92);
    StaticPart other(0), later(kMagic[0], 4);
    if (other.Find("__itt_task_begin") != nullptr) _exit(93);
    if (later.Find("__itt_task_begin") != nullptr) _exit(94);
  });
}

TEST_F(Itt, LeavesTheProgramAloneWithoutAFolder) {
  Run([] {
    setenv("XSP_RECORD_FOLDER", "", 1);
    StaticPart itt;
    if (itt.Find("__itt_task_begin") != StaticPart::Nothing()) _exit(95);
  });
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

}  // namespace
}  // namespace xsp::record::itt
