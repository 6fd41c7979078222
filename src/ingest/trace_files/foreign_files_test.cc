#include "ingest/trace_files/foreign_files.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "ingest/importers/container_testing.h"

namespace xsp::trace_files {
namespace {

std::string What(std::string_view prefix, const char* file = "a.json") {
  const auto found = ForeignFileOf(importers::SniffInput(prefix, file));
  return found ? std::string(found->what) : "";
}

TEST(ForeignFiles, AreToldByTheirFirstBytesOrTheirName) {
  EXPECT_EQ(What(R"([{"cat" : "Session","pid" :7,"dur" :20,"name" :"session_initialization"})")
                .substr(0, 15),
            "an ONNX Runtime");
  EXPECT_EQ(What(std::string_view("SQLite format 3\0rest", 20), "report.db").substr(0, 9),
            "an SQLite");
  EXPECT_EQ(What("PERFILE2xx", "perf.data"), "a recording of perf");
  EXPECT_EQ(What("\x01\x02", "run.nsys-rep"), "an Nsight Systems report");
  EXPECT_EQ(What("onednn_verbose,v1,primitive,exec,cpu", "log.txt"), "oneDNN's verbose text");
}

/// What a file of these bytes is.
std::string WhatOfFile(const std::string& bytes) {
  const auto file = std::filesystem::path(testing::TempDir()) / "foreign";
  std::ofstream(file, std::ios::binary) << bytes;
  const std::string what = What(bytes, file.c_str());
  std::filesystem::remove(file);
  return what;
}

TEST(ForeignFiles, DatabasesDifferByTheirTables) {
  const auto what = [](const std::vector<std::string>& tables) {
    std::vector<std::string> cells;
    for (const std::string& table : tables)
      cells.push_back(importers::DatabaseCell("table", table, static_cast<int>(cells.size()) + 1));
    return WhatOfFile(importers::DatabasePage(true, true, cells));
  };
  EXPECT_EQ(what({"StringIds", "TARGET_INFO_GPU"}), "an Nsight Systems report, exported as SQLite");
  EXPECT_EQ(what({"StringTable", "CUPTI_ACTIVITY_KIND_MEMCPY"}), "a profile of nvprof (SQLite)");
  EXPECT_EQ(what({"rocpd_string"}), "a profile of rocprofv3 or rpd (SQLite)");
  EXPECT_EQ(what({"StringIds"}).substr(0, 9), "an SQLite");
}

TEST(ForeignFiles, ArchivesDifferByTheirMembers) {
  EXPECT_EQ(WhatOfFile(importers::Archive({"net/data.pkl", "net/version"})),
            "a PyTorch model or its weights, no trace");
  EXPECT_EQ(WhatOfFile(importers::Archive({"rank0.json"})), "a ZIP archive");
}

TEST(ForeignFiles, AreNoneWhereNothingTells) {
  EXPECT_EQ(What(R"({"traceEvents": [{"ph": "X", "cat": "Session"}]})"), "");
  EXPECT_EQ(What("a note on SQLite format 3", "notes.txt"), "");
  EXPECT_EQ(What(""), "");
}

}  // namespace
}  // namespace xsp::trace_files
