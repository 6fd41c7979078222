#include "capture/attach/injection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <map>

#include "capture/wire/xsp.h"

namespace xsp::attach {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class InjectionTest : public testing::Test {
 protected:
  InjectionTest() {
    request_.libraries = fs::path(testing::TempDir()) / ("libraries-" + std::to_string(getpid()));
    request_.recordings = "/recordings";
    fs::create_directories(request_.libraries / "python_hook");
    Make("libxsp-preload.so");
    Make("python_hook/sitecustomize.py");
  }
  ~InjectionTest() override { fs::remove_all(request_.libraries); }

  void Make(const std::string& name) { std::ofstream(request_.libraries / name) << "x"; }
  std::string Path(const std::string& name) const { return (request_.libraries / name).string(); }

  std::map<std::string, std::string> Plan() {
    const auto plan = PlanInjection(request_, [&](const char* name) -> std::optional<std::string> {
      const auto it = user_.find(name);
      return it == user_.end() ? std::nullopt : std::optional(it->second);
    });
    EXPECT_TRUE(plan.ok());
    left_out_ = plan.value().left_out;
    return {plan.value().environment.begin(), plan.value().environment.end()};
  }

  InjectionRequest request_;
  std::map<std::string, std::string> user_;
  std::vector<std::string> left_out_;
};

TEST_F(InjectionTest, NamesTheLibrariesThatWereBuiltAndNoOthers) {
  Make("libxsp-nvtx.so");
  const auto made = Plan();
  EXPECT_EQ(made.at("LD_PRELOAD"), Path("libxsp-preload.so"));
  EXPECT_EQ(made.at("NVTX_INJECTION64_PATH"), Path("libxsp-nvtx.so"));
  EXPECT_FALSE(made.contains("CUDA_INJECTION64_PATH"));
  EXPECT_EQ(made.at("PYTHONPATH"), Path("python_hook"));
  EXPECT_EQ(made.at("XSP_RECORD_FOLDER"), "/recordings");
  EXPECT_EQ(made.at("XSP_RECORD_LEVELS"), "31");
  EXPECT_EQ(made.at("XSP_RECORD_CPU_CAPTURE"), "1");
  EXPECT_FALSE(made.contains("XSP_RECORD_PYTHON_HZ"));
  EXPECT_TRUE(left_out_.empty());
}

TEST_F(InjectionTest, TellsWhatCanBeRecordedAndWhatBuildsTheRest) {
  Make("libxsp-itt.so");
  Make("libxsp-torch-2.11.so");
  Make("libxsp-torch-2.15.so");
  std::map<std::string, RecorderPart> parts;
  for (const RecorderPart& part : RecorderParts(request_.libraries)) parts[part.what] = part;
  EXPECT_TRUE(parts.at("oneDNN and MKL").is_there);
  EXPECT_EQ(parts.at("ITT tasks").where, Path("libxsp-itt.so"));
  EXPECT_FALSE(parts.at("CUDA").is_there);
  EXPECT_EQ(parts.at("CUDA").where, "tools/setup --cuda && tools/build");
  EXPECT_THAT(parts.at("PyTorch operators").version, HasSubstr("PyTorch 2.11"));
  EXPECT_THAT(parts.at("PyTorch operators").version, HasSubstr("PyTorch 2.15"));
  const auto nothing = RecorderParts(request_.libraries / "nowhere");
  EXPECT_EQ(nothing.size(), parts.size());
  for (const RecorderPart& part : nothing) EXPECT_FALSE(part.is_there) << part.what;
}

TEST_F(InjectionTest, MetricsAreAskedForOnlyWhereTheLibraryForCudaIsLoaded) {
  Make("libxsp-cuda.so");
  EXPECT_FALSE(Plan().contains("XSP_RECORD_CUDA_METRICS"));
  request_.cuda_metrics = "roofline";
  EXPECT_EQ(Plan().at("XSP_RECORD_CUDA_METRICS"), "roofline");
  const auto plan = [&](const EnvironmentReader& environment) {
    const auto made = PlanInjection(request_, environment);
    return made.ok() ? std::string() : made.error().what + "|" + made.error().hint;
  };
  const auto nothing = [](const char*) { return std::optional<std::string>(); };
  EXPECT_THAT(plan([](const char* name) {
                return std::string_view(name) == "CUDA_INJECTION64_PATH"
                           ? std::optional<std::string>("/theirs.so")
                           : std::nullopt;
              }),
              HasSubstr("CUDA_INJECTION64_PATH is set already"));
  fs::remove(request_.libraries / "libxsp-cuda.so");
  EXPECT_THAT(plan(nothing), HasSubstr("tools/setup --cuda"));
}

TEST_F(InjectionTest, ACapacityThatIsNoSizeIsRefusedBeforeTheProgramStarts) {
  for (const char* text : {"4GB!", "-1", ""}) {
    const auto plan = PlanInjection(request_, [&](const char* name) {
      return std::string_view(name) == "XSP_RECORD_CAPACITY" ? std::optional<std::string>(text)
                                                             : std::nullopt;
    });
    ASSERT_FALSE(plan.ok()) << text;
    EXPECT_EQ(plan.error().kind, ErrorKind::kUsage);
    EXPECT_EQ(plan.error().what, std::string("XSP_RECORD_CAPACITY is no size: \"") + text + "\"");
    EXPECT_THAT(plan.error().hint, HasSubstr("XSP_RECORD_CAPACITY=8G"));
  }
  user_ = {{"XSP_RECORD_CAPACITY", "300M"}};
  EXPECT_FALSE(Plan().contains("XSP_RECORD_CAPACITY")) << "inherited as it is";
}

TEST_F(InjectionTest, KeepsWhatTheUserPreloadsAndHasOnThePath) {
  user_ = {{"LD_PRELOAD", "libjemalloc.so"}, {"PYTHONPATH", "/mine:/other"}};
  const auto made = Plan();
  EXPECT_EQ(made.at("LD_PRELOAD"), Path("libxsp-preload.so") + ":libjemalloc.so");
  EXPECT_EQ(made.at("PYTHONPATH"), Path("python_hook") + ":/mine:/other");
}

TEST_F(InjectionTest, StepsAsideWhereTheUserHasTakenThePlace) {
  Make("libxsp-cuda.so");
  user_ = {{"CUDA_INJECTION64_PATH", "/other/profiler.so"}, {"ONEDNN_VERBOSE", "1"}};
  const auto made = Plan();
  EXPECT_FALSE(made.contains("CUDA_INJECTION64_PATH"));
  EXPECT_FALSE(made.contains("XSP_RECORD_CPU_CAPTURE"));
  EXPECT_THAT(left_out_,
              ElementsAre(HasSubstr("ONEDNN_VERBOSE is set"), HasSubstr("(/other/profiler.so)")));
}

TEST_F(InjectionTest, AnnouncementsThatTheUserSwitchedOffAreNoneOfHis) {
  user_ = {{"MKL_VERBOSE", "0"}, {"ONEDNN_VERBOSE", ""}};
  EXPECT_TRUE(Plan().contains("XSP_RECORD_CPU_CAPTURE"));
}

TEST_F(InjectionTest, DepthSaysWhichLevelsAreRecorded) {
  request_.depth = "layer";
  const auto made = Plan();
  EXPECT_EQ(made.at("XSP_RECORD_LEVELS"), "7");
  EXPECT_FALSE(made.contains("XSP_RECORD_CPU_CAPTURE"));
  EXPECT_EQ(LevelsOf("model").value(),
            XSP_LEVEL_BIT(XSP_LEVEL_APPLICATION) | XSP_LEVEL_BIT(XSP_LEVEL_MODEL));
  EXPECT_EQ(LevelsOf("kernel").value(), XSP_LEVELS_ALL);
  for (const char* depth : {"application", "counters", ""})
    EXPECT_EQ(LevelsOf(depth).error().kind, ErrorKind::kUsage) << depth;
}

TEST_F(InjectionTest, OneDnnTellsItsTasksOnlyWhereLibraryCallsAreRecorded) {
  Make("libxsp-itt.so");
  EXPECT_FALSE(Plan().contains("ONEDNN_ITT_TASK_LEVEL"));
  request_.depth = "layer";
  EXPECT_EQ(Plan().at("ONEDNN_ITT_TASK_LEVEL"), "0");
  user_ = {{"ONEDNN_ITT_TASK_LEVEL", "2"}};
  EXPECT_FALSE(Plan().contains("ONEDNN_ITT_TASK_LEVEL"));
  user_ = {{"INTEL_LIBITTNOTIFY64", "/other/collector.so"}};
  EXPECT_FALSE(Plan().contains("ONEDNN_ITT_TASK_LEVEL"));
  user_.clear();
  request_.range = "convolution";
  EXPECT_FALSE(Plan().contains("ONEDNN_ITT_TASK_LEVEL"));
}

TEST_F(InjectionTest, MissingLibrariesAndFoldersThatTheLinkerCannotNameAreErrors) {
  const auto fails = [&] {
    return PlanInjection(request_, [](const char*) { return std::nullopt; }).error();
  };
  fs::remove(request_.libraries / "libxsp-preload.so");
  EXPECT_EQ(fails().kind, ErrorKind::kNotPossible);
  EXPECT_THAT(fails().hint, HasSubstr("tools/build"));
  const fs::path spaced = request_.libraries / "a folder";
  fs::create_directories(spaced);
  std::ofstream(spaced / "libxsp-preload.so") << "x";
  request_.libraries = spaced;
  EXPECT_THAT(fails().what, HasSubstr("a space or a colon"));
  request_.libraries = spaced.parent_path();
}

}  // namespace
}  // namespace xsp::attach
