// Kernel metrics as the CUDA driver and CUPTI meet them: the library in a program, over a range
// profiler made for the tests (testing/fake_profiler.cc: CUPTI's structures, made-up counters).
// What only a GPU can show is in tools/gpu_check.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "capture/record/cuda/metrics/capture_file.h"
#include "capture/record/cuda/metrics/metric_batch.h"
#include "capture/record/cuda/testing/fake_profiler.h"
#include "capture/wire/collected_records.h"

// cmake/Paths.cmake.
extern const char kCudaMetricsProgram[];
extern const char kCudaSamples[];
extern const char kFakeCupti[];
extern const char kFakeCupti12[];
extern const char kFakeDriver[];
extern const char kInjectedLibrary[];

namespace xsp::record::cuda {
namespace {

namespace fs = std::filesystem;
using wire::CollectedRecords;
using Span = CollectedRecords::Span;

constexpr std::size_t kMeasuredCalls = 50;  // testing/metrics_program.cc
constexpr const char* kRead = "dram__bytes_read.sum";

class KernelMetricsTest : public testing::Test {
 protected:
  struct How {
    std::string metrics = "dram,occupancy";
    std::string mode = {};  ///< Of testing/fake_profiler.h.
    const char* cupti = kFakeCupti;
  };

  /// Runs the program with the library in it; returns its exit status, or the negative signal.
  int Run(const std::string& what) { return Run(what, How{}); }
  int Run(const std::string& what, const How& how) { return Finish(Start(what, how)); }

  /// The process of the program, for Finish().
  pid_t Start(const std::string& what, const How& how) {
    const pid_t child = fork();
    if (child == 0) {
      if (std::freopen((folder_ / "output").c_str(), "w", stdout) == nullptr) _exit(126);
      setenv("XSP_RECORD_FOLDER", folder_.path().c_str(), 1);
      setenv("XSP_CUPTI_LIBRARY", how.cupti, 1);
      setenv("FAKE_CUPTI", how.mode.c_str(), 1);
      setenv("XSP_RECORD_CUDA_METRICS", how.metrics.c_str(), 1);
      setenv("XSP_RECORD_CUDA_KEEP", capture_file_.c_str(), 1);
      execl(kCudaMetricsProgram, kCudaMetricsProgram, kInjectedLibrary, how.cupti, what.c_str(),
            kFakeDriver, static_cast<char*>(nullptr));
      _exit(127);
    }
    return child;
  }

