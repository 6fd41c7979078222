#include "ingest/trace_files/foreign_files.h"

#include <gtest/gtest.h>

#include <string>

namespace xsp::trace_files {
namespace {

std::string What(std::string_view prefix, const char* file = "a.json") {
  const auto found = ForeignFileOf(prefix, file);
  return found ? std::string(found->what) : "";
}

TEST(ForeignFiles, AreToldByTheirFirstBytesOrTheirName) {
  EXPECT_EQ(What(R"([{"cat" : "Session","pid" :7,"dur" :20,"name" :"session_initialization"})")
                .substr(0, 15),
            "an ONNX Runtime");
  EXPECT_EQ(What("SQLite format 3\0rest", "report.db").substr(0, 9), "an SQLite");
  EXPECT_EQ(What("PERFILE2xx", "perf.data"), "a recording of perf");
  EXPECT_EQ(What("\x01\x02", "run.nsys-rep"), "an Nsight Systems report");
  EXPECT_EQ(What("onednn_verbose,v1,primitive,exec,cpu", "log.txt"), "oneDNN's verbose text");
}

TEST(ForeignFiles, AreNoneWhereNothingTells) {
  EXPECT_EQ(What(R"({"traceEvents": [{"ph": "X", "cat": "Session"}]})"), "");
  EXPECT_EQ(What("a note on SQLite format 3", "notes.txt"), "");
  EXPECT_EQ(What(""), "");
}

}  // namespace
}  // namespace xsp::trace_files
