#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/view.h"
#include "core/json_text.h"

namespace xsp::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

json Row(const std::string& path, const std::string& kind, bool leaf, json a_ns, json b_ns) {
  const double difference_ns =
      (b_ns.is_null() ? 0 : b_ns.get<double>()) - (a_ns.is_null() ? 0 : a_ns.get<double>());
  return {{"path", path},
          {"kind", kind},
          {"leaf", leaf},
          {"a_ns", a_ns},
          {"b_ns", b_ns},
          {"difference_ns", difference_ns},
          {"verdict", "unknown_noise"}};
}

json Side(const std::string& name, double total_ns) {
  return {
      {"name", name},
      {"total_ns", total_ns},
      {"wall_ns", 9000.0},
      {"device_time",
       {{"compute_ns", total_ns}, {"communication_ns", 0.0}, {"copy_ns", 0.0}, {"idle_ns", 5.0}}}};
}

/// A comparison of two kernels in one operator, one of them with markup in its name.
json Pair() {
  return {
      {"sides", {Side("before", 3000.0), Side("after", 4500.0)}},
      {"basis", "device"},
      {"comparable",
       {{"verdict", "partly"},
        {"differences", {{{"what", "gpu"}, {"a", "GPU | A"}, {"b", "GPU B"}, {"matters", true}}}}}},
      {"verdict", "no_difference"},
      {"reason", nullptr},
      {"ratio", 1.5},
      {"low", 0.9},
      {"high", 2.5},
      {"ratio_of", "latency"},
      {"rows",
       {Row("op", "operator", false, 3000.0, 4500.0),
        Row("op/small", "kernel", true, 1000.0, 1200.0),
        Row("op/<b>|*x*</b>", "kernel", true, 2000.0, nullptr),
        Row("op/new", "kernel", true, nullptr, 3300.0)}},
      {"difference_ns", 1500.0},
      {"residual_ns", 0.0},
      {"aligned_share", 0.5}};
}

std::string Shown(const json& document, std::vector<std::string> words) {
  CLI::App app;
  const api::Context context;
  Show show;
  for (const ViewSpec* view : AllViews())
    if (std::string_view(view->operation) == "compare") show = view->declare(app, context);
  std::ranges::reverse(words);
  app.parse(words);
  testing::internal::CaptureStdout();
  const auto status = show({.content = document}, Format::kTable);
  EXPECT_TRUE(status.ok());
  return testing::internal::GetCapturedStdout();
}

TEST(CompareView, StatesTheWholeInWordsAndTheLargestDifferencesFirst) {
  const std::string text = Shown(Pair(), {});
  EXPECT_THAT(text, HasSubstr("no difference found"));
  EXPECT_THAT(text, HasSubstr("interval 0.9 to 2.5"));
  EXPECT_THAT(text, HasSubstr("different gpu: GPU | A | GPU B"));
  EXPECT_LT(text.find("op/new"), text.find("op/small"));
  EXPECT_THAT(text, Not(HasSubstr("operator")));
}

TEST(CompareView, ShowsTheRowsThatWereAskedFor) {
  EXPECT_THAT(Shown(Pair(), {"--top", "1"}), HasSubstr("2 more rows"));
  EXPECT_THAT(Shown(Pair(), {"--rows", "operators"}), Not(HasSubstr("op/new")));
  EXPECT_THAT(Shown(Pair(), {"--rows", "modules"}), HasSubstr("no row with time"));
}

TEST(CompareView, WritesCsvOfAllPairs) {
  const std::string text = Shown({{"pairs", {Pair(), Pair()}}}, {"--format", "csv", "--top", "1"});
  EXPECT_EQ(text,
            "a,b,path,b_path,kind,leaf,a_ns,b_ns,difference_ns,verdict\r\n"
            "before,after,op/new,,kernel,true,,3300.0,3300.0,unknown_noise\r\n"
            "before,after,op/new,,kernel,true,,3300.0,3300.0,unknown_noise\r\n");
}

TEST(CompareView, WritesMarkdownInWhichNamesAreNoMarkup) {
  const std::string text = Shown(Pair(), {"--format", "MarkDown"});
  EXPECT_THAT(text, StartsWith("- before: "));
  EXPECT_THAT(text, HasSubstr("GPU \\| A"));
  EXPECT_THAT(text, HasSubstr("| -2000.0 | 2000.0 |  | unknown\\_noise | kernel | "
                              "op/&lt;b&gt;\\|\\*x\\*&lt;/b&gt; |\n"));
}

