// Alternatives of what a GPU ran: the program that measures them is a script.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "api/operations/ideal_document.h"
#include "core/json_text.h"
#include "store/experiment_writer.h"
#include "store/rows/device_time_row.h"
#include "store/rows/kernel_row.h"
#include "store/rows/layer_row.h"
#include "store/rows/point_row.h"
#include "store/rows/run_row.h"

namespace xsp::api {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

constexpr const char* kProduct = "128x768:768x3072";
constexpr double kProductFlops = 2.0 * 128 * 768 * 3072, kOutputs = 128 * 3072;
constexpr double kOperandBytes = 4.0 * (128 * 768 + 768 * 3072);
constexpr const char* kGpu = "NVIDIA H100 80GB HBM3";

/// A layer of 5000 ns on a GPU: a product of 3000 ns, its helper of 1000 ns, and 1000 ns of another
/// kernel.
class IdealGpuAlternativesTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "xsp-ideal-gpu-XXXXXX";
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

  static store::KernelRow Kernel(std::int64_t index, const char* name, double duration_ns) {
    return {.point_id = 1,
            .kernel_index = index,
            .layer_index = 0,
            .name = name,
            .type = "kernel",
            .duration_ns = duration_ns,
            .matched = "all"};
  }

  static std::vector<store::KernelRow> KernelsOfALinearLayer(const char* dtype = "float32") {
    std::vector<store::KernelRow> kernels = {
        Kernel(0, "void cutlass::Kernel2<cutlass_80_tensorop_gemm, int>(int)", 3000),
        Kernel(1, "splitKreduce_kernel", 1000), Kernel(2, "elementwise_kernel", 1000)};
    kernels[0].dtype = dtype;
    kernels[0].unit = "vector";
    kernels[0].flops = kProductFlops + kOutputs;
    kernels[0].read_bytes = kOperandBytes + 4 * 3072;
    kernels[0].write_bytes = 4 * kOutputs;
    kernels[0].flops_provenance = kernels[0].traffic_provenance = "analytic";
    kernels[0].problem = kernels[1].problem = kProduct;
    return kernels;
  }

  template <typename Row>
  static void Add(store::ExperimentWriter& writer, const std::vector<Row>& rows) {
    EXPECT_TRUE(writer.AddRows(rows).ok());
  }

  fs::path Write(const std::vector<store::KernelRow>& kernels, const std::string& gpus = kGpu) {
    auto writer = store::ExperimentWriter::Create(folder_ / "store", "own").value();
    Add<store::PointRow>(writer, {{.point_id = 1,
                                   .model = "m",
                                   .backend = "b",
                                   .device = "cuda:1",
                                   .precision = "float32",
                                   .batch = 1,
                                   .settings = "{}",
                                   .latency_ns = 9000,
                                   .status = "done"}});
    Add<store::RunRow>(writer, {{.run_id = 1,
                                 .point_id = 1,
                                 .rung = "layer",
                                 .status = "done",
                                 .path = "layer",
                                 .samples = 4,
                                 .disturbed = 0,
                                 .latency_ns = 9000}});
    Add<store::DeviceTimeRow>(writer, {{.run_id = 1,
                                        .start_ns = 0,
                                        .total_ns = 5000,
                                        .busy_ns = 5000,
                                        .idle_ns = 0,
                                        .compute_ns = 5000,
                                        .communication_ns = 0,
                                        .copy_ns = 0,
                                        .compute_communication_ns = 0,
                                        .exposed_communication_ns = 0,
                                        .exposed_copy_ns = 0,
                                        .spans = 3}});
    Add<store::LayerRow>(writer, {{.point_id = 1,
                                   .layer_index = 0,
                                   .name = "linear",
                                   .type = "aten::linear",
                                   .shape = "[128,3072]",
                                   .latency_ns = 7000,
                                   .device_ns = 5000,
                                   .source_run = 1,
                                   .matched = "all"}});
    Add(writer, kernels);
    return writer.Commit(core::JsonText(json{{"stack", {{"gpu", {{"models", gpus}}}}}})).value();
  }

  static json Answer(double median_ns, const std::string& dtype) {
    return {{"dtype", dtype},
            {"format", "transposed"},
            {"algorithm", "heuristic 2"},
            {"implementation", "algorithm 66"},
            {"source_layout", "ab"},
            {"weights_layout", "ba"},
            {"result_layout", "ab"},
            {"best_ns", median_ns},
            {"median_ns", median_ns},
            {"repeats", 30}};
  }

  /// A program on a machine with the GPUs `names`, which keeps the arguments that it measures with.
  void Program(double median_ns, const json& names = json::array({"Tesla T4", kGpu})) {
    const json answer = {
        {"library", "cuBLASLt 9.0.0"},
        {"complete", true},
        {"alternatives", json::array({Answer(median_ns, "float32"), Answer(300, "tfloat32"),
                                      Answer(200, "float16")})}};
    const fs::path program = folder_ / "xsp-cuda-alternatives";
    std::ofstream(program) << "#!/bin/sh\n"
                           << "if [ \"$1\" = --version ]; then echo cuBLASLt 9.0.0; exit 0; fi\n"
                           << "if [ \"$1\" = --devices ]; then echo '" << core::JsonText(names)
                           << "'; exit 0; fi\n"
                           << "printf '%s\\n' \"$@\" >> '" << (folder_ / "arguments").string()
                           << "'\n"
                           << "cat <<'E'\n"
                           << core::JsonText(answer) << "\nE\n";
    fs::permissions(program, fs::perms::owner_all);
  }

