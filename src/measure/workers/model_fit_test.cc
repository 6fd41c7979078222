#include "measure/workers/model_fit.h"

#include <gtest/gtest.h>

namespace xsp::workers {
namespace {

TEST(ModelFit, AVersionOutsideTheConstraintIsRefused) {
  WorkerProgram worker;
  worker.name = "torch";
  worker.framework = "PyTorch 2.15.0+cpu";
  manifest::Manifest manifest;
  manifest.name = "net";
  manifest.framework = {"torch", ">=2, <3"};
  EXPECT_TRUE(CheckFrameworkVersion(manifest, worker).ok());
  manifest.framework.version = ">=3";
  const Status refused = CheckFrameworkVersion(manifest, worker);
  EXPECT_EQ(refused.error().kind, ErrorKind::kNotPossible);
  EXPECT_EQ(refused.error().what,
            "model net needs another version of torch: >=3, installed is PyTorch 2.15.0+cpu");
  worker.name = "onnxruntime";
  EXPECT_TRUE(CheckFrameworkVersion(manifest, worker).ok());
}

TEST(ModelFit, AWorkerTakesItsFormatsAndTheirExtensions) {
  WorkerProgram worker;
  worker.extensions = {".pt", ".ts"};
  EXPECT_EQ(FormatsOf(worker), (std::vector<std::string>{".pt", ".ts"}));
  worker.formats = {"torchscript"};
  EXPECT_EQ(FormatsOf(worker), (std::vector<std::string>{"torchscript", ".pt", ".ts"}));
}

}  // namespace
}  // namespace xsp::workers
