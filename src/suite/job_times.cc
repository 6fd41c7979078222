#include "suite/job_times.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "base/counted.h"
#include "suite/frame.h"

namespace xsp::suite {
namespace {

using store::Cell;
using Names = std::vector<std::string_view>;

const Names kWidthNames = {"devices", "width",   "gpus",  "processes", "threads",
                           "nodes",   "workers", "ranks", "cores"};
const Names kTimeNames = {"time",     "minutes",     "seconds",     "hours",     "time_s",
                          "time_ms",  "time_ns",     "time_min",    "time_h",    "duration_s",
                          "duration", "duration_ms", "duration_ns", "latency_ns"};
const Names kSpeedupNames = {"speedup", "speed_up"};
const Names kMemoryNames = {"memory", "memory_gb", "memory_gib", "memory_mb", "device_memory"};
const Names kReleaseNames = {"release", "release_time", "submitted", "arrival"};

Error Bad(std::string what, std::string hint) {
  return {ErrorKind::kBadInput, std::move(what), std::move(hint)};
}

std::string Lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

using Place = std::optional<std::size_t>;

Result<Place> PlaceOf(const store::Table& table, const std::string& asked, const Names& names) {
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const std::string name = Lower(table.columns[i]);
    if (asked.empty() ? std::ranges::find(names, name) != names.end() : table.columns[i] == asked)
      return Place(i);
  }
  if (asked.empty()) return Place();
  return Bad("the table has no such column: " + asked,
             fmt::format("its columns: {}", fmt::join(table.columns, ", ")));
}

/// "min" for "minutes_1gpu", "ns" for "latency_ns"; empty where the name does not say.
std::string UnitOfName(const std::string& column) {
  const std::string name = Lower(column);
  static constexpr std::pair<std::string_view, const char*> kWords[] = {
      {"minutes", "min"}, {"seconds", "s"}, {"hours", "h"}};
  for (const auto& [word, unit] : kWords)
    if (name.find(word) != std::string::npos) return unit;
  for (const char* unit : {"ns", "us", "ms", "s", "min", "h"})
    if (name.ends_with(std::string("_") + unit)) return unit;
  return {};
}

/// One statement of the table: a time or a speed-up of a job on a width.
struct Stated {
  int width;
  double time = kMissing;
  double speedup = kMissing;
  double memory = kMissing;
};

struct Gathered {
  std::vector<JobTimes> jobs;
  std::map<std::string, std::size_t> place;
  std::vector<std::vector<Stated>> stated;  ///< By job.
  std::int64_t values = 0;
  std::int64_t missing = 0;

