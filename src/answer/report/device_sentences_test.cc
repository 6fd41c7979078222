#include "answer/report/device_sentences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "answer/report/sentences_testing.h"

namespace xsp::report {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class DeviceSentencesTest : public ImportedRunTest {
 protected:
  /// One device's whole run, and a step that must not count.
  void InsertTime(int idle, int exposed_communication = 0, int exposed_copy = 0) {
    Insert("device_time VALUES (1, NULL, 0, NULL, 0, 1000, " + std::to_string(1000 - idle) + ", " +
           std::to_string(idle) + ", 0, 0, 0, 0, " + std::to_string(exposed_communication) + ", " +
           std::to_string(exposed_copy) + ", 9)");
    Insert("device_time VALUES (1, NULL, 0, 3, 0, 500, 0, 500, 0, 0, 0, 0, 500, 500, 9)");
  }

  void InsertLaunches(int launches, int shorter) {
    Insert("launch VALUES (1, NULL, 0, 'k', 'kernel', " + std::to_string(launches) + ", 0, " +
           std::to_string(shorter) + ", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)");
  }

  std::vector<std::string> Texts() { return TextsOf(DeviceSentences(database_, 1)); }
};

TEST_F(DeviceSentencesTest, SaysWhatRunsAlone) {
  InsertTime(0, 80, 60);
  EXPECT_THAT(Texts(),
              ElementsAre("Communication that no computation hides takes 8.00 % of the device "
                          "time, copies alone 6.00 %."));
}

TEST_F(DeviceSentencesTest, ShortKernelsMatterWhereTheDeviceIsIdle) {
  InsertTime(200);
  InsertLaunches(10, 4);
  EXPECT_THAT(Texts(), ElementsAre("40.0 % of the kernels are shorter than the call that launches "
                                   "them: the host cannot keep the device busy with these."));
}

TEST_F(DeviceSentencesTest, ABusyDeviceNeedsNoWords) {
  InsertTime(50, 40, 40);
  InsertLaunches(10, 4);
  Insert("stream VALUES (1, NULL, 0, 7, 's', 9, 950, 950, 950, 0, 0, 0, 1000)");
  EXPECT_THAT(Texts(), IsEmpty());
}

TEST_F(DeviceSentencesTest, StreamsThatWorkInTurnsAreSaid) {
  InsertTime(0);
  Insert(
      "stream VALUES (1, NULL, 0, 7, 's', 9, 700, 690, 700, 0, 0, 0, 1000), "
      "(1, NULL, 0, 20, 't', 9, 310, 300, 310, 0, 0, 0, 1000), "
      "(1, NULL, 0, 21, 'u', 9, 1, 1, 1, 0, 0, 0, 1000)");
  EXPECT_THAT(Texts(), ElementsAre("2 streams of a device share its work and run side by side for "
                                   "only 1.98 % of their time."));
}

TEST_F(DeviceSentencesTest, NothingWithoutADevice) { EXPECT_THAT(Texts(), IsEmpty()); }

}  // namespace
}  // namespace xsp::report
