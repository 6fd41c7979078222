#ifndef XSP_ANSWER_SUITE_JOBS_KINDS_H_
#define XSP_ANSWER_SUITE_JOBS_KINDS_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "answer/suite/answer.h"
#include "answer/suite/jobs/launch.h"
#include "core/result.h"

namespace xsp::suite::jobs {

/// One program, and how it is started as one job spread over several processes.
struct Job {
  std::string name;
  std::vector<std::string> command;
  std::vector<std::string> distributed;  ///< Empty: none.
  double distributed_work = 1;           ///< The work of it, in single runs.
  int distributed_width = 0;             ///< Devices of it, a single run has one; 0: not said.
};

/// What was asked for.
struct Request {
  std::vector<Job> jobs;
  int copies = 2;                               ///< Of a uniform run; 1: there is none.
  std::vector<std::vector<std::string>> mixed;  ///< Names of jobs that run at once.
};

/// Every two of `jobs`, for Request::mixed.
std::vector<std::vector<std::string>> PairsOf(const std::vector<Job>& jobs);

/// Reads a jobs.yaml (docs/suite/jobs.md). Errors: kBadInput with file and line.
Result<Request> ReadRequest(const std::string& file);

/// A set of processes that run at once.
struct Kind {
  std::string name;  ///< "single matmul", "2 x matmul", "distributed matmul", "mixed"
  std::string type;  ///< single, uniform, distributed, mixed
  std::vector<Launch> launches;
  double work = 1;  ///< Of each process, in single runs of its job.
  int width = 1;    ///< Devices, of which a single run has one; 0: not said.
};

/// single runs of every job, then uniform and distributed runs, then the mixed runs of two jobs or
/// more. Errors: kBadInput for a request that is not one (no job, two of one name, a name that is
/// no job or stands twice in a mixed run, copies or work that are not positive).
Result<std::vector<Kind>> KindsOf(const Request& request);

/// One kind, run once.
struct Round {
  std::size_t kind = 0;  ///< Index into the kinds.
  std::vector<Ended> ended;
  /// Means while it ran: columns of table 6 of Verma et al., and those of other series that have
  /// one part; a name that is not there was not visible.
  std::map<std::string, double> usage;
  std::string experiment;  ///< Its name in the store.
};

/// The columns of table 6, in its order, with their units.
const std::vector<std::pair<std::string, std::string>>& UsageColumns();

/// What the rounds say: tables `kinds`, `usage` (long: one row a kind and column) and `processes`,
/// their charts, sentences. Makespan: from the common start to the last end, median over the rounds
/// with least and most. Relative throughput: work done, counted in seconds that it takes in single
/// runs (median), over the makespan; 1 is one after another. Slow-down: mean over processes of
/// their time over that of the single run. Jobs whose single run is shorter than a second are
/// named: their start is much of them. `rate_hz`: samples of the machine a second. Every kind has
/// at least one round, all processes of them succeeded.
Answer Summarise(const std::vector<Kind>& kinds, const std::vector<Round>& rounds, double rate_hz);

}  // namespace xsp::suite::jobs

#endif  // XSP_ANSWER_SUITE_JOBS_KINDS_H_