  std::size_t JobAt(const std::string& name) {
    const auto [found, added] = place.try_emplace(name, jobs.size());
    if (added) jobs.push_back({name, 0, {}}), stated.emplace_back();
    return found->second;
  }
};

Status CheckPositive(const Gathered& gathered, std::size_t job, const char* what, int width,
                     double value) {
  // Beyond these, ratios of two values would be no number.
  constexpr double kLeast = 1e-100, kMost = 1e100;
  if (std::isnan(value) || (value >= kLeast && value <= kMost)) return Ok{};
  if (value > 0)
    return Bad(fmt::format("the {} of {} on width {} is out of all range: {}", what,
                           gathered.jobs[job].job, width, value),
               "correct the table: 1e-100 to 1e100 can be computed with");
  return Bad(fmt::format("the {} of {} on width {} is not a positive number: {}", what,
                         gathered.jobs[job].job, width, value),
             "correct the table; leave a value that is not known empty");
}

Status Add(Gathered* gathered, std::size_t job, const Stated& stated) {
  XSP_RETURN_IF_ERROR(CheckPositive(*gathered, job, "time", stated.width, stated.time));
  XSP_RETURN_IF_ERROR(CheckPositive(*gathered, job, "speed-up", stated.width, stated.speedup));
  XSP_RETURN_IF_ERROR(CheckPositive(*gathered, job, "memory", stated.width, stated.memory));
  ++gathered->values;
  if (std::isnan(stated.time) && std::isnan(stated.speedup)) {
    ++gathered->missing;
    return Ok{};
  }
  for (Stated& known : gathered->stated[job]) {
    if (known.width != stated.width) continue;
    // In wide form a time and a speed-up of one width stand in two columns.
    const bool fills = std::isnan(known.time) != std::isnan(stated.time) &&
                       std::isnan(known.speedup) != std::isnan(stated.speedup);
    if (!fills)
      return Bad(
          fmt::format("job {} has two values on width {}", gathered->jobs[job].job, stated.width),
          "keep one row for each job and width; several runs of one job need one value, "
          "such as their median");
    if (std::isnan(known.time)) known.time = stated.time;
    if (std::isnan(known.speedup)) known.speedup = stated.speedup;
    return Ok{};
  }
  gathered->stated[job].push_back(stated);
  return Ok{};
}

Result<int> WidthOf(double value, const std::string& job) {
  if (value >= 1 && value <= 1e6 && value == std::floor(value)) return static_cast<int>(value);
  return Bad(fmt::format("the width of {} is not a whole number of at least 1: {}", job, value),
             "a width counts devices, processes or threads");
}

/// A column of a wide table: what it holds, on which width.
struct WideColumn {
  std::size_t place;
  int width;
  bool speedup;
};

/// "minutes_1gpu", "speedup_2", "t4", "8": words, a number, a word.
std::optional<WideColumn> WideColumnOf(const std::string& column, std::size_t place) {
  const std::string name = Lower(column);
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto begin = std::ranges::find_if(name, digit);
  const auto end = std::find_if_not(begin, name.end(), digit);
  int width = 0;
  if (begin == name.end() ||
      std::from_chars(&*begin, &*begin + (end - begin), width).ec != std::errc() || width < 1)
    return std::nullopt;
  std::string before(name.begin(), begin);
  std::string after(end, name.end());
  while (before.ends_with('_')) before.pop_back();
  while (after.starts_with('_')) after.erase(0, 1);
  if (!after.empty() && !after.ends_with('s')) after += 's';
  const bool counts = after.empty() || after == "gpus" || after == "ps" ||
                      std::ranges::find(kWidthNames, after) != kWidthNames.end();
  const bool speedup = std::ranges::find(kSpeedupNames, before) != kSpeedupNames.end();
  const bool time = before.empty() || before == "t" || before == "w" ||
                    std::ranges::find(kTimeNames, before) != kTimeNames.end() ||
                    std::ranges::find(kWidthNames, before + "s") != kWidthNames.end();
  if (!counts || (!speedup && !time)) return std::nullopt;
  return WideColumn{place, width, speedup};
}

struct JobPlaces {
  std::size_t job;
  Place width, time, speedup, memory, release;
  std::vector<WideColumn> wide;
};

Result<JobPlaces> JobPlacesOf(const DataTable& data, const JobColumns& columns) {
  const store::Table& table = data.table.rows;
  JobPlaces places{};
  std::string job = columns.job;
  if (job.empty() && data.frame.labels.size() == 1) job = data.frame.labels.front();
  XSP_TRY(const Place named,
          PlaceOf(table, job, {"job", "benchmark", "workload", "model", "name"}));
  Place label = named;
  for (std::size_t i = 0; !label && i < table.columns.size(); ++i)
    if (std::ranges::any_of(table.rows, [i](const auto& row) {
          return std::holds_alternative<std::string>(row[i]);
        }))
      label = i;
  if (!label)
    return Bad("no column of the table names the jobs",
               fmt::format("name one by --job; its columns: {}", fmt::join(table.columns, ", ")));
  places.job = *label;
  XSP_TRY(places.width, PlaceOf(table, columns.width, kWidthNames));
  XSP_TRY(places.time, PlaceOf(table, columns.time, kTimeNames));
  XSP_TRY(places.speedup, PlaceOf(table, columns.speedup, kSpeedupNames));
  XSP_TRY(places.memory, PlaceOf(table, columns.memory, kMemoryNames));
  XSP_TRY(places.release, PlaceOf(table, columns.release, kReleaseNames));
  if (places.width && (places.time || places.speedup)) return places;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    if (i != places.job)
      if (const auto wide = WideColumnOf(table.columns[i], i)) places.wide.push_back(*wide);
  if (places.wide.empty())
    return Bad(fmt::format("the table has neither a width and a time or speed-up in each row nor a "
                           "column for each width; its columns: {}",
                           fmt::join(table.columns, ", ")),
               "long form: job,devices,minutes; wide form: job,minutes_1,minutes_2; or name the "
               "columns by --width-column and --time-column or --speedup-column");
  return places;
}

/// One cell of text makes text of a whole column: it is named rather than all taken as missing.
Status CheckNumbers(const store::Table& table, const JobPlaces& places) {
  std::vector<std::size_t> columns;
  for (const Place& place :
       {places.width, places.time, places.speedup, places.memory, places.release})
    if (place) columns.push_back(*place);
  for (const WideColumn& wide : places.wide) columns.push_back(wide.place);
  for (const std::size_t column : columns)
    if (const auto row = FirstText(table, column))
      return Bad(fmt::format("column {} holds text, not numbers: {} in row {}",
                             table.columns[column], TextOf(table.rows[*row][column]), *row + 1),
                 "correct the table; leave a value that is not known empty");
  return Ok{};
}

Status AddRow(Gathered* gathered, const JobPlaces& places, const std::vector<Cell>& row) {
  const std::string name = TextOf(row[places.job]);
  if (name.empty()) return Bad("a row of the table names no job", "give each row its job");
  const bool known = gathered->place.contains(name);
  const std::size_t job = gathered->JobAt(name);
  const auto at = [&row](const Place& place) { return place ? NumberOf(row[*place]) : kMissing; };
  if (const double release = at(places.release); !std::isnan(release)) {
    double& stated = gathered->jobs[job].release;
    if (release < 0 || !std::isfinite(release))
      return Bad(fmt::format("the release time of {} is negative or infinite: {}", name, release),
                 "release times count from the start of the schedule");
    if (known && stated != release && !places.wide.size())
      return Bad(fmt::format("job {} has two release times: {} and {}", name, stated, release),
                 "a job is released once, for every width");
    stated = release;
  }
  if (places.wide.empty()) {
    XSP_TRY(const int width, WidthOf(NumberOf(row[*places.width]), name));
    return Add(gathered, job, {width, at(places.time), at(places.speedup), at(places.memory)});
  }
  if (known) return Bad("a job stands in two rows: " + name, "keep one row for each job");
  for (const WideColumn& column : places.wide) {
    Stated stated{column.width};
    (column.speedup ? stated.speedup : stated.time) = NumberOf(row[column.place]);
    stated.memory = at(places.memory);
    XSP_RETURN_IF_ERROR(Add(gathered, job, stated));
  }
  return Ok{};
}

/// Gives every stated width its time. Returns whether the times are relative ones.
Result<bool> Resolve(Gathered* gathered, Relative relative) {
  const bool any_time = std::ranges::any_of(gathered->stated, [](const auto& of_job) {
    return std::ranges::any_of(of_job, [](const Stated& s) { return !std::isnan(s.time); });
  });
  for (std::size_t j = 0; j < gathered->jobs.size(); ++j) {
    std::vector<Stated>& stated = gathered->stated[j];
    JobTimes& job = gathered->jobs[j];
    std::ranges::sort(stated, {}, &Stated::width);
    const auto base =
        std::ranges::find_if(stated, [](const Stated& s) { return !std::isnan(s.time); });
    const bool speedups = std::ranges::any_of(
        stated, [](const Stated& s) { return std::isnan(s.time) && !std::isnan(s.speedup); });
    if (base == stated.end() && (any_time || relative == Relative::kRefused || stated.empty()))
      return Bad("no time is stated for job " + job.job,
                 "each job needs a time on one width at least; speed-ups count from it");
    double one = 1;  // The time that a speed-up of 1 stands for.
    if (base != stated.end() && speedups) {
      if (std::isnan(base->speedup) && base->width != 1)
        return Bad(
            fmt::format("the speed-up that job {} has on width {}, where its time is stated, "
                        "is not said",
                        job.job, base->width),
            "state the time on width 1, or the speed-up beside the time");
      one = base->time * (std::isnan(base->speedup) ? 1 : base->speedup);
    }
    for (const Stated& s : stated)
      job.at.push_back({s.width, std::isnan(s.time) ? one / s.speedup : s.time, s.memory});
  }
  return !any_time;
}

}  // namespace

