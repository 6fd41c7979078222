#include "harness/guarded.h"

#include <gtest/gtest.h>

#include <functional>
#include <new>
#include <stdexcept>
#include <string>

namespace xsp::worker {
namespace {

struct Reported {
  int status;
  std::string what, hint;
};

Reported ReportOf(const std::function<void()>& action) {
  xsp_worker_error error = {};
  const int status = Guarded(&error, "cannot load", "export it again", action);
  return {status, error.what, error.hint};
}

TEST(Guarded, WhatSucceedsIsOk) {
  EXPECT_EQ(ReportOf([] {}).status, XSP_WORKER_OK);
}

TEST(Guarded, ReportsAWorkerErrorAsItIs) {
  const Reported reported =
      ReportOf([] { throw WorkerError(ErrorKind::kNotPossible, "no such device", "use a CPU"); });
  EXPECT_EQ(reported.status, XSP_WORKER_NOT_POSSIBLE);
  EXPECT_EQ(reported.what, "no such device");
  EXPECT_EQ(reported.hint, "use a CPU");
}

TEST(Guarded, WhatAFrameworkThrowsIsBadInputByItsFirstLine) {
  const Reported reported = ReportOf([] { throw std::runtime_error("node 3 is odd\nat line 5"); });
  EXPECT_EQ(reported.status, XSP_WORKER_BAD_INPUT);
  EXPECT_EQ(reported.what, "cannot load: node 3 is odd");
  EXPECT_EQ(reported.hint, "export it again");
}

TEST(Guarded, MemoryThatRunsOutIsTheEnvironments) {
  EXPECT_EQ(ReportOf([] { throw std::bad_alloc(); }).status, XSP_WORKER_ENVIRONMENT);
  const Reported reported =
      ReportOf([] { throw std::runtime_error("Failed to allocate 9 bytes"); });
  EXPECT_EQ(reported.status, XSP_WORKER_ENVIRONMENT);
  EXPECT_EQ(reported.what, "memory ran out: Failed to allocate 9 bytes");
}

TEST(Guarded, WhatIsNoExceptionIsInternal) {
  const Reported reported = ReportOf([] { throw 3; });
  EXPECT_EQ(reported.status, XSP_WORKER_INTERNAL);
  EXPECT_EQ(reported.what, "cannot load: unknown exception");
}

}  // namespace
}  // namespace xsp::worker
