#include "measure/alternatives/alternatives_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>

#include "core/json_text.h"
#include "os/paths.h"

namespace xsp::alternatives {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr const char* kProgramName = "xsp-onednn-alternatives";
constexpr const char* kAnswer =
    R"({"library": "oneDNN 9.0.0", "threads": 1, "complete": true, "not_available": [],
        "alternatives": [{"dtype": "float32", "format": "any", "algorithm": "auto",
          "implementation": "jit", "source_layout": "aBcd16b", "weights_layout": "ABcd16b16a",
          "result_layout": "aBcd16b", "best_ns": 1900, "median_ns": 2000, "repeats": 30}]})";

const PrimitiveWork kWork{"matmul", "4x256:256x128", "float32", {"relu"}, 4};

/// A program that answers what a test wants, and keeps its arguments.
class AlternativesProgramTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "xsp-program-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    setenv("XSP_WORKER_PATH", folder_.c_str(), 1);
  }
  void TearDown() override {
    unsetenv("XSP_WORKER_PATH");
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  void Program(const std::string& answer, const std::string& end = "") {
    const fs::path program = folder_ / kProgramName;
    std::ofstream(program) << "#!/bin/sh\n"
                           << "if [ \"$1\" = --version ]; then echo oneDNN 9.0.0; exit 0; fi\n"
                           << "printf '%s\\n' \"$@\" > '" << (folder_ / "arguments").string()
                           << "'\ncat <<'E'\n"
                           << answer << "\nE\n"
                           << end << "\n";
    fs::permissions(program, fs::perms::owner_all);
  }

  Result<Measured> Measure() const {
    auto program = AlternativesProgram::Find(false);
    EXPECT_TRUE(program.ok());
    return program.value().Measure(kWork, 2, 5);
  }

  fs::path folder_;
};

TEST_F(AlternativesProgramTest, AsksForOnePrimitive) {
  Program(kAnswer);
  EXPECT_EQ(AlternativesProgram::Find(false).value().library(), "oneDNN 9.0.0");
  const auto measured = Measure();
  ASSERT_TRUE(measured.ok()) << measured.error().what;
  EXPECT_EQ(measured.value().library, "oneDNN 9.0.0");
  EXPECT_FALSE(measured.value().measured_at.empty());
  ASSERT_EQ(measured.value().alternatives.size(), 1U);
  EXPECT_EQ(measured.value().alternatives[0].median_ns, 2000);
  std::ifstream arguments(folder_ / "arguments");
  std::string threads, limit, primitive;
  std::getline(arguments, threads);
  std::getline(arguments, limit);
  std::getline(arguments, primitive);
  EXPECT_EQ(threads, "2");
  EXPECT_EQ(limit, "5.000");
  EXPECT_EQ(core::ParseJson(primitive), ToJson(kWork));
}

TEST_F(AlternativesProgramTest, SaysHowToGetTheProgram) {
  if (os::FindExecutable(kProgramName, os::WorkerFolders()))
    GTEST_SKIP() << "the program stands beside the tests: it would be found";
  const auto program = AlternativesProgram::Find(false);
  ASSERT_FALSE(program.ok());
  EXPECT_EQ(program.error().kind, ErrorKind::kNotPossible);
  EXPECT_THAT(program.error().hint, HasSubstr("--onednn"));
}

TEST_F(AlternativesProgramTest, TellsRefusalsFromFailures) {
  Program("", "echo 'error: no such primitive' >&2; exit 4");
  const auto refused = Measure();
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::kNotPossible);
  EXPECT_THAT(refused.error().what, HasSubstr("no such primitive"));
  Program(kAnswer, "exit 1");
  const auto failed = Measure();
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().kind, ErrorKind::kEnvironment);
}

TEST_F(AlternativesProgramTest, RefusesWhatAreNoAlternatives) {
  std::string negative = kAnswer;
  negative.replace(negative.find("2000"), 4, "-200");
  for (const std::string& answer :
       {std::string(), std::string("hello"), std::string("{}"), negative}) {
    Program(answer);
    const auto measured = Measure();
    ASSERT_FALSE(measured.ok()) << answer;
    EXPECT_EQ(measured.error().kind, ErrorKind::kEnvironment);
  }
}