/// The comparison with a regression in a kernel, and what cannot be known.
json GatedPair() {
  json pair = Pair();
  pair["gates"] = {{{"gate", "latency=3%"},
                    {"metric", "latency"},
                    {"limit", 0.03},
                    {"outcome", "regression"},
                    {"value", 1.5},
                    {"low", 1.4},
                    {"high", 1.6},
                    {"a", 3000.0},
                    {"b", 4500.0},
                    {"unit", "ns"},
                    {"of", nullptr},
                    {"reason", nullptr},
                    {"nodes",
                     {{{"path", "op/<b>|*x*</b>"},
                       {"kind", "kernel"},
                       {"a_ns", nullptr},
                       {"b_ns", 1500.0},
                       {"difference_ns", 1500.0},
                       {"share", 1.0}}}}},
                   {{"gate", "layer:<i>=3%"},
                    {"metric", "layer"},
                    {"limit", 0.03},
                    {"outcome", "inconclusive"},
                    {"value", nullptr},
                    {"low", nullptr},
                    {"high", nullptr},
                    {"a", nullptr},
                    {"b", nullptr},
                    {"unit", "ns"},
                    {"of", nullptr},
                    {"reason", "no layer matches"},
                    {"nodes", json::array()}}};
  return pair;
}

TEST(CompareView, ShowsGatesFirst) {
  const std::string text = Shown(GatedPair(), {});
  EXPECT_THAT(text, StartsWith("gates: 1 regression, 1 inconclusive\n"
                               "  regression: latency=3%: 3.00 µs, then 4.50 µs; ratio 1.5, "));
  EXPECT_THAT(text, HasSubstr("+1.50 µs (100 % of the difference) op/<b>|*x*</b>: nothing, then"));
  EXPECT_THAT(text, HasSubstr("  inconclusive: layer:<i>=3%: no layer matches\n"));
}

TEST(CompareView, WritesGatesAsAMarkdownTableInWhichNamesAreNoMarkup) {
  const std::string text = Shown(GatedPair(), {"--format", "markdown"});
  EXPECT_THAT(text, StartsWith("**Gates: 1 regression, 1 inconclusive**\n\n| outcome |"));
  EXPECT_THAT(text, HasSubstr("op/&lt;b&gt;\\|\\*x\\*&lt;/b&gt;: nothing"));
  EXPECT_THAT(text, HasSubstr("| **inconclusive** | layer:&lt;i&gt;=3% | no layer matches |  |"));
  EXPECT_LT(text.find("**Gates"), text.find("- before: "));
}

TEST(CompareView, NamesThePageThatWasWrittenBelowTheTableAlone) {
  json document = Pair();
  document["page"] = "out.html";
  EXPECT_THAT(Shown(document, {}), HasSubstr("\npage: out.html\n"));
  for (const char* format : {"csv", "markdown"})
    EXPECT_THAT(Shown(document, {"--format", format}), Not(HasSubstr("out.html")));
}

TEST(CompareView, WritesJsonWhole) {
  EXPECT_EQ(core::ParseJson(Shown(Pair(), {"--format", "json", "--top", "1"})), Pair());
}

TEST(CompareView, AClaimHasTheRatioThatItRestsOn) {
  json pair = Pair();
  json& rows = pair["rows"];
  rows[1]["verdict"] = rows[2]["verdict"] = "slower";
  rows[1].update({{"ratio", 1.25}, {"low", 1.1}, {"high", 1.4}});
  rows[2].update({{"ratio", 1.01}, {"low", 0.8}, {"high", 1.3}});
  rows[2]["relative"] = {{"ratio", 1.08}, {"low", 1.02}, {"high", 1.15}};
  const std::string text = Shown(pair, {"--rows", "changed"});
  EXPECT_THAT(text, HasSubstr("slower (1.25)"));
  EXPECT_THAT(text, HasSubstr("slower (1.08 relative to the rest)"));
  EXPECT_THAT(text, Not(HasSubstr("op/new")));
  EXPECT_THAT(Shown(Pair(), {"--rows", "changed"}), HasSubstr("no row is called faster or slower"));
}

}  // namespace
}  // namespace xsp::cli
