#include "capture/record/cpu_capture.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdio>
#include <filesystem>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "capture/wire/reader.h"
#include "capture/wire/xsp.h"

namespace xsp::record {
namespace {

constexpr const char* kReorder =
    "onednn_verbose,v1,primitive,exec,cpu,reorder,jit:uni,undef,,,,64x3x7x7,0.25\n";

struct Kernel {
  std::uint32_t parent;
  std::string type, name, raw;
  std::int64_t duration_ns;
  std::uint32_t thread;
};

class Kernels : public wire::RecordSink {
 public:
  void OnSpan(const wire::SpanRecord& span) override {
    if (span.level != XSP_LEVEL_KERNEL) {
      layers.push_back(span.id);
      return;
    }
    by_id_[span.id] = kernels.size();
    kernels.push_back({span.parent, std::string(span.type), std::string(span.name), "",
                       span.end_ns - span.start_ns, span.thread});
  }
  void OnAttribute(const wire::AttributeRecord& attribute) override {
    // Another thread's records may stand between the two.
    if (attribute.key == "raw") kernels.at(by_id_.at(attribute.span)).raw = attribute.value;
  }
  void OnMetric(const wire::MetricRecord&) override {}
  void OnMark(const wire::MarkRecord&) override {}
  void OnCounter(const wire::CounterRecord&) override {}

  std::vector<Kernel> kernels;
  std::vector<std::uint32_t> layers;

 private:
  std::map<std::uint32_t, std::size_t> by_id_;
};

/// Runs `print` with the capture on, inside one layer span, stdout going to a file. Keeps what came
/// out there, and the recording.
class CpuCapture : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "xsp-capture.XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  template <typename Print>
  void Run(Print print) {
    const std::string path = (folder_ / "r.xspr").string();
    ASSERT_EQ(xsp_open(path.c_str(), nullptr), 0);
    const xsp_string conv = xsp_intern("conv", 4);
    const CpuCaptureCounts before = CpuCaptureCountsSoFar();
    testing::internal::CaptureStdout();
    StartCpuCapture();
    const xsp_span layer = xsp_begin(XSP_LEVEL_LAYER, conv, conv);
    print();
    xsp_end(layer);
    StopCpuCapture();
    std::fflush(stdout);
    out_ = testing::internal::GetCapturedStdout();
    const CpuCaptureCounts after = CpuCaptureCountsSoFar();
    counts_ = {after.kernels - before.kernels, after.other_lines - before.other_lines,
               after.truncated_lines - before.truncated_lines};
    xsp_close();
    wire::ReadError error;
    const auto reader = wire::Reader::Open(path, &error);
    ASSERT_TRUE(reader) << error.what;
    reader->Read(sink_);
  }

