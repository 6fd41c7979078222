#ifndef XSP_ANSWER_SUITE_ROOFLINES_WORKLOADS_H_
#define XSP_ANSWER_SUITE_ROOFLINES_WORKLOADS_H_

#include <optional>
#include <string>
#include <vector>

#include "answer/suite/data_frame.h"
#include "answer/suite/rooflines/roofline.h"
#include "answer/suite/suite_command.h"
#include "core/result.h"

namespace xsp::suite::rooflines {

struct Options {
  std::vector<std::string> sources;  ///< Tables, data sets, experiments; none: the whole store.
  std::string kind = "vectors";      ///< Of a data set's tables.
  DataFrameColumns columns;          ///< Labels and group of tables; group: also of experiments.
  std::string where;
  std::string flops = "flops";      ///< SQL over a table's columns: FLOP.
  std::string bytes = "bytes";      ///< Bytes read and written.
  std::string seconds = "time_s";   ///< s.
  std::string dtype;                ///< Of a table's workloads; empty: its column, if it has one.
  std::optional<double> peak;       ///< FLOP/s, above 0.
  std::optional<double> bandwidth;  ///< byte/s, above 0.
  std::vector<std::string> roofs;   ///< Experiments whose roofs are drawn too.
};

struct Workload {
  std::string label;
  std::string group;
  Work work;
  Place place;
  std::string provenance;  ///< Of FLOPs and traffic.
  std::string dtype = {};  ///< Of a table's, as roofs call it; empty: not known.
};

struct Suite {
  std::vector<Workload> workloads;
  std::string grouped_by;   ///< What their groups are, "backend"; "group": not the same for all.
  std::vector<Roof> roofs;  ///< Merged.
};

/// Reads what the options name. Experiments are placed by the analysis A15 under the roofs of the
/// data types that they use; workloads of tables under CeilingFor() their data type and SlopeFor(),
/// which is reported. What was done is appended to `*treatments` (not null). Errors: kUsage (a data
/// set has no table of that kind, no ceiling is of the data type that was asked for), kBadInput (no
/// such source, a column or expression that is none, negative work or time, naming the workload,
/// nothing to draw).
Result<Suite> Read(const CommandContext& context, const Options& options,
                   std::vector<std::string>* treatments);

}  // namespace xsp::suite::rooflines

#endif  // XSP_ANSWER_SUITE_ROOFLINES_WORKLOADS_H_
