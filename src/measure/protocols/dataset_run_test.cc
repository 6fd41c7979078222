#include "measure/protocols/dataset_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace xsp::protocols {
namespace {

using testing::HasSubstr;

TEST(CheckDataset, RefusesWhatCannotBeMeant) {
  requests::ExperimentRequest request;
  EXPECT_TRUE(CheckDataset(request).ok());
  request.dataset.samples = 3;
  EXPECT_THAT(CheckDataset(request).error().what, HasSubstr("needs a data set"));
  request.dataset.text = "x";
  EXPECT_TRUE(CheckDataset(request).ok());
  request.depth = "kernel";
  EXPECT_THAT(CheckDataset(request).error().what, HasSubstr("--depth"));
  request.depth = "";
  request.scenario.kind = "server";
  EXPECT_THAT(CheckDataset(request).error().what, HasSubstr("--scenario"));
}

}  // namespace
}  // namespace xsp::protocols
