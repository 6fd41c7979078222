#ifndef XSP_ANSWER_SUITE_DATA_SET_H_
#define XSP_ANSWER_SUITE_DATA_SET_H_

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "answer/suite/answer.h"
#include "answer/suite/data_frame.h"
#include "core/result.h"

namespace xsp::suite {

/// One table of a data set: a folder of tables with a suite.yaml that says what they are, where
/// they are from, and what their columns mean. Those that ship with XSP lie in DataRoot()/suites.
struct DataTable {
  std::string kind;    ///< "vectors", "scaling", "kernel_classes", ...: what reads it by default.
  std::string source;  ///< Where the numbers are from, for people.
  DataFrameColumns frame;  ///< Which columns are labels and metrics, where suite.yaml says so.
  Table table;
};

/// The table of `kind` that `source` names: a CSV or Parquet file (of any kind; its columns have no
/// units), a folder with a suite.yaml, or the name of a data set that ships with XSP
/// ("mlperf-v0.5"). Errors: kBadInput (no such file or data set, naming those there are; a device
/// or a pipe; a data set without such a table, naming its kinds; a broken suite.yaml or table, with
/// file and line).
Result<DataTable> OpenTable(const std::string& source, std::string_view kind);

/// The kinds of the tables of the data set `source` (a folder with a suite.yaml, or the name of one
/// that ships with XSP), in its order; empty: `source` is no data set. Errors: kBadInput (a broken
/// suite.yaml).
Result<std::vector<std::string>> TableKinds(const std::string& source);

/// The names of the data sets that ship with XSP, sorted.
std::vector<std::string> DataSets();

}  // namespace xsp::suite

#endif  // XSP_ANSWER_SUITE_DATA_SET_H_
