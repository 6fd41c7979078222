// An unchanged C program, compiled against NVTX's own header, with the injected library.

#include <gtest/gtest.h>
#include <stdio.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "capture/wire/collected_records.h"

// cmake/Paths.cmake.
extern const char kInjectedLibrary[];
extern const char kNvtxProgram[];

namespace xsp::record {
namespace {

using wire::CollectedRecords;
using Span = CollectedRecords::Span;

class Nvtx : public testing::Test {
 protected:
  /// Runs one case of the program; `environment` in the shell's words. Returns its output.
  std::string Run(const std::string& name, const std::string& environment = "") {
    const std::string command = "XSP_RECORD_FOLDER='" + folder_.path().string() +
                                "' NVTX_INJECTION64_PATH='" + kInjectedLibrary + "' " +
                                environment + " '" + kNvtxProgram + "' " + name + " 2>&1";
    FILE* pipe = popen(command.c_str(), "r");
    std::string output;
    for (int c; (c = fgetc(pipe)) != EOF;) output += static_cast<char>(c);
    EXPECT_EQ(pclose(pipe), 0) << output;
    return output;
  }

  std::unique_ptr<CollectedRecords> Read() {
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      auto read = wire::ReadRecording(entry.path().string());
      EXPECT_TRUE(read->is_readable) << read->error.what;
      if (entry.path().extension() == ".xspr") return read;
    }
    ADD_FAILURE() << "nothing was recorded";
    return std::make_unique<CollectedRecords>();
  }

  static const Span* Find(const CollectedRecords& read, const std::string& name) {
    for (const Span& span : read.spans) {
      if (span.name == name) return &span;
    }
    ADD_FAILURE() << "no span " << name;
    static const Span kNone = {};
    return &kNone;
  }

  /// Attributes of a span, or facts of the process (0).
  static std::map<std::string, std::string> Attributes(const CollectedRecords& read,
                                                       std::uint32_t span) {
    std::map<std::string, std::string> found;
    for (const auto& attribute : read.attributes) {
      if (attribute.span == span) found[attribute.key] = attribute.value;
    }
    return found;
  }

