#include "core/worker_error_kinds.h"

#include <gtest/gtest.h>

namespace xsp::core {
namespace {

TEST(WorkerErrorKinds, NameAndStatusLeadBackToTheKind) {
  for (const WorkerErrorKind& known : kWorkerErrorKinds) {
    EXPECT_EQ(WorkerErrorNamed(known.name), known.kind);
    EXPECT_EQ(WorkerErrorName(known.kind), known.name);
    EXPECT_EQ(WorkerErrorOfStatus(static_cast<int>(known.kind)), known.kind);
  }
}

TEST(WorkerErrorKinds, NamesAreThoseOfTheProtocol) {
  EXPECT_EQ(WorkerErrorOfStatus(1), WorkerErrorNamed("internal"));
  EXPECT_EQ(WorkerErrorOfStatus(2), WorkerErrorNamed("usage"));
  EXPECT_EQ(WorkerErrorOfStatus(3), WorkerErrorNamed("bad_input"));
  EXPECT_EQ(WorkerErrorOfStatus(4), WorkerErrorNamed("not_possible"));
  EXPECT_EQ(WorkerErrorOfStatus(5), WorkerErrorNamed("environment"));
}

TEST(WorkerErrorKinds, WhatNoWorkerEndsWithHasNoKind) {
  EXPECT_EQ(WorkerErrorNamed("gate"), std::nullopt);
  EXPECT_EQ(WorkerErrorNamed(""), std::nullopt);
  for (const int status : {-1, 0, 6, 130}) EXPECT_EQ(WorkerErrorOfStatus(status), std::nullopt);
  EXPECT_EQ(WorkerErrorName(ErrorKind::kGate), "internal");
}

}  // namespace
}  // namespace xsp::core