  std::filesystem::path folder_;
  std::string out_;
  CpuCaptureCounts counts_;
  Kernels sink_;
};

// printf() with a va_list, as some libraries call it.
int PrintThrough(int (*print)(const char*, va_list), const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = print(format, arguments);
  va_end(arguments);
  return result;
}

TEST_F(CpuCapture, ALineBecomesAKernelInsideItsOperator) {
  Run([] { std::printf("%s", kReorder); });
  ASSERT_EQ(sink_.kernels.size(), 1u);
  const Kernel& kernel = sink_.kernels[0];
  EXPECT_EQ(kernel.type, "primitive");
  EXPECT_EQ(kernel.name, "reorder");
  EXPECT_EQ(kernel.raw + "\n", kReorder);
  EXPECT_NEAR(static_cast<double>(kernel.duration_ns), 250'000, 2);
  ASSERT_EQ(sink_.layers.size(), 1u);
  EXPECT_EQ(kernel.parent, sink_.layers[0]);
  EXPECT_EQ(out_, "");
  EXPECT_EQ(counts_.kernels, 1u);
}

TEST_F(CpuCapture, EveryWayToPrintIsCaught) {
  Run([] {
    std::printf("onednn_verbose,v1,primitive,exec,%s,sum,x,,,,%d,%g\n", "cpu", 3, 0.5);
    std::fprintf(stdout, "onednn_verbose,v1,primitive,exec,%s,sum,x,,,,%d,%g\n", "cpu", 3, 0.5);
    PrintThrough(vprintf, "onednn_verbose,v1,primitive,exec,%s,sum,x,,,,%d,%g\n", "cpu", 3, 0.5);
    PrintThrough([](const char* format, va_list list) { return vfprintf(stdout, format, list); },
                 "onednn_verbose,v1,primitive,exec,%s,sum,x,,,,%d,%g\n", "cpu", 3, 0.5);
    std::fputs("onednn_verbose,v1,primitive,exec,cpu,sum,x,,,,3,0.5\n", stdout);
    std::puts("onednn_verbose,v1,primitive,exec,cpu,sum,x,,,,3,0.5");
    const std::string text = "onednn_verbose,v1,primitive,exec,cpu,sum,x,,,,3,0.5\n";
    EXPECT_EQ(std::fwrite(text.data(), 1, text.size(), stdout), text.size());
  });
  EXPECT_EQ(out_, "");
  ASSERT_EQ(sink_.kernels.size(), 7u);
  for (const Kernel& kernel : sink_.kernels) {
    EXPECT_EQ(kernel.raw, "onednn_verbose,v1,primitive,exec,cpu,sum,x,,,,3,0.5");
  }
}

// oneDNN 1.x and 2.x, in MXNet.
TEST_F(CpuCapture, AFormatMayHoldATimeBehindTheName) {
  Run([] {
    std::printf("dnnl_verbose%s,exec,%s,%g\n", "", "cpu,sum,x,undef,f32,,,3", 0.5);
    std::printf("dnnl_verbose%s is no line of oneDNN\n", " here");
  });
  ASSERT_EQ(sink_.kernels.size(), 1u);
  EXPECT_EQ(sink_.kernels[0].raw, "dnnl_verbose,exec,cpu,sum,x,undef,f32,,,3,0.5");
  EXPECT_EQ(out_, "dnnl_verbose here is no line of oneDNN\n");
}

TEST_F(CpuCapture, ALineMayComeInPieces) {
  Run([] {
    std::printf("MKL_VERBOSE %s", "SGEMM(N,N,2)");
    std::fputs(" 12.5us", stdout);
    std::printf(" CNR:OFF\nonednn_verbose,v1,primitive,exec,cpu,sum");
    std::printf(",x,,,,3,0.5\nhello\n");
  });
  EXPECT_EQ(out_, "hello\n");
  ASSERT_EQ(sink_.kernels.size(), 2u);
  EXPECT_EQ(sink_.kernels[0].raw, "MKL_VERBOSE SGEMM(N,N,2) 12.5us CNR:OFF");
  EXPECT_NEAR(static_cast<double>(sink_.kernels[0].duration_ns), 12'500, 2);
  EXPECT_EQ(sink_.kernels[1].raw, "onednn_verbose,v1,primitive,exec,cpu,sum,x,,,,3,0.5");
}

TEST_F(CpuCapture, WhatFollowsALineIsPrinted) {
  Run([] {
    const std::string text = std::string(kReorder) + kReorder + "hello\n";
    EXPECT_EQ(std::printf("%s", text.c_str()), static_cast<int>(text.size()));
    std::fputs((std::string(kReorder) + "you\n").c_str(), stdout);
  });
  EXPECT_EQ(out_, "hello\nyou\n");
  EXPECT_EQ(sink_.kernels.size(), 3u);
}

TEST_F(CpuCapture, EverythingElsePassesUnchanged) {
  Run([] {
    EXPECT_EQ(std::printf("a %d %s\n", 1, "b"), 6);
    std::fprintf(stdout, "%s\n", "onednn is fast");
    std::printf("%s", "");
    const char* volatile nothing = nullptr;
    std::printf("%s", nothing);
    std::puts("c");
    std::fputs("d\n", stdout);
    std::fwrite("ee\n", 1, 3, stdout);
    std::fprintf(stderr, "%s", "onednn_verbose_not_for_stdout\n");
  });
  EXPECT_EQ(out_, "a 1 b\nonednn is fast\n(null)c\nd\nee\n");
  EXPECT_EQ(sink_.kernels.size(), 0u);
}

TEST_F(CpuCapture, OtherLinesOfTheLibrariesAreSwallowedAndCounted) {
  Run([] {
    std::printf("onednn_verbose,v1,info,oneDNN v3.13.3 (commit %s)\n", "b38f97e");
    std::printf("onednn_verbose,v1,primitive,create:cache_miss,cpu,sum,x,,,,3,0.5\n");
  });
  EXPECT_EQ(out_, "");
  EXPECT_EQ(sink_.kernels.size(), 0u);
  EXPECT_EQ(counts_.other_lines, 2u);
}

TEST_F(CpuCapture, ALineBeyondMeasureIsCountedAndEndsThere) {
  const std::string padding(20'000, 'x');
  Run([&] {
    std::printf("onednn_verbose,v1,primitive,exec,cpu,sum,%s,0.5\n", padding.c_str());
    std::fputs(("onednn_verbose,v1,primitive,exec,cpu,sum," + padding).c_str(), stdout);
    std::fputs(",0.5\n", stdout);
    std::printf("%s", kReorder);
  });
  EXPECT_EQ(out_, "");
  EXPECT_EQ(counts_.truncated_lines, 2u);
  EXPECT_EQ(sink_.kernels.size(), 1u);
}

TEST_F(CpuCapture, EachThreadHasItsOwnLines) {
  Run([] {
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([] {
        for (int line = 0; line < 500; ++line) {
          std::printf("onednn_verbose,v1,primitive,exec,cpu");
          std::printf(",sum,x,,,,3,0.5\n");
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  });
  EXPECT_EQ(out_, "");
  ASSERT_EQ(sink_.kernels.size(), 2000u);
  for (const Kernel& kernel : sink_.kernels) {
    EXPECT_EQ(kernel.raw, "onednn_verbose,v1,primitive,exec,cpu,sum,x,,,,3,0.5");
    EXPECT_EQ(kernel.parent, 0u);
  }
}

TEST_F(CpuCapture, NothingIsTakenWhileItIsOff) {
  Run([] {
    StopCpuCapture();
    std::printf("%s", kReorder);
  });
  EXPECT_EQ(out_, kReorder);
  EXPECT_EQ(sink_.kernels.size(), 0u);
}

}  // namespace
}  // namespace xsp::record
