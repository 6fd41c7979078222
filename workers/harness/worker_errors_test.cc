#include "harness/worker_errors.h"

#include <gtest/gtest.h>

#include <string>

namespace xsp::worker {
namespace {

TEST(FromStatus, OkIsNoError) {
  const xsp_worker_error reported = {"left over", ""};
  EXPECT_TRUE(FromStatus(XSP_WORKER_OK, reported).ok());
}

TEST(FromStatus, TakesOverWhatAWorkerReported) {
  xsp_worker_error reported = {};
  const int status =
      xsp_worker_fail(&reported, XSP_WORKER_NOT_POSSIBLE, "use a CPU", "no device %d", 3);
  const Status failed = FromStatus(status, reported);
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().kind, ErrorKind::kNotPossible);
  EXPECT_EQ(failed.error().what, "no device 3");
  EXPECT_EQ(failed.error().hint, "use a CPU");
}

TEST(FromStatus, AStatusOutsideTheEnumerationIsInternal) {
  const xsp_worker_error reported = {};
  for (const int status : {-1, 6, 130}) {
    const Status failed = FromStatus(status, reported);
    ASSERT_FALSE(failed.ok());
    EXPECT_EQ(failed.error().kind, ErrorKind::kInternal);
    EXPECT_EQ(failed.error().what, "the worker failed without saying why");
  }
}

TEST(Report, IsReadBackByFromStatus) {
  for (const ErrorKind kind : {ErrorKind::kInternal, ErrorKind::kUsage, ErrorKind::kBadInput,
                               ErrorKind::kNotPossible, ErrorKind::kEnvironment}) {
    xsp_worker_error reported = {};
    const Status failed = FromStatus(Report({kind, "100 % wrong", "mend it"}, &reported), reported);
    ASSERT_FALSE(failed.ok());
    EXPECT_EQ(failed.error().kind, kind);
    EXPECT_EQ(failed.error().what, "100 % wrong");
    EXPECT_EQ(failed.error().hint, "mend it");
  }
}

}  // namespace
}  // namespace xsp::worker
