#include "api/operations/stack_difference_document.h"

#include <gtest/gtest.h>

#include "core/json_text.h"

namespace xsp::api {
namespace {

using nlohmann::json;

TEST(StackDifferenceDocument, KeepsReasonsBesideNulls) {
  const StackCapture old_one{"old",
                             "file",
                             {{"cpu.model", "A CPU", ""},
                              {"cpu.smt", "", "no such file"},
                              {"cpu.cores", "4", ""},
                              {"backend.torch.framework.version", "2.15", ""},
                              {"load.average", "1", ""}}};
  const StackCapture new_one{"now",
                             "machine",
                             {{"cpu.model", "Another", ""},
                              {"cpu.smt", "on", ""},
                              {"cpu.cores", "4", ""},
                              {"load.average", "2", ""}}};
  const json document = StackDifferenceDocument(
      old_one, new_one, collect::Compare(old_one.facts, new_one.facts, [](std::string_view key) {
        return key == "load.average";
      }));
  EXPECT_EQ(document, core::ParseJson(R"({
      "a": {"name": "old", "kind": "file"}, "b": {"name": "now", "kind": "machine"},
      "differences": [
        {"key": "cpu.model", "a": "A CPU", "b": "Another", "a_hidden": null, "b_hidden": null},
        {"key": "cpu.smt", "a": null, "b": "on", "a_hidden": "no such file", "b_hidden": null}],
      "same": 1, "left_out": 1, "only_in_a": ["backend.torch"], "only_in_b": []})"));
}

}  // namespace
}  // namespace xsp::api
