#include "capture/counters/event.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <set>

namespace xsp::counters {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(RefusalTest, SaysWhatEachRefusalMeansAndWhatToDo) {
  struct Case {
    int error, paranoid;
    const char *why, *remedy;
  };
  for (const Case& one :
       {Case{ENOENT, 2, "not visible here (ENOENT)", "PMU"},
        Case{EOPNOTSUPP, 2, "not visible here (EOPNOTSUPP)", "pmu=on"},
        Case{ENODEV, 2, "not visible here (ENODEV)", "metal"},
        Case{EACCES, 4, "perf_event_paranoid is 4 (EACCES)", "sysctl kernel.perf_event_paranoid=1"},
        Case{EPERM, 1, "perf_event_paranoid is 1 (EPERM)", "--cap-add PERFMON"},
        Case{EPERM, kNoParanoid, "may not count it (EPERM)", "seccomp"},
        Case{ENOSYS, kNoParanoid, "no perf_event_open", "CONFIG_PERF_EVENTS"},
        Case{EINVAL, 2, "does not know the event (EINVAL)", "pmu_events.csv"},
        Case{EBUSY, 2, "are taken (EBUSY)", "nmi_watchdog"},
        Case{EMFILE, 2, "too many files", "ulimit -n"}, Case{ENOMEM, 2, "ENOMEM", "dmesg"}}) {
    const Refusal refusal{"cycles", one.error};
    EXPECT_THAT(WhyRefused(refusal, one.paranoid), HasSubstr(one.why)) << one.error;
    EXPECT_THAT(RemedyOf(refusal, one.paranoid), HasSubstr(one.remedy)) << one.error;
  }
  // Where the level forbids nothing it is not to be changed.
  EXPECT_THAT(RemedyOf({"cycles", EPERM}, 1), Not(HasSubstr("sysctl")));
}

TEST(RefusalTest, TakesAnEventForUnknownWhereOthersOfTheCpuAreCounted) {
  // AMD Zen: cycles are counted, and the kernel has no event for the last level cache.
  for (const int error : {ENOENT, EOPNOTSUPP, ENODEV}) {
    const Refusal refusal{"llc_loads", error, true};
    EXPECT_THAT(WhyRefused(refusal, 2), HasSubstr("does not know the event (E")) << error;
    EXPECT_THAT(WhyRefused(refusal, 2), Not(HasSubstr("visible"))) << error;
    EXPECT_THAT(RemedyOf(refusal, 2), HasSubstr("Other events are counted")) << error;
    EXPECT_THAT(RemedyOf(refusal, 2), Not(HasSubstr("virtual machine"))) << error;
  }
  EXPECT_THAT(WhyRefused({"cycles", EACCES, true}, 4), HasSubstr("may not count it"));
}

TEST(RefusalTest, TellsAlikeReasonsOnce) {
  EXPECT_EQ(RefusalSentence({}, 2), "");
  const std::string sentence =
      RefusalSentence({{"cycles", ENOENT}, {"odd", EINVAL}, {"instructions", ENOENT}}, 2);
  EXPECT_THAT(sentence, HasSubstr("cycles, instructions: the CPU's counters are not visible"));
  EXPECT_THAT(sentence, HasSubstr("odd: this CPU or kernel does not know the event (EINVAL). "));
}

TEST(SoftwareEventsTest, AreOfTheKernelAndOfOneGroup) {
  std::set<std::string> names;
  for (const Event& event : SoftwareEvents()) {
    EXPECT_TRUE(IsSoftware(event)) << event.name;
    EXPECT_EQ(event.group, 0);
    EXPECT_TRUE(names.insert(event.name).second) << event.name;
  }
  EXPECT_EQ(names.size(), 4u);
}

}  // namespace
}  // namespace xsp::counters
