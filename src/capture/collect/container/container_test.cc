#include "capture/collect/container/container.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "capture/collect/fixture_tree.h"

namespace xsp::collect::container {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

std::vector<Fact> Facts(const FixtureTree& tree, const std::set<std::string>& variables = {}) {
  auto facts = Collect(MachineFiles(tree.root()),
                       [&](const char* name) { return variables.contains(name); });
  EXPECT_THAT(BadFacts(facts, "container"), IsEmpty());
  return facts;
}

TEST(ContainerCollectorTest, SeesNoneWhereThereIsNoMark) {
  const FixtureTree tree({{"proc/self/cgroup", "0::/user.slice/session-1.scope\n"}});
  tree.Write("proc/1/environ", std::string("HOME=/\0TERM=linux\0", 18));
  const auto facts = Facts(tree);
  EXPECT_EQ(ValueOf(facts, "container.kind"), "none seen");
  EXPECT_EQ(ValueOf(facts, "container.kubernetes"), "none seen");
  EXPECT_EQ(ValueOf(facts, "container.said_by_init"), "none");
  EXPECT_THAT(FactOf(facts, "container.signs").why, HasSubstr("no mark"));
}

TEST(ContainerCollectorTest, KnowsDockerByItsFile) {
  const FixtureTree tree({{".dockerenv", ""}, {"proc/self/cgroup", "0::/\n"}});
  const auto facts = Facts(tree);
  EXPECT_EQ(ValueOf(facts, "container.kind"), "docker");
  EXPECT_EQ(ValueOf(facts, "container.signs"), "docker (/.dockerenv)");
  EXPECT_THAT(FactOf(facts, "container.said_by_init").why, HasSubstr("not readable"));
}

TEST(ContainerCollectorTest, KnowsPodmanAndStoresNoNameOfItsImage) {
  const FixtureTree tree({{"run/.containerenv", "name=\"secret\"\nimage=\"secret.example/x\"\n"}});
  const auto facts = Facts(tree);
  EXPECT_EQ(ValueOf(facts, "container.kind"), "podman");
  for (const Fact& fact : facts) EXPECT_EQ(fact.value.find("secret"), std::string::npos);
}

TEST(ContainerCollectorTest, KnowsKubernetesByGroupOrVariable) {
  const FixtureTree by_group({{"proc/self/cgroup", "0::/kubepods/burstable/pod-secret/abc\n"}});
  EXPECT_EQ(ValueOf(Facts(by_group), "container.kind"), "kubernetes");
  EXPECT_EQ(ValueOf(Facts(by_group), "container.kubernetes"), "yes");
  const FixtureTree by_variable({{"proc/self/cgroup", "0::/\n"}});
  EXPECT_EQ(ValueOf(Facts(by_variable, {"KUBERNETES_SERVICE_HOST"}), "container.kubernetes"),
            "yes");
}

TEST(ContainerCollectorTest, TellsDockersContainersFromItsService) {
  const FixtureTree container({{"proc/self/cgroup", "0::/system.slice/docker-0123.scope\n"}});
  EXPECT_EQ(ValueOf(Facts(container), "container.kind"), "docker");
  const FixtureTree service({{"proc/self/cgroup", "0::/system.slice/docker.service\n"}});
  EXPECT_EQ(ValueOf(Facts(service), "container.kind"), "none seen");
}

TEST(ContainerCollectorTest, BelievesTheEngineBeforeAForeignMark) {
  // Podman leaves Docker's file for programs that look for it.
  const FixtureTree tree({{".dockerenv", ""}});
  tree.Write("proc/1/environ", std::string("HOME=/\0container=podman\0", 24));
  const auto facts = Facts(tree);
  EXPECT_EQ(ValueOf(facts, "container.kind"), "podman");
  EXPECT_EQ(ValueOf(facts, "container.said_by_init"), "podman");
  EXPECT_THAT(ValueOf(facts, "container.signs"), HasSubstr("docker (/.dockerenv)"));
}

TEST(ContainerCollectorTest, StoresNothingThatIsNoKind) {
  const FixtureTree tree({{"run/systemd/container", "The host of Some User"}});
  EXPECT_EQ(ValueOf(Facts(tree), "container.said_by_init"), "none");
}

TEST(ContainerCollectorTest, KnowsApptainer) {
  const FixtureTree tree({{".singularity.d/runscript", ""}});
  EXPECT_EQ(ValueOf(Facts(tree), "container.kind"), "apptainer");
  const FixtureTree empty({});
  EXPECT_EQ(ValueOf(Facts(empty, {"APPTAINER_CONTAINER"}), "container.kind"), "apptainer");
}

TEST(ContainerCollectorTest, NamesTheFileSystemOfTheRootThatIsSeen) {
  const FixtureTree tree(
      {{"proc/self/mountinfo",
        "1 0 0:2 / / rw - rootfs rootfs rw\n"
        "22 27 0:21 / /proc rw,relatime - proc proc rw\n"
        "27 1 0:9 / / rw,relatime shared:1 - overlay overlay rw,lowerdir=/a\n"}});
  EXPECT_EQ(ValueOf(Facts(tree), "container.root_file_system"), "overlay");
}

TEST(ContainerCollectorTest, WorksOnThisMachine) {
  EXPECT_THAT(BadFacts(kSpec.collect(), "container"), IsEmpty());
}

}  // namespace
}  // namespace xsp::collect::container
