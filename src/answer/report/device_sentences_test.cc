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

TEST_F(DeviceSentencesTest, SaysWhyTheDeviceWasIdle) {
  InsertTime(500);
  Insert(
      "idle VALUES (1, NULL, 0, NULL, NULL, 'host', 3, 480, 0, 200, 'a', 'b'), "
      "(1, NULL, 0, NULL, NULL, 'kernel', 9, 20, 20, 3, 'a', 'b'), "
      "(1, NULL, 0, 7, NULL, 'other', 9, 900, 900, 3, 'a', 'b'), "
      "(1, NULL, 0, NULL, 3, 'other', 9, 900, 900, 3, 'a', 'b')");
  EXPECT_THAT(Texts(), ElementsAre("The device was idle 50.0 % of the time; 96.0 % of that because "
                                   "the host launched too late."));
}

TEST_F(DeviceSentencesTest, AHostIsLateOnlyUntilItLaunches) {
  InsertTime(500);
  Insert("idle VALUES (1, NULL, 0, NULL, NULL, 'host', 1, 500, 450, 500, 'a', 'b')");
  EXPECT_THAT(Texts(),
              ElementsAre("The device was idle 50.0 % of the time; 90.0 % of that with work "
                          "launched that waited for something else."));
}

TEST_F(DeviceSentencesTest, NamesNoCauseThatExplainsLessThanHalf) {
  InsertTime(500);
  Insert(
      "idle VALUES (1, NULL, 0, NULL, NULL, 'host', 3, 200, 0, 200, 'a', 'b'), "
      "(1, NULL, 0, NULL, NULL, 'other', 3, 150, 150, 200, 'a', 'b'), "
      "(1, NULL, 0, NULL, NULL, 'launch', 9, 150, 150, 3, 'a', 'b')");
  EXPECT_THAT(Texts(), ElementsAre("The device was idle 50.0 % of the time."));
}

TEST_F(DeviceSentencesTest, SaysWhatRunsAlone) {
  InsertTime(0, 80, 60);
  EXPECT_THAT(Texts(),
              ElementsAre("Communication that no computation hides takes 8.00 % of the device "
                          "time, copies alone 6.00 %."));
}

TEST_F(DeviceSentencesTest, ShortKernelsMatterWhereTheDeviceIsIdle) {
  InsertTime(200);
  InsertLaunches(10, 4);
  EXPECT_THAT(Texts(), ElementsAre("The device was idle 20.0 % of the time.",
                                   "40.0 % of the kernels are shorter than the call that launches "
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
