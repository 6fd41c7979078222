#include "capture/collect/environment/environment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "capture/collect/fixture_tree.h"

namespace xsp::collect::environment {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// What is stored of NAME=VALUE.
Fact Stored(const std::string& name, const std::string& value) {
  return FactOf(Collect({name + "=" + value}), "environment." + name);
}

TEST(EnvironmentCollectorTest, KeepsWhatChangesPerformanceByName) {
  const auto facts = Collect({"TERM=xterm", "OMP_NUM_THREADS=4", "HOME=/home/joe",
                              "KMP_AFFINITY=granularity=fine,compact,1,0", "CUDA_PATH=/usr/cuda",
                              "CUDA_VISIBLE_DEVICES=0,1", "no equals sign", "=x"});
  std::vector<std::string> keys;
  for (const Fact& fact : facts) keys.push_back(fact.key);
  EXPECT_THAT(keys, ElementsAre("environment.settings", "environment.CUDA_VISIBLE_DEVICES",
                                "environment.KMP_AFFINITY", "environment.OMP_NUM_THREADS"));
  EXPECT_EQ(ValueOf(facts, "environment.settings"), "3");
  EXPECT_EQ(ValueOf(facts, "environment.KMP_AFFINITY"), "granularity=fine,compact,1,0");
  EXPECT_EQ(ValueOf(facts, "environment.CUDA_VISIBLE_DEVICES"), "0,1");
}

TEST(EnvironmentCollectorTest, SaysWhenNothingIsSet) {
  EXPECT_EQ(ValueOf(Collect({}), "environment.settings"), "0");
}

TEST(EnvironmentCollectorTest, HidesSecretsAndHosts) {
  EXPECT_THAT(Stored("TORCH_API_KEY", "abc").why, HasSubstr("secret"));
  EXPECT_THAT(Stored("ORT_ACCESS_TOKEN", "abc").why, HasSubstr("secret"));
  EXPECT_THAT(Stored("NCCL_COMM_ID", "10.0.0.1:29500").why, HasSubstr("hosts"));
  EXPECT_THAT(Stored("TF_CONFIG", "{\"cluster\": {\"worker\": [\"alice:1\"]}}").why,
              HasSubstr("hosts"));
  EXPECT_THAT(Stored("TF_MASTER_ADDR", "alice").why, HasSubstr("hosts"));
  EXPECT_THAT(Stored("TORCH_MODEL_ZOO", "https://joe:pw@example.org").why, HasSubstr("address"));
  EXPECT_EQ(Stored("TORCH_API_KEY", "abc").value, "");
}

TEST(EnvironmentCollectorTest, KeepsOfPathsOnlyTheNamesOfLibraries) {
  EXPECT_EQ(Stored("LD_PRELOAD", "/home/joe/libfast.so:/usr/lib/libjemalloc.so.2").value,
            "libfast.so:libjemalloc.so.2");
  EXPECT_EQ(Stored("MALLOC_CONF", "prof_prefix:/home/joe/heap,background_thread:true").value,
            "prof_prefix:(path),background_thread:true");
  EXPECT_EQ(Stored("GLIBC_TUNABLES", "glibc.malloc.arena_max=1").value, "glibc.malloc.arena_max=1");
  EXPECT_EQ(Stored("TORCH_HOME", "/home/joe").value, "(path)");
  EXPECT_EQ(Stored("XLA_FLAGS", "--xla_dump_to=/home/joe --x=1").value,
            "--xla_dump_to=(path) --x=1");
}

TEST(EnvironmentCollectorTest, KeepsNoSerialNumberOfAGpu) {
  EXPECT_EQ(Stored("CUDA_VISIBLE_DEVICES", "GPU-8932f937-d72c,MIG-1f2e,3").value, "GPU-*,MIG-*,3");
}

TEST(EnvironmentCollectorTest, SaysThatASettingIsEmpty) {
  // Empty hides every GPU: another thing than not being set.
  EXPECT_EQ(Stored("CUDA_VISIBLE_DEVICES", "").why, "set, but empty");
}

TEST(EnvironmentCollectorTest, TakesTheFirstOfTwo) {
  EXPECT_EQ(
      ValueOf(Collect({"OMP_NUM_THREADS=2", "OMP_NUM_THREADS=1"}), "environment.OMP_NUM_THREADS"),
      "2");
}

TEST(EnvironmentCollectorTest, ReadsThisProcess) {
  ASSERT_EQ(setenv("OMP_XSP_TEST", "17", 1), 0);
  const auto facts = kSpec.collect();
  EXPECT_EQ(ValueOf(facts, "environment.OMP_XSP_TEST"), "17");
  EXPECT_THAT(BadFacts(facts, "environment"), IsEmpty());
  unsetenv("OMP_XSP_TEST");
}

}  // namespace
}  // namespace xsp::collect::environment
