#include "answer/report/function_sentences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "answer/report/sentences_testing.h"

namespace xsp::report {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class FunctionSentencesTest : public ImportedRunTest {
 protected:
  void InsertFunction(int node, const std::string& kind, const std::string& frame, int self) {
    Insert(
        "call_tree (run_id, node, parent, depth, kind, frame, module, samples, self_samples) "
        "VALUES (1, " +
        std::to_string(node) + ", NULL, 0, '" + kind + "', '" + frame + "', 'lib.so', " +
        std::to_string(self) + ", " + std::to_string(self) + ")");
  }
  std::vector<std::string> Texts() { return TextsOf(FunctionSentences(database_, 1)); }
};

TEST_F(FunctionSentencesTest, NamesTheFunctionsWithTheMostTimeOfTheirOwn) {
  InsertFunction(1, "native", "gemm", 50);
  InsertFunction(2, "native", "gemm", 30);  // Called from elsewhere.
  InsertFunction(3, "native", "parse", 116);
  InsertFunction(4, "native", "little", 4);
  InsertFunction(5, "python", "main", 900);
  EXPECT_THAT(Texts(),
              ElementsAre("Functions with the most CPU time of their own: `parse` (lib.so) "
                          "58.0 %, `gemm` (lib.so) 40.0 % (of 200 samples)."));
}

TEST_F(FunctionSentencesTest, SaysOfPythonWhereThatIsAllThereIs) {
  InsertFunction(1, "python", "wait", 150);
  EXPECT_THAT(Texts(), ElementsAre("Functions with the most time (threads that wait included) of "
                                   "their own: `wait` (lib.so) 100 % (of 150 samples)."));
}

TEST_F(FunctionSentencesTest, IsSilentOnAHandfulOfSamples) {
  EXPECT_THAT(Texts(), IsEmpty());
  InsertFunction(1, "native", "gemm", 60);
  EXPECT_THAT(Texts(), IsEmpty());
}

}  // namespace
}  // namespace xsp::report
