#ifndef XSP_ANSWER_SUITE_DATA_FRAME_OPTIONS_H_
#define XSP_ANSWER_SUITE_DATA_FRAME_OPTIONS_H_

#include <filesystem>
#include <string>
#include <vector>

#include "answer/suite/data_frame.h"
#include "answer/suite/data_set.h"
#include "answer/suite/suite_command.h"
#include "core/request_fields.h"
#include "core/result.h"

namespace xsp::suite {

/// Where workload vectors come from: the options that every command on vectors has.
struct DataFrameOptions {
  std::vector<std::string> sources;  ///< Files, data sets, or experiments; empty: the whole store.
  DataFrameColumns columns;
  std::string where;                 ///< SQL condition over the columns of each table; empty: all.
  std::string per = "experiment";    ///< Or "point".
  std::vector<std::string> metrics;  ///< NAME=SQL, over the views of each experiment.
};

/// Adds source, label, group, metrics, where, per and metric to `fields`, stored in `*options`.
void AddDataFrameOptions(core::RequestFields& fields, DataFrameOptions* options);

/// True when `source` is to be opened by OpenTable(): a table, a data set, or nothing that exists
/// (so that the error names the data sets). Else it names an experiment, in `store` or by its
/// folder.
bool IsTable(const std::filesystem::path& store, const std::string& source);

/// The tables that the options name, one a table or data set, and one for all experiments together
/// (the last); each cut down by --where. Tables of one title get the name that they were asked for
/// by. What was done with the input is appended to `*treatments` (not null). Errors: as OpenTable()
/// and VectorsOf(); kUsage (--metric without experiments, two of one name as SQL compares names).
Result<std::vector<DataTable>> TablesOf(const CommandContext& context,
                                        const DataFrameOptions& options,
                                        std::vector<std::string>* treatments);

/// The frame that the options ask for, missing values still in it. Of several sources the metrics
/// are those of any, and workloads lack those that only the others have; a source that says no
/// suite is one by its own name; a metric without a unit is taken to have that of another source.
/// What was done with its input is appended to `*treatments` (not null). Errors: as TablesOf() and
/// DataFrameOf(); kBadInput when sources give one metric in different units.
Result<DataFrame> DataFrameOf(const CommandContext& context, const DataFrameOptions& options,
                              std::vector<std::string>* treatments);

}  // namespace xsp::suite

#endif  // XSP_ANSWER_SUITE_DATA_FRAME_OPTIONS_H_