  wire::ScratchFolder folder_;
};

TEST_F(Nvtx, NestsPushedRanges) {
  EXPECT_EQ(Run("nested"), "0 1 1 0\n") << "what NVTX says that push and pop return";
  const auto read = Read();
  ASSERT_EQ(read->spans.size(), 4u);
  const Span* outer = Find(*read, "outer");
  EXPECT_EQ(outer->level, XSP_LEVEL_APPLICATION);
  EXPECT_EQ(outer->type, "range");
  for (const char* name : {"first", "second", "wei\u00df\U0001f600"}) {
    EXPECT_EQ(Find(*read, name)->parent, outer->id) << name;
    EXPECT_FALSE(Find(*read, name)->is_open()) << name;
  }
  ASSERT_EQ(read->marks.size(), 1u);
  EXPECT_EQ(read->marks[0].name, "a mark");
  EXPECT_TRUE(Attributes(*read, outer->id).empty());
  EXPECT_FALSE(read->losses.is_unclosed);
}

TEST_F(Nvtx, KeepsWhatARangeCarries) {
  Run("details");
  const auto read = Read();
  const Span* load = Find(*read, "load");
  auto attributes = Attributes(*read, load->id);
  EXPECT_EQ(attributes["domain"], "my.domain");
  EXPECT_EQ(attributes["category"], "input");
  EXPECT_EQ(attributes["color"], "#ff00aa11");
  ASSERT_EQ(read->metrics.size(), 1u);
  EXPECT_EQ(read->metrics[0].span, load->id);
  EXPECT_EQ(read->metrics[0].name, "payload");
  EXPECT_EQ(read->metrics[0].value, -5);
  EXPECT_EQ(read->metrics[0].provenance, "reported:nvtx");
  const Span* wide = Find(*read, "wide");
  EXPECT_EQ(wide->parent, load->id);
  attributes = Attributes(*read, wide->id);
  EXPECT_EQ(attributes["category"], "8") << "without a name its number";
  EXPECT_EQ(attributes["payload"], "18446744073709551615") << "no double holds it";
  EXPECT_FALSE(attributes.contains("color"));
}

TEST_F(Nvtx, PutsALibrarysDomainAtTheLibraryLevel) {
  Run("domains");
  const auto read = Read();
  ASSERT_EQ(read->spans.size(), 2u);
  const Span* call = Find(*read, "cudnnConvolutionForward");
  EXPECT_EQ(call->level, XSP_LEVEL_LIBRARY);
  EXPECT_EQ(call->type, "cudnn");
  EXPECT_EQ(call->parent, Find(*read, "step")->id);
  EXPECT_FALSE(call->is_open()) << "a domain that was made twice is one";
  EXPECT_LT(Find(*read, "step")->end_ns, call->end_ns) << "each domain has a stack of its own";
}

TEST_F(Nvtx, RecordsRangesThatOverlapAcrossThreads) {
  Run("loose");
  const auto read = Read();
  ASSERT_EQ(read->spans.size(), 2u);
  const Span *first = Find(*read, "request 1"), *second = Find(*read, "request 2");
  EXPECT_LE(first->start_ns, second->start_ns);
  EXPECT_LT(first->end_ns, second->end_ns);
  EXPECT_EQ(first->parent, 0u);
  EXPECT_NE(first->thread, second->thread) << "of the thread that ended it";
  EXPECT_EQ(Attributes(*read, first->id)["range_kind"], "start_end");
  EXPECT_EQ(Attributes(*read, first->id)["start_thread_id"], std::to_string(read->info.process_id));
  EXPECT_FALSE(Attributes(*read, second->id).contains("start_thread_id"));
  const std::string ender = std::to_string(read->threads[first->thread].thread_id);
  EXPECT_EQ(Attributes(*read, 0)["thread." + ender + ".name"], "the ender");
}

TEST_F(Nvtx, CountsWhatDoesNotFitTogether) {
  EXPECT_EQ(Run("faults"), "-1\n");
  const auto read = Read();
  auto facts = Attributes(*read, 0);
  EXPECT_EQ(facts["ranges.lone_pops"], "1");
  EXPECT_EQ(facts["ranges.unknown_ends"], "1");
  EXPECT_EQ(facts["ranges.lost_starts"], "905") << "4096 places, one was taken";
  EXPECT_EQ(facts["ranges.never_ended"], "4096");
  for (const char* problem : {"range_pop_without_push", "range_unknown_end", "range_too_many_open",
                              "range_never_ended"}) {
    EXPECT_TRUE(facts.contains("problem." + std::string(problem))) << problem;
  }
  EXPECT_EQ(std::ranges::count(read->spans, "deep", &Span::name), 100);
  EXPECT_EQ(std::ranges::count(read->spans, "", &Span::name), 2) << "ranges without a message";
  EXPECT_EQ(read->losses.open_spans, 0u);
}

TEST_F(Nvtx, RecordsOnlyWhileTheAskedRangeIsOpen) {
  Run("asked", "XSP_RECORD_RANGE=measured");
  const auto read = Read();
  std::map<std::string, int> counts;
  for (const Span& span : read->spans) ++counts[span.name];
  const std::map<std::string, int> wanted = {{"measured", 3}, {"inside", 2}, {"between", 1}};
  EXPECT_EQ(counts, wanted) << "from the first that opens to the last that ends, on any thread";
}

TEST_F(Nvtx, TellsAskedRangesByTheirDomain) {
  Run("asked", "XSP_RECORD_RANGE=measured@elsewhere");
  EXPECT_TRUE(Read()->spans.empty());
}

TEST_F(Nvtx, FollowsAForkedChild) {
  Run("forked");
  std::map<std::string, int> counts;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
    const auto read = wire::ReadRecording(entry.path().string());
    for (const Span& span : read->spans) ++counts[span.name];
  }
  EXPECT_EQ(counts["child"], 1);
  EXPECT_EQ(counts["parent"], 1);
}

TEST_F(Nvtx, KeepsThreadsThatRecordAtOnceApart) {
  Run("threads");
  const auto read = Read();
  EXPECT_EQ(std::ranges::count(read->spans, "loose", &Span::name), 80000);
  EXPECT_EQ(std::ranges::count(read->spans, "pushed", &Span::name), 80000);
  EXPECT_EQ(read->losses.open_spans, 0u);
  EXPECT_FALSE(Attributes(*read, 0).contains("ranges.unknown_ends"));
}

TEST_F(Nvtx, LeavesTheProgramAloneWithoutAFolder) {
  EXPECT_EQ(Run("faults", "XSP_RECORD_FOLDER="), "-2\n") << "NVTX's own answer without a tool";
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

}  // namespace
}  // namespace xsp::record
