#include "measure/workers/worker_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/workers/fake_worker_testing.h"

namespace xsp::workers {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class WorkerProgramTest : public FakeWorker {};

TEST_F(WorkerProgramTest, SaysWhatItCanDo) {
  const WorkerProgram worker = DescribeWorker(program_).value();
  EXPECT_EQ(worker.name, "fake");
  EXPECT_EQ(worker.framework, "Fake 1.2");
  EXPECT_THAT(worker.extensions, ElementsAre(".fake"));
  EXPECT_THAT(worker.rungs, ElementsAre("model", "layer", "kernel", "details"));
}

TEST_F(WorkerProgramTest, SaysWhyADeviceIsNotThere) {
  Write(program_,
        "#!/bin/sh\necho '{\"worker\": \"fake\", \"protocol\": 1, \"devices\": [\"cpu\"], "
        "\"missing_devices\": [{\"device\": \"cuda\", \"why\": \"no driver\"}, 7]}'\n");
  const WorkerProgram worker = DescribeWorker(program_).value();
  ASSERT_EQ(worker.missing_devices.size(), 1u);
  EXPECT_EQ(worker.missing_devices[0].first, "cuda");
  EXPECT_EQ(worker.missing_devices[0].second, "no driver");
}

TEST_F(WorkerProgramTest, IsFoundByNameAndByTheModelsExtension) {
  EXPECT_EQ(FindWorker("fake").value().path, program_);
  EXPECT_EQ(ChooseWorker("x/y.fake", "").value().name, "fake");
  EXPECT_EQ(ChooseWorker("x/y.other", "fake").value().name, "fake");
}

TEST_F(WorkerProgramTest, SaysHowToGetOneThatIsMissing) {
  const auto missing = FindWorker("nonesuch");
  EXPECT_EQ(missing.error().kind, ErrorKind::kNotPossible);
  EXPECT_THAT(missing.error().hint, HasSubstr("tools/setup"));
  const auto unknown = ChooseWorker("model.xyz", "");
  EXPECT_EQ(unknown.error().kind, ErrorKind::kNotPossible);
  EXPECT_THAT(unknown.error().what, HasSubstr("fake (.fake)"));
}

TEST_F(WorkerProgramTest, ABrokenWorkerIsListedWithItsReason) {
  const std::filesystem::path other = folder_ / "xsp-worker-broken";
  Write(other, "#!/bin/sh\necho 'libnothing.so: cannot open' >&2\nexit 127\n");
  std::filesystem::permissions(other, std::filesystem::perms::owner_all);
  const WorkerList list = ListWorkers();
  bool seen = false;
  for (const auto& [name, error] : list.broken) {
    if (name != "broken") continue;
    seen = true;
    EXPECT_THAT(error.what, HasSubstr("libnothing.so: cannot open"));
  }
  EXPECT_TRUE(seen);
}

TEST_F(WorkerProgramTest, RefusesAnswersThatAreNoDescription) {
  Write(program_, "#!/bin/sh\necho hello\n");
  EXPECT_THAT(DescribeWorker(program_).error().what, HasSubstr("is not a JSON object"));
  Write(program_, "#!/bin/sh\necho '{\"worker\":\"fake\",\"protocol\":99}'\n");
  EXPECT_THAT(DescribeWorker(program_).error().what, HasSubstr("is not of protocol 1"));
}

TEST(ChooseRungsTest, GoesDownToTheDepth) {
  WorkerProgram worker;
  worker.name = "w";
  worker.rungs = {"model", "layer", "kernel", "details"};
  EXPECT_THAT(ChooseRungs(worker, "", false).value(),
              ElementsAre("model", "layer", "kernel", "details"));
  EXPECT_THAT(ChooseRungs(worker, "layer", false).value(),
              ElementsAre("model", "layer", "details"));
  EXPECT_THAT(ChooseRungs(worker, "model", false).value(), ElementsAre("model"));
  EXPECT_THAT(ChooseRungs(worker, "kernel", true).value(), ElementsAre("kernel"));
}

TEST(ChooseRungsTest, IsAsDeepAsTheWorkerUnlessAsked) {
  WorkerProgram worker;
  worker.name = "w";
  worker.rungs = {"model"};
  EXPECT_THAT(ChooseRungs(worker, "", false).value(), ElementsAre("model"));
  EXPECT_EQ(ChooseRungs(worker, "kernel", false).error().kind, ErrorKind::kNotPossible);
  EXPECT_EQ(ChooseRungs(worker, "deep", false).error().kind, ErrorKind::kUsage);
}

}  // namespace
}  // namespace xsp::workers
