#include "os/interrupt_forwarder.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "os/foreground_program.h"

namespace xsp::os {
namespace {

/// Runs a script whose output goes to a file, and asks it to stop once it has written a line.
class InterruptForwarderTest : public ::testing::Test {
 protected:
  ExitStatus Run(const std::string& script, int signal, int requests) {
    const std::string output = testing::TempDir() + "/forwarder-" +
                               testing::UnitTest::GetInstance()->current_test_info()->name();
    std::remove(output.c_str());
    Interrupts interrupts;
    ForegroundProgram program;
    EXPECT_TRUE(program.Start({"sh", "-c", script}, {.output = output}).ok());
    std::thread user([&] {
      std::string line;
      do {
        std::this_thread::yield();
        std::ifstream file(output);
        line.clear();
        std::getline(file, line);
      } while (line != "ready");
      for (int i = 0; i < requests; ++i) interrupts.Request(signal);
    });
    ExitStatus exit;
    {
      const InterruptForwarder forwarder(interrupts, program.pid());
      exit = program.Wait();
    }
    user.join();
    std::remove(output.c_str());
    return exit;
  }
};

TEST_F(InterruptForwarderTest, RequestArrivesAsItsSignal) {
  const char* const script =
      "trap 'exit 5' INT; trap 'exit 6' TERM; echo ready; while :; do sleep 0.01; done";
  EXPECT_EQ(Run(script, SIGINT, 1).code, 5);
  EXPECT_EQ(Run(script, SIGTERM, 1).code, 6);
}

TEST_F(InterruptForwarderTest, SecondRequestKills) {
  EXPECT_EQ(Run("trap '' INT; echo ready; while :; do sleep 0.01; done", SIGINT, 2).signal,
            SIGKILL);
}

TEST_F(InterruptForwarderTest, WithoutARequestItEndsWithItsOwner) {
  const Interrupts interrupts;
  const InterruptForwarder forwarder(interrupts, 1 << 30);
}

}  // namespace
}  // namespace xsp::os