  /// Waits for the program's end and reads its recording; its exit status, or the negative signal.
  int Finish(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    read_ = std::make_unique<CollectedRecords>();
    for (const auto& entry : fs::directory_iterator(folder_.path())) {
      if (entry.path().filename().string().ends_with("." + std::to_string(child) + ".xspr"))
        read_ = wire::ReadRecording(entry.path().string());
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

  std::string Fact(const std::string& key) {
    for (const auto& attribute : read_->attributes)
      if (attribute.span == 0 && attribute.key == key) return attribute.value;
    return "";
  }

  std::vector<const Span*> Kernels() {
    std::vector<const Span*> found;
    for (const Span& span : read_->spans)
      if (span.level == XSP_LEVEL_KERNEL) found.push_back(&span);
    std::sort(found.begin(), found.end(),
              [](const Span* a, const Span* b) { return a->start_ns < b->start_ns; });
    return found;
  }

  std::map<std::string, double> MetricsOf(const Span& span) {
    std::map<std::string, double> metrics;
    for (const auto& metric : read_->metrics) {
      if (metric.span != span.id) continue;
      EXPECT_EQ(metric.provenance, "measured:cupti");
      metrics[metric.name] = metric.value;
    }
    return metrics;
  }

  /// Numbers of the kernels that the program launched inside layers, in order.
  std::vector<std::uint64_t> Expected() {
    std::vector<std::uint64_t> numbers;
    for (const auto& attribute : read_->attributes)
      if (attribute.key == "kernel") numbers.push_back(std::stoull(attribute.value));
    return numbers;
  }

  /// Each kernel has the counters of the one that was launched there.
  void ExpectOwnCounters(const std::vector<std::uint64_t>& numbers) {
    const auto kernels = Kernels();
    ASSERT_EQ(kernels.size(), numbers.size());
    for (std::size_t i = 0; i < kernels.size(); ++i)
      EXPECT_EQ(MetricsOf(*kernels[i]).at("dram_read_bytes"), FakeCounter(kRead, numbers[i])) << i;
  }

  std::string Output() {
    std::ifstream file(folder_ / "output");
    std::string line;
    std::getline(file, line);
    return line;
  }

  wire::ScratchFolder folder_;
  const std::string capture_file_ = folder_ / "kept.cuptirec";
  std::unique_ptr<CollectedRecords> read_;
};

TEST_F(KernelMetricsTest, EachKernelHasTheMetricsOfItsOwnRange) {
  ASSERT_EQ(Run("eager"), 0);
  const auto numbers = Expected();
  ASSERT_EQ(numbers.size(), 2 * kMeasuredCalls);
  ExpectOwnCounters(numbers);
  const auto kernels = Kernels();
  const auto metrics = MetricsOf(*kernels[3]);
  EXPECT_EQ(metrics.size(), 3u);
  EXPECT_EQ(metrics.at("dram_write_bytes"), FakeCounter("dram__bytes_write.sum", 3));
  EXPECT_EQ(metrics.at("occupancy"),
            0.01 * FakeCounter("sm__warps_active.avg.pct_of_peak_sustained_active", 3));
  EXPECT_EQ(kernels[0]->name, "void gemm<128>(float const*, float*)") << "as activity names it";
  EXPECT_EQ(kernels[1]->name, "relu(float*)");
  EXPECT_EQ(kernels[0]->details,
            "grid=[8,1,1]\nblock=[128,1,1]\ndynamic_shared_bytes=256\ntimed_by=launch");
  const wire::TrackInfo& stream = read_->tracks[kernels[0]->track - 1];
  EXPECT_EQ(stream.kind, XSP_TRACK_STREAM);
  EXPECT_EQ(stream.stream, 8);
}

TEST_F(KernelMetricsTest, LaunchesLieInTheirLayersAndCarryTheKernelsCorrelation) {
  ASSERT_EQ(Run("eager"), 0);
  std::map<std::uint64_t, const Span*> launches;
  std::vector<const Span*> layers;
  for (const Span& span : read_->spans) {
    if (span.type == "cuda_driver") launches[span.correlation_id] = &span;
    if (span.level == XSP_LEVEL_LAYER) layers.push_back(&span);
  }
  const auto kernels = Kernels();
  ASSERT_EQ(layers.size(), kernels.size());
  ASSERT_EQ(launches.size(), kernels.size());
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const Span* launch = launches.at(kernels[i]->correlation_id);
    EXPECT_EQ(launch->name, "cuLaunchKernel");
    EXPECT_GE(launch->start_ns, layers[i]->start_ns);
    EXPECT_LE(launch->end_ns, layers[i]->end_ns);
  }
}

TEST_F(KernelMetricsTest, PassesAndWhatRunsAreStated) {
  ASSERT_EQ(Run("eager"), 0);
  EXPECT_EQ(Fact("cuda.metrics.device.0.passes"), "3");
  EXPECT_EQ(Fact("cuda.metrics.device.0.chip"), "GH100");
  EXPECT_EQ(Fact("cuda.metrics.kernels"), std::to_string(2 * kMeasuredCalls));
  EXPECT_EQ(Fact("cuda.metrics.kernels_untied"), "0");
  EXPECT_GT(std::stod(Fact("cuda.metrics.seconds")), 0);
  EXPECT_NE(Fact("problem.cuda_metrics_times").find("3 passes each"), std::string::npos);
  EXPECT_EQ(Output(), std::to_string(3 * 2 * kMeasuredCalls))
      << "each kernel ran as often as it has passes";
}

TEST_F(KernelMetricsTest, RangesAreTiedByTheirNumbersNotByWhereTheyLie) {
  ASSERT_EQ(Run("eager", {.mode = "metrics_reversed"}), 0);
  ExpectOwnCounters(Expected());
}

TEST_F(KernelMetricsTest, ARangeIsPushedWhereNothingComesWithoutOne) {
  ASSERT_EQ(Run("eager", {.mode = "metrics_push"}), 0);
  auto numbers = Expected();
  numbers.erase(numbers.begin());  // The first showed that nothing comes.
  ExpectOwnCounters(numbers);
  EXPECT_EQ(Fact("cuda.metrics.kernels_untied"), "1");
  EXPECT_EQ(Fact("problem.cuda_metrics_nothing"), "");
}

TEST_F(KernelMetricsTest, AProfilerThatTellsNothingIsSaidTo) {
  ASSERT_EQ(Run("eager", {.mode = "metrics_nothing"}), 0);
  EXPECT_TRUE(Kernels().empty());
  EXPECT_NE(Fact("problem.cuda_metrics_nothing"), "");
  EXPECT_EQ(Fact("cuda.metrics.kernels"), "0");
}

TEST_F(KernelMetricsTest, KernelsThatCannotBeTiedHaveNoMetricsRatherThanOthers) {
  ASSERT_EQ(Run("hidden", {.mode = "metrics_hidden"}), 0);
  EXPECT_NE(Fact("problem.cuda_metrics_untied").find("ranges of"), std::string::npos);
  // The first was alone, the next 64 shared a batch with what does not fit, and after that each
  // was measured alone.
  const auto kernels = Kernels();
  EXPECT_EQ(kernels.size(), 40u);
  std::map<double, int> seen;
  for (const Span* kernel : kernels) ++seen[MetricsOf(*kernel).at("dram_read_bytes")];
  for (const auto& [value, count] : seen) {
    EXPECT_EQ(count, 1);
    const auto number = static_cast<std::uint64_t>((value - FakeCounter(kRead, 0)) / 1000);
    EXPECT_TRUE(number == 0 || number > 4) << number;
  }
  EXPECT_EQ(
      std::stoul(Fact("cuda.metrics.kernels")) + std::stoul(Fact("cuda.metrics.kernels_untied")),
      104u)
      << "every launch is counted";
}

TEST_F(KernelMetricsTest, GraphsAreLeftOutAndSaidToBe) {
  ASSERT_EQ(Run("graph"), 0);
  ExpectOwnCounters({0, 6});
  EXPECT_EQ(Fact("cuda.metrics.graph_launches"), "1");
  EXPECT_NE(Fact("problem.cuda_metrics_graphs"), "");
  EXPECT_EQ(Output(), "11") << "a graph's kernels are not replayed";
}

TEST_F(KernelMetricsTest, WhileRecordingIsHeldNothingIsReplayed) {
  ASSERT_EQ(Run("hold"), 0);
  ASSERT_EQ(Kernels().size(), 4u);
  EXPECT_EQ(Output(), "18") << "4 kernels of 3 passes, 6 that ran once";
  ExpectOwnCounters({0, 1, 8, 9});
}

TEST_F(KernelMetricsTest, AnotherContextIsMeasuredOnceTheFirstIsGone) {
  ASSERT_EQ(Run("contexts"), 0);
  ExpectOwnCounters({0, 1});
}

TEST_F(KernelMetricsTest, TheLastBatchIsReadOnAThreadThatHasAnotherContextOrNone) {
  ASSERT_EQ(Run("other_thread"), 0);
  ExpectOwnCounters({0, 1, 2});
  EXPECT_EQ(Fact("problem.cuda_metrics_refused"), "");
  ASSERT_EQ(Run("other_context"), 0) << "12: the thread's own context is another one now";
  ExpectOwnCounters({0, 1, 2, 3});
  EXPECT_EQ(Fact("problem.cuda_metrics_refused"), "");
}

// kFakeMisuse: waiting for a context breaks a capture, and CUPTI may hang.
TEST_F(KernelMetricsTest, NothingIsMeasuredWhileAStreamOfTheContextIsCaptured) {
  ASSERT_EQ(Run("captures"), 0);
  ExpectOwnCounters({0, 1, 2, 4});
  EXPECT_EQ(Fact("cuda.metrics.kernels"), "4");
  EXPECT_EQ(Fact("cuda.metrics.kernels_unmeasured"), "1") << "which ran beside the capture";
  EXPECT_EQ(Fact("cuda.metrics.kernels_untied"), "0");
  EXPECT_EQ(Output(), "13") << "4 kernels of 3 passes, 1 that ran once";
}

// kFakeMisuse: in the callback of the context itself CUPTI and the driver may hang.
TEST_F(KernelMetricsTest, TheLastBatchIsReadBeforeTheCallThatEndsItsContext) {
  for (const char* how : {"contexts", "other_context", "reset", "release"}) {
    ASSERT_EQ(Run(how), 0) << how;
    std::vector<std::uint64_t> all(Expected().size());
    std::iota(all.begin(), all.end(), std::uint64_t{0});
    ExpectOwnCounters(all);
    EXPECT_EQ(Fact("cuda.metrics.kernels_unmeasured"), "0") << how;
  }
}

TEST_F(KernelMetricsTest, KernelsOfAContextThatEndsUnannouncedAreCounted) {
  ASSERT_EQ(Run("lost_context"), 0);
  ExpectOwnCounters({0, 3});
  EXPECT_EQ(Fact("cuda.metrics.kernels_unmeasured"), "2");
}

// As in Python packages and extras/CUPTI, which are not on the loader's path.
TEST_F(KernelMetricsTest, TheLibraryBesideCuptiThatItsHostApiNeedsIsLoaded) {
  const std::string cupti = folder_ / "libcupti.so.13";
  fs::copy_file(kFakeCupti, cupti);
  ASSERT_EQ(Run("contexts", {.mode = "metrics_nvperf", .cupti = cupti.c_str()}), 0);
  const std::string problem = Fact("problem.cuda_metrics_refused");
  EXPECT_NE(problem.find("cuptiProfilerHostInitialize"), std::string::npos) << problem;
  EXPECT_NE(problem.find("libnvperf_host.so"), std::string::npos) << "what to do: " << problem;
  fs::copy_file(kFakeDriver, std::string(folder_ / "libnvperf_host.so"));  // Any library.
  ASSERT_EQ(Run("contexts", {.mode = "metrics_nvperf", .cupti = cupti.c_str()}), 0);
  ExpectOwnCounters({0, 1});
}

TEST_F(KernelMetricsTest, AContextThatCannotBeMadeCurrentIsSaidAndItsKernelsAreCounted) {
  ASSERT_EQ(Run("other_thread", {.mode = "metrics_no_push"}), 0);
  const std::string problem = Fact("problem.cuda_metrics_refused");
  EXPECT_NE(problem.find("cuCtxPushCurrent: CUDA_ERROR_DEINITIALIZED"), std::string::npos)
      << problem;
  EXPECT_NE(problem.find("cudaDeviceReset"), std::string::npos) << "what to do";
  EXPECT_EQ(Fact("cuda.metrics.kernels"), "1") << "the first was read before the second";
  EXPECT_EQ(Fact("cuda.metrics.kernels_untied"), "2");
}

// Each launch used to wait for it 10 s, and the end of the process, too.
TEST_F(KernelMetricsTest, AKernelThatDoesNotEndIsWaitedForOnce) {
  // Both wait at the same time.
  const auto start = std::chrono::steady_clock::now();
  const pid_t stuck = Start("stuck", {}), stuck_for_ever = Start("stuck_for_ever", {});
  for (const auto& [how, process, untied, unmeasured] :
       {std::tuple("stuck", stuck, "1", "6"),
        std::tuple("stuck_for_ever", stuck_for_ever, "0", "4")}) {
    EXPECT_EQ(Finish(process), 0) << how;
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(18)) << how;
    const std::string problem = Fact("problem.cuda_metrics_wait");
    EXPECT_NE(problem.find("did not end for 10 s"), std::string::npos) << problem;
    EXPECT_NE(problem.find("from then on"), std::string::npos) << problem;
    EXPECT_EQ(Fact("cuda.metrics.kernels"), "1") << how;
    EXPECT_EQ(Fact("cuda.metrics.kernels_untied"), untied) << how;
    EXPECT_EQ(Fact("cuda.metrics.kernels_unmeasured"), unmeasured) << how;
  }
}

TEST_F(KernelMetricsTest, EachLaunchIsCountedWhenABatchCannotBeRead) {
  ASSERT_EQ(Run("hidden", {.mode = "metrics_stop_fails"}), 0);
  EXPECT_NE(Fact("problem.cuda_metrics_refused").find("cuptiRangeProfilerStop"), std::string::npos);
  EXPECT_EQ(Fact("cuda.metrics.kernels"), "0");
  EXPECT_EQ(Fact("cuda.metrics.kernels_untied"), "1");
  EXPECT_EQ(Fact("cuda.metrics.kernels_unmeasured"), "103") << "of 104 launches";
}

TEST_F(KernelMetricsTest, LaunchesOfSeveralThreadsAreTiedOneToOne) {
  ASSERT_EQ(Run("threads"), 0);
  const auto kernels = Kernels();
  ASSERT_EQ(kernels.size(), 400u);
  for (std::size_t i = 0; i < kernels.size(); ++i)
    EXPECT_EQ(MetricsOf(*kernels[i]).at("dram_read_bytes"), FakeCounter(kRead, i))
        << "as one launch ends before the next begins";
}

TEST_F(KernelMetricsTest, AKilledProcessHasAllBatchesButTheLast) {
  ASSERT_EQ(Run("kill"), -SIGKILL);
  ExpectOwnCounters(std::vector<std::uint64_t>([this] {
    auto numbers = Expected();
    numbers.pop_back();
    return numbers;
  }()));
}

TEST_F(KernelMetricsTest, FlopsNameTypeAndUnit) {
  ASSERT_EQ(Run("graph", {.metrics = "flops"}), 0);
  const auto metrics = MetricsOf(*Kernels()[1]);
  const auto count = [](const char* op) {
    return FakeCounter(
        (std::string("smsp__sass_thread_inst_executed_op_") + op + "_pred_on.sum").c_str(), 6);
  };
  EXPECT_EQ(metrics.at("flops.float32.vector"), count("fadd") + count("fmul") + 2 * count("ffma"));
  EXPECT_EQ(metrics.at("flops.bfloat16.tensor"),
            FakeCounter("sm__ops_path_tensor_src_bf16_dst_fp32.sum", 6));
  EXPECT_FALSE(metrics.contains("flops.float4.tensor")) << "a Hopper has none";
  EXPECT_EQ(Fact("problem.cuda_metrics_unknown"), "");
}

TEST_F(KernelMetricsTest, UnknownNamesAreNamedAndTheRestIsMeasured) {
  ASSERT_EQ(Run("graph", {.metrics = "dram,sm__nonsense.sum,speed,sm__cycles_active.avg"}), 0);
  const std::string problem = Fact("problem.cuda_metrics_unknown");
  EXPECT_NE(problem.find("sm__nonsense.sum"), std::string::npos) << problem;
  EXPECT_NE(problem.find("No such set: speed"), std::string::npos) << problem;
  EXPECT_NE(problem.find("roofline"), std::string::npos) << "the sets that there are";
  const auto metrics = MetricsOf(*Kernels()[0]);
  EXPECT_EQ(metrics.at("sm__cycles_active.avg"), FakeCounter("sm__cycles_active.avg", 0));
  EXPECT_TRUE(metrics.contains("dram_read_bytes"));
}

TEST_F(KernelMetricsTest, ASumThatTheChipCountsInPartIsLeftOut) {
  ASSERT_EQ(Run("graph", {.metrics = "flops", .mode = "metrics_no_half"}), 0);
  EXPECT_NE(Fact("problem.cuda_metrics_unknown").find("flops.float16.vector"), std::string::npos);
  EXPECT_FALSE(MetricsOf(*Kernels()[0]).contains("flops.float16.vector"));
  EXPECT_TRUE(MetricsOf(*Kernels()[0]).contains("flops.float32.vector"));
}

TEST_F(KernelMetricsTest, ANameThatCannotBeScheduledCostsOneMetric) {
  ASSERT_EQ(Run("graph", {.metrics = "sm__unschedulable.sum,dram"}), 0);
  EXPECT_NE(Fact("problem.cuda_metrics_unknown").find("sm__unschedulable.sum"), std::string::npos);
  ExpectOwnCounters({0, 6});
}

TEST_F(KernelMetricsTest, NothingButUnknownNamesIsSaidAndTheProgramRuns) {
  ASSERT_EQ(Run("graph", {.metrics = "speed"}), 0);
  EXPECT_NE(Fact("problem.cuda_metrics_unknown").find("No such set: speed"), std::string::npos);
  EXPECT_TRUE(Kernels().empty());
  EXPECT_EQ(Output(), "7") << "nothing was replayed";
}

TEST_F(KernelMetricsTest, MissingPermissionNamesTheRemedy) {
  ASSERT_EQ(Run("eager", {.mode = "metrics_no_permission"}), 0);
  const std::string problem = Fact("problem.cuda_metrics_refused");
  EXPECT_NE(problem.find("CUPTI_ERROR_INSUFFICIENT_PRIVILEGES"), std::string::npos) << problem;
  EXPECT_NE(problem.find("NVreg_RestrictProfilingToAdminUsers=0"), std::string::npos);
  EXPECT_NE(problem.find("CAP_SYS_ADMIN"), std::string::npos);
  EXPECT_EQ(Fact("cuda.metrics.kernels"), "0");
  EXPECT_EQ(Fact("cuda.metrics.kernels_unmeasured"),
            std::to_string(2 * 2 * kMeasuredCalls - kMeasuredCalls))
      << "counted, those that the driver refused among them";
}

TEST_F(KernelMetricsTest, MigOtherProfilersAndOldChipsAreTold) {
  const std::map<std::string, std::pair<std::string, std::string>> cases = {
      {"metrics_mig", {"cuda_metrics_refused", "MIG"}},
      {"metrics_busy", {"cuda_metrics_refused", "dcgmi profile --pause"}},
      {"other_profiler", {"cuda_other_profiler", "no kernel is measured"}},
      {"metrics_old_chip", {"cuda_metrics_unsupported", "older than Turing"}}};
  for (const auto& [mode, told] : cases) {
    ASSERT_EQ(Run("eager", {.mode = mode}), 0) << mode;
    EXPECT_NE(Fact("problem." + told.first).find(told.second), std::string::npos)
        << mode << ": " << Fact("problem." + told.first);
    EXPECT_TRUE(Kernels().empty());
  }
}

TEST_F(KernelMetricsTest, ACuptiWithoutARangeProfilerIsNamed) {
  ASSERT_EQ(Run("eager", {.cupti = kFakeCupti12}), 6) << "which is how the program says so";
  EXPECT_NE(Fact("problem.cuda_metrics_unfit").find("cuptiProfilerInitialize"), std::string::npos);
}

TEST_F(KernelMetricsTest, StructuresOfOlderVersionsAreTriedWhereNewOnesAreRefused) {
  ASSERT_EQ(Run("eager", {.mode = "metrics_short"}), 0);
  ExpectOwnCounters(Expected());
}

/// Everything about measured kernels, for comparison.
std::vector<std::string> Rows(const CollectedRecords& read) {
  std::map<std::uint32_t, std::string> metrics;
  for (const auto& metric : read.metrics)
    metrics[metric.span] += metric.name + "=" + std::to_string(metric.value) + metric.unit + " ";
  std::vector<std::string> rows;
  for (const Span& span : read.spans) {
    if (span.track == 0) continue;
    const wire::TrackInfo& track = read.tracks[span.track - 1];
    rows.push_back(std::to_string(track.owner) + "/" + std::to_string(track.stream) + " " +
                   span.type + " " + span.name + " " + std::to_string(span.start_ns) + " " +
                   std::to_string(span.end_ns) + " " + std::to_string(span.correlation_id) + " " +
                   span.details + " " + metrics[span.id]);
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

TEST_F(KernelMetricsTest, WhatWasKeptReplaysToTheSameSpansAndMetrics) {
  ASSERT_EQ(Run("eager", {.metrics = "roofline,l2,sm__cycles_active.avg"}), 0);
  const std::string path = folder_ / "replayed.xspr";
  ASSERT_EQ(xsp_open(path.c_str(), nullptr), 0);
  EXPECT_EQ(ReplayMetricCapture(capture_file_), "");
  xsp_close();
  const auto replayed = wire::ReadRecording(path);
  EXPECT_EQ(Rows(*replayed).size(), 4 * kMeasuredCalls);
  EXPECT_EQ(Rows(*replayed), Rows(*read_));
}

// A name that the chip has and CUPTI then refuses: the next choice is taken, and a replay, which
// asks the names that were measured, comes to the same.
TEST_F(KernelMetricsTest, WhatWasKeptReplaysWhereANameWasRefused) {
  struct Case {
    const char *refused, *metrics, *left_out, *taken;
  };
  for (const Case& each :
       {Case{"op_hfma", "dram,flops", "flops.float16.vector", "flops.float32.vector"},
        Case{"dram__bytes_read", "flops,dram", "", "dram_read_bytes"},
        Case{"src_fp64", "flops,dram", "flops.float64.tensor", "flops.int8.tensor"}}) {
    const std::string keep = capture_file_;
    fs::remove(keep);
    ASSERT_EQ(Run("graph", {.metrics = each.metrics,
                            .mode = std::string("metrics_refuses:") + each.refused}),
              0);
    const auto metrics = MetricsOf(*Kernels()[1]);
    EXPECT_TRUE(metrics.contains(each.taken)) << each.refused;
    if (*each.left_out != '\0') {
      EXPECT_FALSE(metrics.contains(each.left_out)) << each.refused;
      EXPECT_NE(Fact("problem.cuda_metrics_unknown").find(each.left_out), std::string::npos)
          << each.refused;
    }
    const std::string path = folder_ / (std::string("replayed_") + each.refused + ".xspr");
    ASSERT_EQ(xsp_open(path.c_str(), nullptr), 0);
    EXPECT_EQ(ReplayMetricCapture(keep), "") << each.refused;
    xsp_close();
    const auto replayed = wire::ReadRecording(path);
    EXPECT_EQ(Rows(*replayed).size(), 4u);
    EXPECT_EQ(Rows(*replayed), Rows(*read_)) << each.refused;
  }
}

// Of an H200 (tools/gpu_check, step metrics: CUPTI of CUDA 13.0, driver 580.159.04, 2026-11-26).
// The program's work is known: 100 kernels of 2^20 threads with an addition and 1000 multiply-adds
// each, and 4 that copy 512 MiB.
// The program of tools/gpu_check_metrics.py: 2^20 threads of 1000 multiply-adds, or 2^15 warps of
// 1000 matrix products, or a copy of 512 MiB. Half converts with one more instruction on two
// numbers.
TEST_F(KernelMetricsTest, CountersOfAnH100ReplayToTheKnownWork) {
  const std::string path = folder_ / "replayed.xspr";
  ASSERT_EQ(xsp_open(path.c_str(), nullptr), 0);
  EXPECT_EQ(ReplayMetricCapture(std::string(kCudaSamples) + "/h100_known_work.cumetrics"), "");
  xsp_close();
  read_ = wire::ReadRecording(path);
  constexpr double kThreads = 1 << 20, kProducts = kThreads / 32 * 1000;
  const std::map<std::string, std::pair<std::string, double>> flops = {
      {"Fma(float*)", {"flops.float32.vector", kThreads * 2001}},
      {"Half(float*)", {"flops.float16.vector", kThreads * (1000 * 4 + 2)}},
      {"MatrixF16(float*)", {"flops.float16.tensor", kProducts * 2 * 16 * 16 * 16}},
      {"MatrixBf16(float*)", {"flops.bfloat16.tensor", kProducts * 2 * 16 * 16 * 16}},
      {"MatrixTf32(float*)", {"flops.tfloat32.tensor", kProducts * 2 * 16 * 16 * 8}},
      {"MatrixF64(float*)", {"flops.float64.tensor", kProducts * 2 * 8 * 8 * 4}},
      {"MatrixI8(float*)", {"flops.int8.tensor", kProducts * 2 * 16 * 16 * 16}}};
  std::map<std::string, int> count;
  for (const Span* kernel : Kernels()) {
    ++count[kernel->name];
    const auto metrics = MetricsOf(*kernel);
    if (const auto known = flops.find(kernel->name); known != flops.end()) {
      EXPECT_EQ(metrics.at(known->second.first), known->second.second) << kernel->name;
      EXPECT_LT(metrics.at("occupancy"), 1);
      EXPECT_GT(metrics.at("occupancy"), 0.4);
    } else {
      EXPECT_NEAR(metrics.at("dram_read_bytes"), 512 << 20, 1 << 20);
      EXPECT_NEAR(metrics.at("dram_write_bytes"), 512 << 20, 8 << 20);  // The L2 keeps the rest.
      EXPECT_EQ(metrics.at("l2_read_bytes"), 512 << 20);
      EXPECT_EQ(metrics.at("l2_write_bytes"), 512 << 20);
    }
  }
  std::map<std::string, int> expected = {{"Copy(float4 const*, float4*)", 3}};
  for (const auto& [name, work] : flops) expected[name] = name == "Fma(float*)" ? 70 : 3;
  EXPECT_EQ(count, expected);
}

TEST_F(KernelMetricsTest, WhatIsKeptIsNotOverwrittenByTheNextProcess) {
  ASSERT_EQ(Run("graph"), 0);
  const auto bytes = fs::file_size(capture_file_);
  ASSERT_EQ(Run("eager"), 0);
  EXPECT_EQ(fs::file_size(capture_file_), bytes);
}

// Cut and changed files cost what is behind the damage; nothing is read beyond the data.
TEST_F(KernelMetricsTest, DamagedKeptMetricsAreSaidToBe) {
  ASSERT_EQ(Run("graph"), 0);
  std::ifstream file(capture_file_, std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  ASSERT_GT(whole.size(), 1000u);
  const std::string path = folder_ / "damaged";
  ASSERT_EQ(xsp_open((folder_ / "damaged.xspr").c_str(), nullptr), 0);
  const auto replay = [&](const std::string& data) {
    std::ofstream(path, std::ios::binary) << data;
    return ReplayMetricCapture(path);
  };
  EXPECT_EQ(replay(whole), "");
  EXPECT_NE(replay(whole.substr(0, whole.size() - 9)), "");
  for (std::size_t cut = 0; cut < whole.size(); cut += 37) {
    const std::string said = replay(whole.substr(0, cut));
    EXPECT_TRUE(said.empty() || said.find("kept metrics") != std::string::npos) << said;
  }
  std::mt19937 random(7);
  for (int round = 0; round < 500; ++round) {
    std::string data = whole;
    for (int i = 0; i < 20; ++i) data[random() % data.size()] = static_cast<char>(random());
    replay(data);
  }
  xsp_close();
}

TEST(RangesInOrder, FollowNumbersWhereAllAreDifferentNumbers) {
  using Order = std::vector<std::size_t>;
  EXPECT_EQ(RangesInOrder({"0", "1", "2"}), (Order{0, 1, 2}));
  EXPECT_EQ(RangesInOrder({"10", "9", "11"}), (Order{1, 0, 2}));
  EXPECT_EQ(RangesInOrder({"2", "xsp", "1"}), (Order{0, 1, 2}));
  EXPECT_EQ(RangesInOrder({"3", "3", "1"}), (Order{0, 1, 2}));
  EXPECT_EQ(RangesInOrder({}), Order{});
}

}  // namespace
}  // namespace xsp::record::cuda
