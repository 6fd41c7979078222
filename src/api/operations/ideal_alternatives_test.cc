#include "api/operations/ideal_alternatives.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "api/operations/ideal_document.h"
#include "core/json_text.h"
#include "os/processor.h"
#include "store/experiment_writer.h"
#include "store/rows/critical_path_row.h"
#include "store/rows/kernel_row.h"
#include "store/rows/layer_row.h"
#include "store/rows/point_row.h"
#include "store/rows/run_row.h"

namespace xsp::api {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

constexpr const char* kConvolution = "mb1_ic64oc64_ih56oh56kh3sh1dh0ph1_iw56ow56kw3sw1dw0pw1";
constexpr double kElements = 64 * 56 * 56, kConvolutionFlops = 2 * kElements * 64 * 9;

/// A layer of 5000 ns: a reorder of 500 ns and a convolution of 4000 ns.
class IdealAlternativesTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "xsp-ideal-alternatives-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    setenv("XSP_CACHE", (folder_ / "cache").c_str(), 1);
    setenv("XSP_WORKER_PATH", folder_.c_str(), 1);
  }
  void TearDown() override {
    unsetenv("XSP_CACHE");
    unsetenv("XSP_WORKER_PATH");
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  static store::KernelRow Kernel(std::int64_t index, const char* name, double duration_ns,
                                 double flops) {
    return {.point_id = 1,
            .kernel_index = index,
            .layer_index = 0,
            .name = name,
            .type = "primitive",
            .dtype = "float32",
            .unit = "vector",
            .implementation = "jit:avx512_core",
            .problem = index == 1 ? kConvolution : "64x56",
            .duration_ns = duration_ns,
            .flops = flops,
            .read_bytes = 4 * kElements + 4 * 64 * 64 * 9,
            .write_bytes = 4 * kElements,
            .flops_provenance = "analytic",
            .traffic_provenance = "analytic",
            .matched = "all"};
  }

  /// An experiment on a CPU, of which the job could use one core.
  fs::path Write(const std::string& cpu, bool has_primitives = true) {
    auto writer = store::ExperimentWriter::Create(folder_ / "store", "own").value();
    EXPECT_TRUE(writer
                    .AddRows(std::vector<store::PointRow>{{.point_id = 1,
                                                           .model = "m",
                                                           .backend = "b",
                                                           .device = "cpu",
                                                           .precision = "float32",
                                                           .batch = 1,
                                                           .settings = "{}",
                                                           .latency_ns = 9000,
                                                           .cores = 1,
                                                           .status = "done"}})
                    .ok());
    EXPECT_TRUE(writer
                    .AddRows(std::vector<store::RunRow>{{.run_id = 1,
                                                         .point_id = 1,
                                                         .rung = "layer",
                                                         .status = "done",
                                                         .path = "layer",
                                                         .samples = 4,
                                                         .disturbed = 0,
                                                         .latency_ns = 9000,
                                                         .threads = 1}})
                    .ok());
    EXPECT_TRUE(writer
                    .AddRows(std::vector<store::LayerRow>{{.point_id = 1,
                                                           .layer_index = 0,
                                                           .name = "conv",
                                                           .type = "aten::conv2d",
                                                           .shape = "[1,64,56,56]",
                                                           .latency_ns = 5000,
                                                           .source_run = 1,
                                                           .matched = "all"}})
                    .ok());
    std::vector<store::KernelRow> kernels = {Kernel(0, "reorder jit:blk", 500, 0)};
    if (has_primitives)
      kernels.push_back(Kernel(1, "convolution jit:avx512_core", 4000, kConvolutionFlops));
    EXPECT_TRUE(writer.AddRows(kernels).ok());
    EXPECT_TRUE(
        writer
            .AddRows(std::vector<store::CriticalPathRow>{
                {.run_id = 1,
                 .kind = "compute",
                 .name = "convolution jit:avx512_core",
                 .segments = 1,
                 .duration_ns = 4000},
                {.run_id = 1, .kind = "host", .name = "call", .segments = 1, .duration_ns = 1000}})
            .ok());
    return writer.Commit(core::JsonText(json{{"stack", {{"cpu", {{"model", cpu}}}}}})).value();
  }

  static json Answer(double median_ns, const std::string& dtype = "float32") {
    return {{"dtype", dtype},
            {"format", "any"},
            {"algorithm", "auto"},
            {"implementation", "brg_" + dtype},
            {"source_layout", "aBcd16b"},
            {"weights_layout", "ABcd16b16a"},
            {"result_layout", "aBcd16b"},
            {"best_ns", median_ns * 0.9},
            {"median_ns", median_ns},
            {"repeats", 30}};
  }

  /// A program that answers with a float32 and an int8 alternative and counts its measurements.
  void Program(double median_ns, const std::string& end = "") {
    const json answer = {{"library", "oneDNN 9.0.0"},
                         {"complete", true},
                         {"alternatives", {Answer(median_ns), Answer(100, "int8")}}};
    const fs::path program = folder_ / "xsp-onednn-alternatives";
    std::ofstream(program) << "#!/bin/sh\n"
                           << "if [ \"$1\" = --version ]; then echo oneDNN 9.0.0; exit 0; fi\n"
                           << "echo x >> '" << (folder_ / "measured").string() << "'\n"
                           << "cat <<'E'\n"
                           << core::JsonText(answer) << "\nE\n"
                           << end << "\n";
    fs::permissions(program, fs::perms::owner_all);
  }
  std::uintmax_t Measurements() const {
    std::error_code none;
    const auto bytes = fs::file_size(folder_ / "measured", none);
    return none ? 0 : bytes / 2;
  }

  static Result<json> Ideal(const fs::path& experiment, bool measures, bool again = false) {
    core::NoProgress progress;
    IdealRequest request;
    request.experiment = experiment;
    if (measures) {
      request.alternatives.emplace();
      request.alternatives->again = again;
    }
    return IdealDocument(request, progress);
  }

  const std::string this_cpu_ = os::ReadProcessor().model;
  fs::path folder_;
};

