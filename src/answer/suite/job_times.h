#ifndef XSP_ANSWER_SUITE_JOB_TIMES_H_
#define XSP_ANSWER_SUITE_JOB_TIMES_H_

#include <optional>
#include <string>
#include <vector>

#include "answer/suite/data_set.h"
#include "core/request_fields.h"
#include "core/result.h"

namespace xsp::suite {

/// How long a job takes on so many devices, processes or threads.
struct WidthTime {
  int width;
  double time;    ///< In JobTable::unit; > 0.
  double memory;  ///< Per device, in the unit of the table; kMissing where not known.
};

/// A moldable job: it runs on any one of these widths from its start to its end.
struct JobTimes {
  std::string job;
  double release = 0;         ///< Not before; in JobTable::unit, >= 0.
  std::vector<WidthTime> at;  ///< Widths ascending, each once; never empty.
  /// The time that a speed-up of 1 stands for; nothing: the table states no speed-up of this job.
  std::optional<double> time_on_one = {};
};

struct JobTable {
  std::vector<JobTimes> jobs;  ///< In the table's order, each name once.
  std::string unit;            ///< "min", "s", ...; empty where nothing says it.
  std::string provenance;      ///< Of the times.
};

/// Which columns of a table are what; empty: found by name (the names are in the documentation of
/// `xsp suite schedule`).
struct JobColumns {
  std::string job;
  std::string width;
  std::string time;
  std::string speedup;
  std::string memory;
  std::string release;
  std::string unit;
};

/// Adds job, width_column, time_column, speedup_column and unit to `fields`.
void AddJobOptions(core::RequestFields& fields, JobColumns* columns);

/// What a table without a single time means: an error, or times relative to the narrowest width.
enum class Relative { kRefused, kAllowed };

/// The jobs of `data`, in long form (a row for each job and width: width, time or speed-up) or wide
/// form (a row for each job, columns that end in the width: "minutes_1gpu", "speedup_2"; "t4" and
/// "4" where at least two are alike). A speed-up makes a time by the job's own time on width 1, or
/// on the narrowest width that states both; a time that is stated wins over a speed-up beside it.
/// Said in `*treatments` (appended to; not null): missing values, which leave that width out, jobs
/// without any value, which are left out, and times and speed-ups that contradict each other by
/// more than 2 %. Errors: kBadInput for a table that is neither, a time, speed-up or memory that is
/// not positive, a width that is no whole number >= 1, a negative release, two values for one job
/// and width, a job with speed-ups but without any time, no job with a value, columns of times in
/// different units; kUsage for a `columns.unit` other than the table states.
Result<JobTable> JobTableOf(const DataTable& data, const JobColumns& columns, Relative relative,
                            std::vector<std::string>* treatments);

}  // namespace xsp::suite

#endif  // XSP_ANSWER_SUITE_JOB_TIMES_H_