void AddJobOptions(CLI::App& app, JobColumns* columns) {
  const auto column = [&app](const char* flag, std::string* where, const char* help) {
    app.add_option(flag, *where, help)->type_name("COLUMN")->group("Columns");
  };
  column("--job", &columns->job, "The column that names the job");
  column("--width-column", &columns->width, "Devices, processes or threads (long form)");
  column("--time-column", &columns->time, "The time on that width (long form)");
  column("--speedup-column", &columns->speedup, "The speed-up on that width (long form)");
  app.add_option("--unit", columns->unit, "Unit of the times, where the table does not say it")
      ->type_name("s|min|h|ms|us|ns")
      ->check(CLI::IsMember({"s", "min", "h", "ms", "us", "ns"}))
      ->group("Columns");
}

Result<JobTable> JobTableOf(const DataTable& data, const JobColumns& columns, Relative relative,
                            std::vector<std::string>* treatments) {
  const store::Table& table = data.table.rows;
  if (table.rows.empty()) return Bad("the table has no rows", "it needs at least one job");
  XSP_TRY(const JobPlaces places, JobPlacesOf(data, columns));
  XSP_RETURN_IF_ERROR(CheckNumbers(table, places));
  Gathered gathered;
  for (const auto& row : table.rows) XSP_RETURN_IF_ERROR(AddRow(&gathered, places, row));
  XSP_TRY(const bool are_relative, Resolve(&gathered, relative));
  JobTable jobs{std::move(gathered.jobs), columns.unit, ""};
  Place time = places.time;
  for (const WideColumn& column : places.wide)
    if (!column.speedup && !time) time = column.place;
  if (time) {
    const auto& described = data.table.columns[*time];
    jobs.provenance = described.provenance;
    if (jobs.unit.empty()) jobs.unit = described.unit;
    if (jobs.unit.empty()) jobs.unit = UnitOfName(described.name);
  }
  if (gathered.missing > 0)
    treatments->push_back(
        gathered.missing == 1
            ? fmt::format("1 of {} is missing; that width of that job is left out.",
                          base::Counted(gathered.values, "value"))
            : fmt::format("{} of {} values are missing; those widths of those jobs are left out.",
                          gathered.missing, gathered.values));
  if (are_relative)
    treatments->push_back(
        "The table has speed-ups but no time: times are in units of the time at speed-up 1.");
  return jobs;
}

}  // namespace xsp::suite