  /// Those of the first measurement: device, limit, primitive.
  std::vector<std::string> Arguments() const {
    std::vector<std::string> lines;
    std::ifstream file(folder_ / "arguments");
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
  }

  static Result<json> Ideal(const fs::path& experiment, bool measures = true) {
    core::NoProgress progress;
    IdealRequest request;
    request.experiment = experiment;
    if (measures) request.alternatives.emplace();
    return IdealDocument(request, progress);
  }

  fs::path folder_;
};

TEST_F(IdealGpuAlternativesTest, AnAlternativeReplacesTheProductAndItsHelpers) {
  Program(2500);
  const fs::path own = Write(KernelsOfALinearLayer());
  const auto document = Ideal(own);
  ASSERT_TRUE(document.ok()) << document.error().what;
  const json& point = document.value()["points"][0];
  EXPECT_EQ(point["layers"][0]["best_known_ns"], 5000 - (3000 + 1000) + 2500)
      << "TF32 and float16 give other results";
  EXPECT_EQ(point["layers"][0]["best_known"]["backend"], "cuBLASLt 9.0.0");
  ASSERT_EQ(point["primitives"].size(), 1U);
  const json& primitive = point["primitives"][0];
  EXPECT_EQ(primitive["kind"], "matmul");
  EXPECT_EQ(primitive["kernels"], 1);
  EXPECT_EQ(primitive["measured_ns"], 4000) << "with its helper";
  EXPECT_EQ(primitive["implementation"], "cutlass_80_tensorop_gemm");
  EXPECT_EQ(primitive["post_ops"], json::array({"bias"}));
  // Without measuring, what is cached for a GPU of this name is taken.
  EXPECT_EQ(Ideal(own, false).value()["points"][0]["layers"], point["layers"]);
}

TEST_F(IdealGpuAlternativesTest, TheGpuOfThePointMeasures) {
  Program(2500);
  ASSERT_TRUE(Ideal(Write(KernelsOfALinearLayer())).ok());
  const std::vector<std::string> arguments = Arguments();
  ASSERT_EQ(arguments.size(), 3U);
  EXPECT_EQ(arguments[0], "1");
  const json primitive = core::ParseJson(arguments[2]);
  EXPECT_EQ(primitive["problem"], kProduct);
  EXPECT_EQ(primitive["dtype"], "float32");
}

TEST_F(IdealGpuAlternativesTest, WhatRanInTf32IsComparedWithTf32) {
  Program(2500);
  const auto document = Ideal(Write(KernelsOfALinearLayer("tfloat32")));
  EXPECT_EQ(document.value()["points"][0]["layers"][0]["best_known_ns"], 1000 + 300);
}

TEST_F(IdealGpuAlternativesTest, ASlowerAlternativeSavesNothing) {
  Program(4500);
  const auto document = Ideal(Write(KernelsOfALinearLayer()));
  EXPECT_EQ(document.value()["points"][0]["layers"][0]["best_known_ns"], 5000)
      << "the product and its helper are one";
}

TEST_F(IdealGpuAlternativesTest, AnotherGpuIsNotMeasuredHere) {
  Program(2500, json::array({"Tesla T4"}));
  const auto document = Ideal(Write(KernelsOfALinearLayer()));
  ASSERT_FALSE(document.ok());
  EXPECT_EQ(document.error().kind, ErrorKind::kBadInput);
  EXPECT_THAT(document.error().what, HasSubstr(std::string(kGpu) + "; here: Tesla T4"));
  EXPECT_TRUE(Arguments().empty());
}

TEST_F(IdealGpuAlternativesTest, TheNameIsThatOfOneOfSeveral) {
  Program(2500);
  EXPECT_TRUE(Ideal(Write(KernelsOfALinearLayer(), std::string(kGpu) + ", " + kGpu)).ok());
}

TEST_F(IdealGpuAlternativesTest, SaysWhyAProductIsNotMeasured) {
  Program(2500);
  auto kernels = KernelsOfALinearLayer();
  kernels.push_back(Kernel(3, "ampere_sgemm_128x64_tn", 500));
  const json point = Ideal(Write(kernels)).value()["points"][0];
  ASSERT_EQ(point["primitives"].size(), 2U);
  EXPECT_EQ(point["primitives"][1]["reason"], "shapes or attributes are not recorded");
}

TEST_F(IdealGpuAlternativesTest, RefusesAnExperimentWithoutShapes) {
  Program(2500);
  auto kernels = KernelsOfALinearLayer();
  for (store::KernelRow& kernel : kernels) kernel.problem = std::nullopt;
  const auto document = Ideal(Write(kernels));
  ASSERT_FALSE(document.ok());
  EXPECT_EQ(document.error().kind, ErrorKind::kNotPossible);
}

}  // namespace
}  // namespace xsp::api
