#include "answer/suite/thread_times.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "answer/suite/data_frame.h"
#include "core/counted.h"
#include "core/json_text.h"
#include "core/statistics.h"
#include "store/catalogue.h"
#include "store/database.h"

namespace xsp::suite {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using store::Cell;

/// Of one job: the latencies in ns by number of threads.
using Latencies = std::map<int, std::vector<double>>;

/// The settings without those that do not make another job: threads, and what is random.
std::string OtherSettings(json settings) {
  for (const char* key : {"threads", "seed", "rung"}) settings.erase(key);
  return core::JsonText(settings);
}

/// Names for jobs: model and backend, and what else is needed to tell them apart.
std::string NameOf(const std::vector<Cell>& row) {
  std::string name = TextOf(row[0]) + " " + TextOf(row[1]);
  if (const std::string device = TextOf(row[2]); device != "cpu") name += " " + device;
  name += " " + TextOf(row[3]);
  if (const std::string batch = TextOf(row[4]); !batch.empty()) name += " batch " + batch;
  return name;
}

/// `experiments`, or all of the store.
Result<std::vector<std::string>> NamesOr(const fs::path& store,
                                         std::vector<std::string> experiments) {
  if (!experiments.empty()) return experiments;
  XSP_TRY(const auto entries, store::List(store));
  for (const auto& entry : entries)
    if (!entry.status.starts_with("unreadable")) experiments.push_back(entry.name);
  if (!experiments.empty()) return experiments;
  return Error{
      ErrorKind::kBadInput, "nothing is in the store: " + store.string(),
      "name a table or a data set (mlperf-v0.5), or measure: xsp suite scaling --run MODEL "
      "--threads 1,2"};
}

}  // namespace

Result<JobTable> ThreadTimes(const fs::path& store, const std::vector<std::string>& experiments,
                             std::vector<std::string>* treatments) {
  XSP_TRY(const std::vector<std::string> names, NamesOr(store, experiments));
  treatments->push_back(
      fmt::format("Latencies are of {} in the store.", core::Counted(names.size(), "experiment")));
  std::vector<fs::path> folders;
  for (const std::string& experiment : names) {
    XSP_TRY(const fs::path folder, store::Resolve(store, experiment));
    folders.push_back(folder);
  }
  XSP_TRY(const store::Database database, store::Database::Open(folders));
  XSP_TRY(const store::Table points,
          database.Query("SELECT model, backend, device, precision, batch, settings, latency_ns "
                         "FROM point WHERE latency_ns > 0"));
  std::map<std::pair<std::string, std::string>, Latencies> jobs;
  std::size_t unsaid = 0;
  for (const auto& row : points.rows) {
    const json settings = core::ParseJson(TextOf(row[5]));
    const int threads = settings.is_object() && settings.contains("threads") &&
                                settings["threads"].is_number_integer()
                            ? settings["threads"].get<int>()
                            : 0;
    // 0 is the framework's own choice, which nobody wrote down.
    if (threads < 1) {
      ++unsaid;
    } else {
      jobs[{NameOf(row), OtherSettings(settings)}][threads].push_back(std::get<double>(row[6]));
    }
  }
  if (jobs.empty())
    return Error{ErrorKind::kBadInput,
                 fmt::format("none of {} has a number of threads",
                             core::Counted(points.rows.size(), "point")),
                 "measure with xsp run MODEL --threads N, or xsp suite scaling --run MODEL "
                 "--threads 1,2"};
  if (unsaid > 0)
    treatments->push_back(fmt::format(
        "{} of {} {} not say how many threads {} used and {} left out.", unsaid,
        core::Counted(points.rows.size(), "point"), core::ByNumber(unsaid, "does", "do"),
        core::ByNumber(unsaid, "it", "they"), core::ByNumber(unsaid, "is", "are")));
  JobTable table{{}, "ns", "measured:xsp"};
  std::map<std::string, int> named;
  for (const auto& [key, latencies] : jobs) {
    const int count = ++named[key.first];
    JobTimes& job = table.jobs.emplace_back();
    job.job = count == 1 ? key.first : fmt::format("{} ({})", key.first, count);
    for (const auto& [threads, values] : latencies) {
      job.at.push_back({threads, core::Median(values), kMissing});
      if (values.size() > 1)
        treatments->push_back(fmt::format("{} on {} was measured {}: the median.", job.job,
                                          core::Counted(threads, "thread"),
                                          core::Counted(values.size(), "time")));
    }
  }
  return table;
}

}  // namespace xsp::suite
