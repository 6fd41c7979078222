#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "api/operations/operation_list.h"
#include "core/json_text.h"
#include "os/paths.h"
#include "store/store_testing.h"

namespace xsp::api {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::string_view kHead = "<html><script id=\"report-data\">";
constexpr std::string_view kTail = "</script></html>";
constexpr const char* kHostile = "</script><script>alert('|')</script><!-- \" \\ \n x";

/// A trace with one step of an operator of `operators` kernels with this name.
std::string Trace(const std::string& kernel, int kernels, double kernel_us) {
  json events = json::array();
  const auto add = [&](const char* category, const std::string& name, double start, double length,
                       int thread, json args) {
    events.push_back({{"ph", "X"},
                      {"cat", category},
                      {"name", name},
                      {"pid", thread == 7 ? 0 : 1},
                      {"tid", thread},
                      {"ts", start},
                      {"dur", length},
                      {"args", std::move(args)}});
  };
  add("user_annotation", "ProfilerStep#1", 0, 1e7, 1, json::object());
  for (int i = 0; i < kernels; ++i) {
    const double at = 10 + 100.0 * i;
    add("cpu_op", "aten::linear", at, 80, 1, {{"External id", i + 2}});
    add("cuda_runtime", "cudaLaunchKernel", at + 1, 5, 1,
        {{"External id", i + 2}, {"correlation", i + 2}});
    add("kernel", kernel, at + 20, kernel_us, 7,
        {{"External id", i + 2}, {"device", 0}, {"stream", 7}, {"correlation", i + 2}});
  }
  return core::JsonText(
      json{{"deviceProperties", {{{"id", 0}, {"name", "GPU"}}}}, {"traceEvents", events}});
}

/// With a data root that is the real one but for the page, which may not be built here.
class CompareOutputTest : public testing::Test {
 protected:
  void SetUp() override {
    context_.store = folder_.path() / "store";
    const fs::path real = os::DataRoot(), root = folder_.path() / "root";
    fs::create_directories(root / "web" / "dist");
    for (const fs::directory_entry& entry : fs::directory_iterator(real))
      if (entry.path().filename() != "web")
        fs::create_symlink(entry.path(), root / entry.path().filename());
    std::ofstream(root / "web" / "dist" / "compare.html")
        << kHead << "__XSP_REPORT_DATA__" << kTail;
    setenv("XSP_HOME", root.c_str(), 1);
  }
  void TearDown() override { unsetenv("XSP_HOME"); }

  std::string Write(const std::string& name, const std::string& text) const {
    const fs::path path = folder_.path() / name;
    std::ofstream(path) << text;
    return path.string();
  }
  fs::path Page() const { return folder_.path() / "compare.html"; }
  json Compare(const json& sides) const {
    const auto document =
        Perform("compare", {{"side", sides}, {"output", Page().string()}}, context_);
    EXPECT_TRUE(document.ok()) << document.error().what;
    return document.ok() ? ToJson(document.value()) : json();
  }
  /// The document in the page, which is all of it between head and tail.
  json PageData() const {
    std::ifstream file(Page());
    const std::string page{std::istreambuf_iterator<char>(file), {}};
    EXPECT_TRUE(page.starts_with(kHead));
    EXPECT_TRUE(page.ends_with(kTail));
    const std::string data = page.substr(kHead.size(), page.size() - kHead.size() - kTail.size());
    EXPECT_EQ(data.find('<'), std::string::npos);
    return core::ParseJson(data);
  }

  store::TestFolder folder_;
  Context context_;
};

TEST_F(CompareOutputTest, WritesAPageAndNamesIt) {
  const json document =
      Compare({Write("a.json", Trace("gemm", 3, 20)), Write("b.json", Trace("gemm", 3, 30))});
  EXPECT_EQ(document["page"], Page().string());
  EXPECT_EQ(document["difference_ns"], 30000);
  const json data = PageData();
  ASSERT_EQ(data["pairs"].size(), 1U);
  EXPECT_EQ(data["pairs"][0]["difference_ns"], 30000);
  EXPECT_EQ(data["pairs"][0]["sides"][1]["side"], 1);
  ASSERT_EQ(data["sides"].size(), 2U);
  EXPECT_EQ(data["sides"][0]["details"]["timeline"]["spans"]["start_ns"].size(), 10U);
}

TEST_F(CompareOutputTest, NoNameOfATraceEndsTheScriptElement) {
  Compare({Write("a.json", Trace(kHostile, 1, 20)), Write("b.json", Trace(kHostile, 1, 30))});
  const json rows = PageData()["pairs"][0]["rows"]["columns"];
  EXPECT_NE(core::JsonText(rows).find(core::JsonText(json(kHostile))), std::string::npos);
}

TEST_F(CompareOutputTest, ASideOfSeveralPairsIsThereOnce) {
  const std::string base = Write("a.json", Trace("gemm", 1, 20));
  const json document = Compare({base, Write("b.json", Trace("gemm", 1, 30)), base});
  EXPECT_EQ(document["pairs"].size(), 2U);
  const json data = PageData();
  EXPECT_EQ(data["pairs"][0]["sides"][0]["side"], 0);
  EXPECT_EQ(data["pairs"][1]["sides"][0]["side"], 0);
  EXPECT_EQ(data["pairs"][0]["sides"][1]["side"], 1);
}

TEST_F(CompareOutputTest, ManyKernelsMakeNoLargePage) {
  Compare({Write("a.json", Trace("gemm", 12000, 1)), Write("b.json", Trace("gemm", 11900, 2))});
  EXPECT_LT(fs::file_size(Page()), 3'000'000U);
  const json data = PageData();
  EXPECT_GT(data["pairs"][0]["rows"]["rows_left_out"], 0);
  EXPECT_TRUE(data["sides"][0]["details"]["timeline_cut"].is_string());
}

TEST_F(CompareOutputTest, NamesTheCommandThatBuildsAMissingPage) {
  fs::remove(folder_.path() / "root" / "web" / "dist" / "compare.html");
  const std::string trace = Write("a.json", Trace("gemm", 1, 20));
  const auto document =
      Perform("compare", {{"side", {trace, trace}}, {"output", Page().string()}}, context_);
  ASSERT_FALSE(document.ok());
  EXPECT_EQ(document.error().kind, ErrorKind::kNotPossible);
}

}  // namespace
}  // namespace xsp::api
