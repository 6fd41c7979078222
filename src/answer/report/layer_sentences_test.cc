#include "answer/report/layer_sentences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "answer/report/sentences_testing.h"

namespace xsp::report {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

/// A CPU model whose layer run took 3 times as long as its model run, and a device trace whose host
/// waits in a copy.
class LayerSentencesTest : public testing::Test {
 protected:
  void Insert(const std::string& rows) {
    const auto done = database_.Query("INSERT INTO " + rows);
    ASSERT_TRUE(done.ok()) << done.error().what;
  }
  void Update(const std::string& sql) {
    const auto done = database_.Query("UPDATE " + sql);
    ASSERT_TRUE(done.ok()) << done.error().what;
  }

  void InsertBusyMachine() {
    Insert(
        "point (point_id, model, backend, device, precision, batch, settings, latency_ns, status) "
        "VALUES (1, 'm', 'b', 'cpu', 'float32', 1, '{}', 100e3, 'done'), "
        "(2, 'm', 'b', 'cpu', 'float32', 8, '{}', 150e3, 'done')");
    Insert(
        "run (run_id, point_id, rung, status, path, latency_ns, latency_low_ns, latency_high_ns, "
        "baseline_ns) VALUES (1, 1, 'model', 'done', 'a', 100e3, 98e3, 102e3, NULL), "
        "(2, 1, 'layer', 'done', 'b', 300e3, 290e3, 310e3, 295e3), "
        "(3, 1, 'kernel', 'done', 'c', 900e3, 890e3, 910e3, 305e3)");
    Insert(
        "layer (point_id, layer_index, name, type, latency_ns, device_ns, kernel_run_ns, "
        "source_run, "
        "matched) VALUES (1, 0, 'a', 'linear', 180e3, 500e3, 540e3, 2, 'all'), "
        "(1, 1, 'b', 'relu', 60e3, 170e3, 180e3, 2, 'all')");
    Insert(
        "kernel (point_id, kernel_index, layer_index, name, type, duration_ns, source_run, "
        "matched) "
        "VALUES (1, 0, 0, 'k', 'primitive', 500e3, 3, 'all'), "
        "(1, 1, 1, 'r', 'native', 170e3, 3, 'all')");
  }

  void InsertDeviceTrace() {
    Insert(
        "point (point_id, model, backend, device, precision, settings, latency_ns, status) VALUES "
        "(1, 'm', 'b', 'gpu', 'float32', '{}', 1000e3, 'done')");
    Insert(
        "run (run_id, point_id, rung, status, path, latency_ns, samples) VALUES "
        "(1, 1, 'imported', 'done', 'a', 1000e3, 1)");
    Insert(
        "device_time VALUES (1, NULL, 0, NULL, 0, 950000, 500000, 450000, 490000, 0, 10000, 0, 0, "
        "10000, 5)");
    Insert(
        "layer (point_id, layer_index, name, type, latency_ns, device_ns, kernel_run_ns, "
        "source_run, "
        "matched) VALUES (1, 0, 'a', 'aten::bmm', 20e3, 100e3, 20e3, 1, 'single'), "
        "(1, 1, 'b', 'aten::softmax', 5e3, 231.5e3, 5e3, 1, 'single'), "
        "(1, 2, 'c', 'aten::bmm', 20e3, 80e3, 20e3, 1, 'single'), "
        "(1, 3, 'd', 'aten::add', 5e3, 78.5e3, 5e3, 1, 'single'), "
        "(1, 4, 'e', 'aten::to', 800e3, 10e3, 800e3, 1, 'single')");
    Insert(
        "tree VALUES (1, NULL, 1, NULL, 0, 'application', 'range', 'r', 1, 1000000, 0, 500000, 0, "
        "5), "
        "(1, NULL, 2, 1, 1, 'layer', 'aten::to', 'aten::to', 1, 800000, 5000, 10000, 0, 1), "
        "(1, NULL, 3, 2, 2, 'library', 'cuda_runtime', 'cudaMemcpyAsync', 1, 600000, 600000, 0, 0, "
        "1), "
        "(1, NULL, 4, 2, 2, 'library', 'cuda_runtime', 'cudaStreamSynchronize', 1, 100000, 90000, "
        "0, "
        "0, 0), "
        "(1, NULL, 5, 4, 3, 'library', 'cuda_driver', 'cuStreamSynchronize', 1, 90000, 90000, 0, "
        "0, "
        "0), "
        "(1, NULL, 6, 1, 1, 'library', 'cuda_runtime', 'cudaMemcpyAsync', 9, 90000, 90000, 0, 0, "
        "9)");
  }

