#include "store/metadata.h"

#include <gtest/gtest.h>

#include "core/json_text.h"

namespace xsp::store {
namespace {

using nlohmann::json;

TEST(ExperimentMetadata, HoldsTheDetailsOfItsKindBesideWhatAllHave) {
  const ExperimentMetadata metadata = {.kind = "run",
                                       .model = "net",
                                       .backend = "PyTorch 2",
                                       .status = "partial",
                                       .command = "xsp run net",
                                       .conditions = {"quiet"},
                                       .details = {{"request", {{"seed", 7}}}}};
  EXPECT_EQ(core::ParseJson(ToJson(metadata)), core::ParseJson(R"({
    "kind": "run", "model": "net", "backend": "PyTorch 2", "status": "partial",
    "command": "xsp run net", "conditions": ["quiet"], "request": {"seed": 7}})"));
}

TEST(ExperimentMetadata, LeavesOutWhatIsEmpty) {
  EXPECT_EQ(ToJson(ExperimentMetadata()), "{}");
  EXPECT_EQ(ToJson(RunMetadata()), "{}");
}

TEST(RunMetadata, ReplacesBytesThatAreNoUtf8) {
  const RunMetadata metadata = {.rung = "layer",
                                .status = "failed",
                                .message = "worker said \xff",
                                .started = "2026-01-31T12:00:59Z",
                                .conditions = {},
                                .stack = {{"cpu", "c"}},
                                .details = {}};
  const json read = core::ParseJson(ToJson(metadata));
  EXPECT_EQ(read["message"], "worker said \xef\xbf\xbd");
  EXPECT_EQ(read["stack"]["cpu"], "c");
  EXPECT_EQ(read["started"], "2026-01-31T12:00:59Z");
}

}  // namespace
}  // namespace xsp::store