TEST_F(IdealAlternativesTest, AnAlternativeReplacesThePrimitiveAndItsReorders) {
  if (this_cpu_.empty()) GTEST_SKIP() << "the CPU has no name";
  Program(2000);
  const auto document = Ideal(Write(this_cpu_), true);
  ASSERT_TRUE(document.ok()) << document.error().what;
  const json& point = document.value()["points"][0];
  const json& layer = point["layers"][0];
  EXPECT_EQ(layer["best_known_ns"], 5000 - (4000 - 2000) - 500);
  EXPECT_TRUE(layer["best_known"]["experiment"].is_null());
  EXPECT_EQ(layer["best_known"]["backend"], "oneDNN 9.0.0");
  EXPECT_EQ(layer["best_known"]["implementation"], "brg_float32") << "int8 is other work";
  EXPECT_EQ(layer["best_known"]["format"], "any");
  EXPECT_EQ(point["improved_by_alternatives"], 1);
  ASSERT_EQ(point["primitives"].size(), 1U) << "a reorder has no alternatives";
  const json& primitive = point["primitives"][0];
  EXPECT_EQ(primitive["measured_ns"], 4000);
  EXPECT_EQ(primitive["fastest"]["speedup"], 2);
  EXPECT_EQ(primitive["alternatives"].size(), 2U);
  EXPECT_EQ(point["alternatives"],
            (json{{"known", 1}, {"measured_now", 1}, {"left", 0}, {"refused", 0}}));
}

TEST_F(IdealAlternativesTest, WhatWasMeasuredIsTakenWithoutMeasuringAgain) {
  if (this_cpu_.empty()) GTEST_SKIP() << "the CPU has no name";
  Program(2000);
  const fs::path own = Write(this_cpu_);
  EXPECT_EQ(Ideal(own, false).value()["points"][0]["alternatives"]["left"], 1);
  EXPECT_EQ(Measurements(), 0U);
  ASSERT_TRUE(Ideal(own, true).ok());
  ASSERT_TRUE(Ideal(own, true).ok());
  EXPECT_EQ(Measurements(), 1U);
  fs::remove(folder_ / "xsp-onednn-alternatives");
  EXPECT_EQ(Ideal(own, false).value()["points"][0]["layers"][0]["best_known_ns"], 2500);
  Program(1000);
  EXPECT_EQ(Ideal(own, true, true).value()["points"][0]["layers"][0]["best_known_ns"], 1500);
  EXPECT_EQ(Measurements(), 2U);
}

TEST_F(IdealAlternativesTest, ASlowerAlternativeSavesTheReordersOnly) {
  if (this_cpu_.empty()) GTEST_SKIP() << "the CPU has no name";
  Program(8000);
  const auto document = Ideal(Write(this_cpu_), true);
  const json& point = document.value()["points"][0];
  // What ran keeps its time; its layout may be kept between layers.
  EXPECT_EQ(point["layers"][0]["best_known_ns"], 4500);
}

TEST_F(IdealAlternativesTest, ARefusedPrimitiveIsCounted) {
  if (this_cpu_.empty()) GTEST_SKIP() << "the CPU has no name";
  Program(2000, "exit 4");
  const auto document = Ideal(Write(this_cpu_), true);
  ASSERT_TRUE(document.ok()) << document.error().what;
  const json& point = document.value()["points"][0];
  EXPECT_EQ(point["alternatives"],
            (json{{"known", 0}, {"measured_now", 0}, {"left", 0}, {"refused", 1}}));
  EXPECT_EQ(point["layers"][0]["best_known_ns"], 5000);
}

TEST_F(IdealAlternativesTest, AnotherMachineIsNotMeasuredHere) {
  Program(2000);
  const auto document = Ideal(Write("another CPU"), true);
  ASSERT_FALSE(document.ok());
  EXPECT_EQ(document.error().kind, ErrorKind::kBadInput);
  EXPECT_THAT(document.error().what, HasSubstr("another CPU"));
  EXPECT_EQ(Measurements(), 0U);
}

TEST_F(IdealAlternativesTest, RefusesAnExperimentWithoutPrimitives) {
  Program(2000);
  const auto document = Ideal(Write(this_cpu_, false), true);
  ASSERT_FALSE(document.ok());
  EXPECT_EQ(document.error().kind, ErrorKind::kNotPossible);
}

TEST_F(IdealAlternativesTest, TheCriticalPathHasItsKernelsReplaced) {
  if (this_cpu_.empty()) GTEST_SKIP() << "the CPU has no name";
  Program(2000);
  const auto document = Ideal(Write(this_cpu_), true);
  const json& path = document.value()["points"][0]["critical_path"];
  EXPECT_EQ(path["measured_ns"], 5000);
  EXPECT_EQ(path["compute_ns"], 4000);
  EXPECT_EQ(path["best_known_ns"], 1000 + 4000 * 0.5) << "the layer takes half of its time";
  EXPECT_TRUE(path["bound_ns"].is_null()) << "without roofs nothing bounds it";
}

}  // namespace
}  // namespace xsp::api
