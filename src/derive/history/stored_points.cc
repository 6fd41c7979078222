#include "derive/history/stored_points.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <variant>

#include "derive/history/measured_run.h"
#include "derive/history/metric_values.h"
#include "derive/history/stored_experiments.h"
#include "store/many_experiments.h"
#include "store/sql_text.h"
#include "store/typed_table.h"

namespace xsp::history {
namespace {

namespace fs = std::filesystem;

/// The newest experiment first; the points of one in their order.
std::string PointsQuery(const std::string& model) {
  return "SELECT * FROM point " +
         (model.empty() ? "" : "WHERE model = " + store::Quoted(model) + " ") +
         "ORDER BY experiment DESC, point_id";
}

/// Of "backend.torch.framework.version".
std::string WorkerOf(const std::vector<collect::Fact>& facts) {
  constexpr std::string_view kPrefix = "backend.";
  for (const collect::Fact& fact : facts)
    if (fact.key.starts_with(kPrefix))
      return fact.key.substr(kPrefix.size(), fact.key.find('.', kPrefix.size()) - kPrefix.size());
  return {};
}

/// What a point takes from run.json. Both empty: the run cannot be read.
struct RunFacts {
  std::string machine, worker;
};

/// What this process has read of runs: a server lists the points of thousands again after each
/// change of its store. Threading: any thread.
class KnownRuns {
 public:
  RunFacts Get(const fs::path& folder) {
    const WrittenRun written = WrittenOf(folder);
    {
      const std::lock_guard lock(mutex_);
      const auto found = runs_.find(folder.string());
      if (found != runs_.end() && found->second.first == written) return found->second.second;
    }
    const auto run = ReadMeasuredRun(folder);
    if (!run.ok()) return {};
    RunFacts facts{run.value().machine, WorkerOf(run.value().facts)};
    const std::lock_guard lock(mutex_);
    if (runs_.size() >= kMostRuns) runs_.clear();
    runs_.insert_or_assign(folder.string(), std::pair(written, facts));
    return facts;
  }

 private:
  /// Of run.json: another size or time is another file.
  using WrittenRun = std::pair<std::uintmax_t, fs::file_time_type>;

  static WrittenRun WrittenOf(const fs::path& folder) {
    std::error_code error;
    const fs::path file = folder / "run.json";
    return {fs::file_size(file, error), fs::last_write_time(file, error)};
  }

  static constexpr std::size_t kMostRuns = 100'000;
  std::mutex mutex_;
  std::unordered_map<std::string, std::pair<WrittenRun, RunFacts>> runs_;
};

void DescribeRun(const fs::path& folder, StoredPoint& point) {
  static KnownRuns known;
  RunFacts facts = known.Get(folder);
  point.machine = std::move(facts.machine);
  point.worker = std::move(facts.worker);
}

}  // namespace

Result<StoredPoints> ReadStoredPoints(const fs::path& store, const PointSelection& selection) {
  StoredPoints found;
  XSP_TRY(StoredExperiments stored, ListExperiments(store, "", {}));
  found.left_out = std::move(stored.unreadable);
  std::vector<fs::path> paths;
  for (const StoredExperiment& experiment : stored.wanted) paths.push_back(experiment.path);
  XSP_TRY(auto experiments, store::ManyExperiments::Open(std::move(paths)));
  XSP_TRY(const store::Table read, experiments.Query({"point"}, PointsQuery(selection.model)));
  XSP_TRY(std::vector<store::PointRow> rows, store::ToRows<store::PointRow>(read));
  XSP_TRY(const auto runs, ReadRuns(experiments));
  for (const auto& bad : experiments.unread()) {
    const StoredExperiment& experiment = stored.wanted[bad.experiment];
    found.left_out.push_back({experiment.name, experiment.created, bad.reason});
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto index = static_cast<std::size_t>(std::get<std::int64_t>(read.rows[i][0]));
    const StoredExperiment& experiment = stored.wanted[index];
    StoredPoint point{experiment.name, experiment.created, std::move(rows[i]), "", "", ""};
    const auto run = runs.find(PointId{index, point.row.point_id});
    if (run != runs.end()) point.run = run->second.path;
    if (!point.run.empty()) DescribeRun(experiment.path / point.run, point);
    if (selection.machine.empty() || point.machine == selection.machine)
      found.points.push_back(std::move(point));
  }
  return found;
}

}  // namespace xsp::history