/// A program for GPUs, in whose machine are those of `names`.
void GpuProgram(const fs::path& folder, const std::string& names) {
  const fs::path program = folder / "xsp-cuda-alternatives";
  std::ofstream(program) << "#!/bin/sh\n"
                         << "if [ \"$1\" = --version ]; then echo cuBLASLt 9.0.0; exit 0; fi\n"
                         << names << "\n";
  fs::permissions(program, fs::perms::owner_all);
}

TEST_F(AlternativesProgramTest, AGpuIsFoundByItsNameAndOrdinal) {
  GpuProgram(folder_, R"(echo '["A", "B", "B"]')");
  const auto program = AlternativesProgram::Find(true);
  ASSERT_TRUE(program.ok()) << program.error().what;
  EXPECT_EQ(program.value().library(), "cuBLASLt 9.0.0");
  const auto unit = [&](const std::string& name, int ordinal) {
    return program.value().UnitOf({.is_gpu = true, .name = name, .ordinal = ordinal});
  };
  EXPECT_EQ(unit("B", 2).value(), 2);
  EXPECT_EQ(unit("B", 0).value(), 1) << "the first of that name";
  EXPECT_EQ(unit("A", 7).value(), 0);
  const auto other = unit("C", 0);
  ASSERT_FALSE(other.ok());
  EXPECT_EQ(other.error().kind, ErrorKind::kBadInput);
  EXPECT_THAT(other.error().what, HasSubstr("C; here: A, B, B"));
  EXPECT_EQ(program.value().UnitOf({.name = "EPYC", .cores = 4, .threads = 3}).value(), 3);
}

TEST_F(AlternativesProgramTest, WithoutADriverTheGpuIsNotHere) {
  GpuProgram(folder_, "echo 'error: no NVIDIA driver' >&2; exit 4");
  const auto program = AlternativesProgram::Find(true);
  ASSERT_TRUE(program.ok()) << program.error().what;
  const auto unit = program.value().UnitOf({.is_gpu = true, .name = "A"});
  ASSERT_FALSE(unit.ok());
  EXPECT_EQ(unit.error().kind, ErrorKind::kBadInput);
  EXPECT_THAT(unit.error().what, HasSubstr("no NVIDIA driver"));
}

/// The program itself, where it was built.
TEST(RealAlternativesProgramTest, MeasuresAConvolutionAndAProduct) {
  if (!os::FindExecutable(kProgramName, os::WorkerFolders()))
    GTEST_SKIP() << "xsp-onednn-alternatives is not built (tools/setup --onednn && tools/build)";
  const auto program = AlternativesProgram::Find(false);
  ASSERT_TRUE(program.ok()) << program.error().what;
  for (const PrimitiveWork& work :
       {PrimitiveWork{"convolution",
                      "mb1_ic16oc32_ih14oh7kh3sh2dh0ph1_iw14ow7kw3sw2dw0pw1",
                      "float32",
                      {"sum", "relu"},
                      4},
        PrimitiveWork{"convolution", "g8mb1_ic8oc8_iw64ow60kw3sw1dw1pw0", "float32", {}, 4},
        PrimitiveWork{"inner_product", "mb4ic64oc100", "bfloat16", {}, 4},
        PrimitiveWork{"matmul", "2x16x32:2x32x8", "float32", {}, 4},
        PrimitiveWork{"matmul", "4x256:256x128", "float32", {"relu"}, 4}}) {
    const auto measured = program.value().Measure(work, 1, 30);
    ASSERT_TRUE(measured.ok()) << work.problem << ": " << measured.error().what;
    const Alternative* fastest = FastestOf(measured.value(), work.dtype);
    ASSERT_NE(fastest, nullptr) << work.problem;
    EXPECT_LE(fastest->best_ns, fastest->median_ns);
    EXPECT_FALSE(fastest->implementation.empty());
    EXPECT_NE(fastest->source_layout, "any");
  }
  EXPECT_FALSE(program.value().Measure({"convolution", "mb1_ic3", "float32", {}, 4}, 1, 5).ok());
}

}  // namespace
}  // namespace xsp::alternatives