  static std::vector<std::string> TextsOf(const Result<std::vector<Sentence>>& found) {
    return ImportedRunTest::TextsOf(found);
  }

  store::Database database_ = EmptyExperiment();
};

TEST_F(LayerSentencesTest, SharesAreOfTheLayersWhereProfilingDistortsTheCall) {
  InsertBusyMachine();
  EXPECT_THAT(TextsOf(DistortionSentences(database_, 1)), IsEmpty());
  // The layers add up to 240 us of a call of 300 us, which takes 100 us without profiling.
  Update(
      "run SET baseline_ns = 100e3, overhead_ratio = 2.0, overhead_ratio_low = 1.9 WHERE run_id = "
      "2");
  EXPECT_THAT(TextsOf(Sentences(database_, 1, BuiltInRules())).at(0),
              StartsWith("Profiling layers makes a call of 100 µs take 300 µs"));
  EXPECT_THAT(TextsOf(OutsideKernelSentences(database_, 1)), Each(Not(HasSubstr("between"))));
  EXPECT_THAT(TextsOf(DistortionSentences(database_, 1)).at(0),
              EndsWith("from a run without profiling."));
  Update("run SET rung = 'recorded' WHERE run_id = 2");
  EXPECT_THAT(TextsOf(DistortionSentences(database_, 1)).at(0),
              EndsWith("from later calls without profiling."));
  Update("run SET rung = 'layer' WHERE run_id = 2");
  // Not what may be noise.
  Update("run SET overhead_ratio_low = -0.5 WHERE run_id = 2");
  EXPECT_THAT(TextsOf(DistortionSentences(database_, 1)), IsEmpty());
}

TEST_F(LayerSentencesTest, WithholdsSharesWhereOthersTookMostOfTheTime) {
  InsertBusyMachine();
  Insert(
      "sample (run_id, iteration, latency_ns, disturbed, waited_ns, rung) VALUES "
      "(2, 0, 300000, true, 120000, 'layer'), (2, 1, 300000, true, 170000, 'layer'), "
      "(2, 0, 100000, false, 90000, 'model'), (1, 0, 100000, true, 99000, 'model')");
  EXPECT_THAT(TextsOf(Sentences(database_, 1, BuiltInRules())),
              Contains(HasSubstr("`linear` layers (1) take")));
  // Threads of a call may wait at once: no more than the call is counted.
  Update("sample SET waited_ns = 900000 WHERE run_id = 2 AND iteration = 1");
  EXPECT_THAT(TextsOf(Sentences(database_, 1, BuiltInRules())).at(0),
              StartsWith("Calls waited for a core for 70.0 % of their time"));
  EXPECT_THAT(TextsOf(Sentences(database_, 1, BuiltInRules())),
              Each(Not(HasSubstr("layers (1) take"))));
  EXPECT_THAT(TextsOf(Sentences(database_, 1, BuiltInRules())),
              Each(Not(HasSubstr("is the kernel with"))));
}

TEST_F(LayerSentencesTest, AProgramWithoutAModelSaysWhatToTryNext) {
  Insert(
      "point (point_id, model, backend, device, precision, settings, status) VALUES "
      "(1, 'm', 'program', 'cpu', 'unknown', '{}', 'done')");
  Insert("run (run_id, point_id, rung, status, path) VALUES (1, 1, 'recorded', 'done', 'a')");
  EXPECT_THAT(TextsOf(Sentences(database_, 1, BuiltInRules())).at(0),
              AllOf(StartsWith("No layer and no kernel was recorded"), HasSubstr("--stacks")));
  Insert("call_tree VALUES (1, 'native', 1, NULL, 0, 'f', 'm', 10, 10, 99)");
  EXPECT_THAT(TextsOf(NothingToSeeSentences(database_, 1)),
              ElementsAre(Not(HasSubstr("--stacks"))));
}

TEST_F(LayerSentencesTest, SaysFirstThatRunsDisagree) {
  InsertBusyMachine();
  EXPECT_THAT(
      TextsOf(DisagreementSentences(database_, 1)),
      ElementsAre(HasSubstr("a call takes 100 µs in the `model` run, the same call 295 µs in "
                            "the process of the `layer` run.")));
  EXPECT_THAT(TextsOf(Sentences(database_, 1, BuiltInRules())).at(0),
              StartsWith("Runs of this point disagree"));
  // What rests on several points' latencies is withheld.
  EXPECT_THAT(TextsOf(Sentences(database_, 1, BuiltInRules())), Each(Not(HasSubstr("Throughput"))));
  Update("run SET baseline_ns = 101e3 WHERE run_id = 2");
  EXPECT_THAT(TextsOf(DisagreementSentences(database_, 1)), IsEmpty());
  EXPECT_THAT(TextsOf(Sentences(database_, 1, BuiltInRules())).at(0), StartsWith("Throughput"));
}

TEST_F(LayerSentencesTest, RunsAgreeWithinTheirIntervals) {
  InsertBusyMachine();
  Update("run SET latency_low_ns = 90e3, latency_high_ns = 260e3 WHERE run_id = 1");
  EXPECT_THAT(TextsOf(DisagreementSentences(database_, 1)), IsEmpty());
}

TEST_F(LayerSentencesTest, ProfilingMakesARunSlowerButNeverFaster) {
  InsertBusyMachine();
  Update("run SET baseline_ns = NULL");
  EXPECT_THAT(TextsOf(DisagreementSentences(database_, 1)), IsEmpty());
  Update(
      "run SET latency_ns = 50e3, latency_low_ns = 49e3, latency_high_ns = 51e3 WHERE run_id = 2");
  EXPECT_THAT(TextsOf(DisagreementSentences(database_, 1)),
              ElementsAre(HasSubstr("only 50.0 µs in the `layer` run, which profiles more")));
}

TEST_F(LayerSentencesTest, KernelsAreSubtractedFromLayersOfTheirRun) {
  InsertBusyMachine();
  // 670 of 720 us in the kernel run; 240 of 300 us in the layer run.
  EXPECT_THAT(TextsOf(OutsideKernelSentences(database_, 1)),
              ElementsAre("6.94 % of the layers' time is spent outside kernels; 20.0 % of a call "
                          "lies between layers."));
  // A table of an older experiment, whose runs disagree: only what one run says.
  Update("layer SET kernel_run_ns = NULL");
  EXPECT_THAT(TextsOf(OutsideKernelSentences(database_, 1)),
              ElementsAre("20.0 % of a call lies between layers."));
}

TEST_F(LayerSentencesTest, DeviceTimeLeadsWhereADeviceDidTheWork) {
  InsertDeviceTrace();
  EXPECT_THAT(TextsOf(TopLayerSentences(database_, 1)),
              ElementsAre(AllOf(StartsWith("The layer with the most device time is `b`, "
                                           "`aten::softmax`: 232 µs on the device, 46.3 %"),
                                HasSubstr("the five longest take 100 %."))));
  EXPECT_THAT(TextsOf(OutsideKernelSentences(database_, 1)), IsEmpty());
}

TEST_F(LayerSentencesTest, LayersThatHoldLittleOfTheDevicesWorkSayNothing) {
  InsertDeviceTrace();
  Insert(
      "kernel (point_id, kernel_index, name, type, duration_ns, source_run, matched) VALUES "
      "(1, 9, 'replayed', 'kernel', 600e3, 1, 'single')");
  EXPECT_THAT(TextsOf(TopLayerSentences(database_, 1)), IsEmpty());
}

TEST_F(LayerSentencesTest, SynchronisingTimeIsWaiting) {
  InsertDeviceTrace();
  // The copy that returned late and the outermost synchronisation; not the nine short copies.
  EXPECT_THAT(TextsOf(HostWaitSentences(database_, 1)),
              ElementsAre("The host waits for the device for 70.0 % of a call, 100 % of that in "
                          "`aten::to`: waiting, not work of the host."));
  Update("tree SET host_ns = 50000 WHERE node IN (3, 4)");
  EXPECT_THAT(TextsOf(HostWaitSentences(database_, 1)), IsEmpty());
}

}  // namespace
}  // namespace xsp::report
