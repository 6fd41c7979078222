// Operations of one process at once, as a server performs them.

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <thread>

#include "api/operations/operation_list.h"
#include "core/json_text.h"
#include "store/store_testing.h"
#include "store/thread_sanitizer_testing.h"

// cmake/Paths.cmake.
extern const char kTestWorkerFolder[];

namespace xsp::api {
namespace {

using nlohmann::json;

class ConcurrencyTest : public testing::Test {
 protected:
  void SetUp() override {
    setenv("XSP_WORKER_PATH", kTestWorkerFolder, 1);
    std::ofstream(model_) << "input 64\ndense 128\nrelu\ndense 10\nsoftmax\n";
    std::ofstream(trace_) << R"({"traceEvents": [
      {"ph": "X", "name": "step", "pid": 1, "tid": 1, "ts": 0, "dur": 10},
      {"ph": "X", "name": "work", "pid": 1, "tid": 1, "ts": 2, "dur": 5}]})";
  }
  void TearDown() override { unsetenv("XSP_WORKER_PATH"); }

  json RunRequest(const std::string& name, int iterations) const {
    return {{"model", model_.string()},
            {"iterations", iterations},
            {"name", name},
            {"no_roofs", true},
            {"depth", "layer"}};
  }

  Result<Document> Perform(std::string_view operation, const json& request) const {
    Context context;
    context.store = folder_.path() / "store";
    return api::Perform(operation, request, context);
  }

  store::TestFolder folder_;
  std::filesystem::path model_ = folder_.path() / "model.toy";
  std::filesystem::path trace_ = folder_.path() / "trace.json";
};

TEST_F(ConcurrencyTest, TwoMeasureWhileOthersImportAndRead) {
  const Result<Document> none = Error{ErrorKind::kInternal, "not performed", ""};
  std::vector<Result<Document>> runs(2, none), imports(2, none), reads(2, none);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < 2; ++i) {
      const std::string number = std::to_string(i);
      threads.emplace_back(
          [&, i, number] { runs[i] = Perform("run", RunRequest("r" + number, 20)); });
      threads.emplace_back([&, i, number] {
        imports[i] =
            Perform("import", {{"file", json::array({trace_.string()})}, {"name", "i" + number}});
        reads[i] =
            Perform("query", {{"run", "i" + number}, {"sql", "SELECT count(*) AS n FROM span"}});
      });
    }
  }
  for (const auto* results : {&runs, &imports, &reads})
    for (const Result<Document>& result : *results) ASSERT_TRUE(result.ok()) << result.error().what;
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(ToJson(runs[i].value())["status"], "done");
    EXPECT_EQ(ToJson(reads[i].value()), core::ParseJson(R"([{"n": 2}])"));
  }
  EXPECT_EQ(ToJson(Perform("list", json::object()).value()).size(), 4U);
}

TEST_F(ConcurrencyTest, ARequestToStopReachesOneOfTwo) {
  os::Interrupts stop;
  const Result<Document> none = Error{ErrorKind::kInternal, "not performed", ""};
  Result<Document> stopped = none, other = none;
  {
    const std::jthread first([&] {
      Context context;
      context.store = folder_.path() / "store";
      context.interrupts = [&]() -> os::Interrupts& { return stop; };
      stopped = api::Perform("run", RunRequest("stopped", 1'000'000), context);
    });
    const std::jthread second([&] {
      other = Perform("run", RunRequest("other", 20));
      stop.Request();
    });
  }
  ASSERT_TRUE(other.ok()) << other.error().what;
  EXPECT_EQ(other.value().exit_status, 0);
  ASSERT_TRUE(stopped.ok()) << stopped.error().what;
  EXPECT_EQ(stopped.value().exit_status, static_cast<int>(ErrorKind::kInterrupted));
}

}  // namespace
}  // namespace xsp::api
