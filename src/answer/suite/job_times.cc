#include "answer/suite/job_times.h"

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

#include "answer/suite/data_frame.h"
#include "core/counted.h"

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
      {"nanoseconds", "ns"}, {"microseconds", "us"}, {"milliseconds", "ms"},
      {"minutes", "min"},    {"seconds", "s"},       {"hours", "h"}};
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

  bool has_time() const { return !std::isnan(time); }
  bool has_speedup() const { return !std::isnan(speedup); }
};

using StatedByWidth = std::map<int, Stated>;

struct Gathered {
  std::vector<JobTimes> jobs;
  std::map<std::string, std::size_t> place;
  std::vector<StatedByWidth> stated;  ///< By job.
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
    return Bad(fmt::format("the {} of {} on width {} is out of range: {}", what,
                           gathered.jobs[job].job, width, value),
               "correct the table: values are 1e-100 to 1e100");
  return Bad(fmt::format("the {} of {} on width {} is not a positive number: {}", what,
                         gathered.jobs[job].job, width, value),
             "correct the table; leave unknown values empty");
}

Status Add(Gathered* gathered, std::size_t job, const Stated& stated) {
  XSP_RETURN_IF_ERROR(CheckPositive(*gathered, job, "time", stated.width, stated.time));
  XSP_RETURN_IF_ERROR(CheckPositive(*gathered, job, "speed-up", stated.width, stated.speedup));
  XSP_RETURN_IF_ERROR(CheckPositive(*gathered, job, "memory", stated.width, stated.memory));
  ++gathered->values;
  if (!stated.has_time() && !stated.has_speedup()) {
    ++gathered->missing;
    return Ok{};
  }
  const auto [at, is_first] = gathered->stated[job].try_emplace(stated.width, stated);
  if (is_first) return Ok{};
  Stated& known = at->second;
  // In wide form a time and a speed-up of one width stand in two columns.
  const bool fills =
      known.has_time() != stated.has_time() && known.has_speedup() != stated.has_speedup();
  if (!fills)
    return Bad(
        fmt::format("job {} has two values on width {}", gathered->jobs[job].job, stated.width),
        "keep one row for each job and width; several runs of one job need one value, "
        "such as their median");
  if (!known.has_time()) known.time = stated.time;
  if (!known.has_speedup()) known.speedup = stated.speedup;
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
  std::string before;  ///< What stands before the width: "minutes", "time_s", "t", "".
  bool is_short;       ///< "t4" or "8", which may be something else: a GPU's name, a year.
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
  const bool is_short = after.empty() && before.size() < 2;
  return WideColumn{place, width, speedup, std::move(before), is_short};
}

/// Short names are widths where at least two are alike ("t1", "t2"): one alone tells nothing.
std::vector<WideColumn> WideColumnsOf(const std::vector<std::string>& columns, std::size_t job) {
  std::vector<WideColumn> wide;
  std::map<std::string, int> alike;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    auto column = i == job ? std::nullopt : WideColumnOf(columns[i], i);
    if (!column) continue;
    alike[column->before] += column->is_short ? 1 : 0;
    wide.push_back(*std::move(column));
  }
  std::erase_if(wide,
                [&alike](const WideColumn& one) { return one.is_short && alike[one.before] < 2; });
  return wide;
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
  places.wide = WideColumnsOf(table.columns, places.job);
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
      return Bad(fmt::format("column {} contains text, not numbers: {} in row {}",
                             table.columns[column], TextOf(table.rows[*row][column]), *row + 1),
                 "correct the table; leave unknown values empty");
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
  if (known) return Bad("a job has two rows: " + name, "keep one row for each job");
  for (const WideColumn& column : places.wide) {
    Stated stated{column.width};
    (column.speedup ? stated.speedup : stated.time) = NumberOf(row[column.place]);
    stated.memory = at(places.memory);
    XSP_RETURN_IF_ERROR(Add(gathered, job, stated));
  }
  return Ok{};
}

/// Jobs of which every value is missing, which is reported; an error when no other is left.
Status LeaveOutJobsWithoutValues(Gathered* gathered, std::vector<std::string>* treatments) {
  std::vector<JobTimes> jobs;
  std::vector<StatedByWidth> stated;
  std::vector<std::string> left_out;
  for (std::size_t j = 0; j < gathered->jobs.size(); ++j) {
    if (gathered->stated[j].empty()) {
      left_out.push_back(gathered->jobs[j].job);
      continue;
    }
    jobs.push_back(std::move(gathered->jobs[j]));
    stated.push_back(std::move(gathered->stated[j]));
  }
  if (jobs.empty())
    return Bad("the table has no value for any job",
               "a job needs a time or a speed-up on one width at least");
  if (!left_out.empty())
    treatments->push_back(
        fmt::format("{} {} no value and {} left out: {}.", core::Counted(left_out.size(), "job"),
                    core::ByNumber(left_out.size(), "has", "have"),
                    core::ByNumber(left_out.size(), "is", "are"), fmt::join(left_out, ", ")));
  gathered->jobs = std::move(jobs);
  gathered->stated = std::move(stated);
  return Ok{};
}

/// The time that a speed-up of 1 stands for: 1 where no time is stated. Nothing: no speed-up is.
Result<std::optional<double>> TimeOnOne(const std::string& job, const StatedByWidth& stated) {
  const auto has_time = [](const auto& one) { return one.second.has_time(); };
  const auto has_speedup = [](const auto& one) { return one.second.has_speedup(); };
  if (std::ranges::none_of(stated, has_speedup)) return std::optional<double>();
  const auto timed = std::ranges::find_if(stated, has_time);
  if (timed == stated.end()) return std::optional<double>(1.0);
  for (const auto& [width, one] : stated)
    if (one.has_time() && (width == 1 || one.has_speedup()))
      return std::optional<double>(one.time * (one.has_speedup() ? one.speedup : 1));
  return Bad(fmt::format("the speed-up of job {} on width {}, for which it has a time, is missing",
                         job, timed->first),
             "state the time on width 1, or the speed-up beside the time");
}

/// Times and speed-ups beside them that cannot both be true, beyond what rounding does to them.
class Contradictions {
 public:
  void Check(const std::string& job, const Stated& stated, double time_on_one) {
    constexpr double kRounding = 0.02;
    if (!stated.has_time() || !stated.has_speedup()) return;
    if (std::abs(stated.time * stated.speedup / time_on_one - 1) <= kRounding) return;
    if (count_++ == 0)
      first_ = fmt::format("job {} on width {}: time {:g}, speed-up {:g}, by the times {:.4g}", job,
                           stated.width, stated.time, stated.speedup, time_on_one / stated.time);
  }

  void Say(std::vector<std::string>* treatments) const {
    if (count_ > 0)
      treatments->push_back(fmt::format(
          "{} and the {} beside {} contradict each other by more than 2 %; the times count. The "
          "first: {}.",
          core::Counted(count_, "time"), core::ByNumber(count_, "speed-up", "speed-ups"),
          core::ByNumber(count_, "it", "them"), first_));
  }

 private:
  std::size_t count_ = 0;
  std::string first_;
};

/// Gives every stated width its time. Returns whether the times are relative ones.
Result<bool> Resolve(Gathered* gathered, Relative relative, std::vector<std::string>* treatments) {
  const auto is_timed = [](const StatedByWidth& of_job) {
    return std::ranges::any_of(of_job, [](const auto& one) { return one.second.has_time(); });
  };
  const bool any_time = std::ranges::any_of(gathered->stated, is_timed);
  Contradictions contradictions;
  for (std::size_t j = 0; j < gathered->jobs.size(); ++j) {
    const StatedByWidth& stated = gathered->stated[j];
    JobTimes& job = gathered->jobs[j];
    if (!is_timed(stated) && (any_time || relative == Relative::kRefused))
      return Bad("no time is stated for job " + job.job,
                 "each job needs a time on one width at least; speed-ups count from it");
    XSP_TRY(job.time_on_one, TimeOnOne(job.job, stated));
    for (const auto& [width, one] : stated) {
      if (job.time_on_one) contradictions.Check(job.job, one, *job.time_on_one);
      job.at.push_back(
          {width, one.has_time() ? one.time : *job.time_on_one / one.speedup, one.memory});
    }
  }
  contradictions.Say(treatments);
  return !any_time;
}

/// The columns that hold times.
std::vector<std::size_t> TimeColumns(const JobPlaces& places) {
  std::vector<std::size_t> columns;
  if (places.wide.empty() && places.time) columns.push_back(*places.time);
  for (const WideColumn& column : places.wide)
    if (!column.speedup) columns.push_back(column.place);
  return columns;
}

/// The unit of the times as the table's description or its columns' names state it; else empty.
Result<std::string> StatedUnit(const DataTable& data, const JobPlaces& places) {
  std::string unit, of;
  for (const std::size_t place : TimeColumns(places)) {
    const auto& described = data.table.columns[place];
    std::string own = described.unit;
    if (own.empty()) own = UnitOfName(described.name);
    // The unit stands before the width: "time_s_4".
    const auto wide = std::ranges::find(places.wide, place, &WideColumn::place);
    if (own.empty() && wide != places.wide.end()) own = UnitOfName(wide->before);
    if (own.empty()) continue;
    if (!unit.empty() && own != unit)
      return Bad(fmt::format("columns {} and {} state times in different units: {} and {}", of,
                             described.name, unit, own),
                 "convert them to one unit");
    unit = own;
    of = described.name;
  }
  return unit;
}

/// What `asked`, the unit of --unit, can name: times whose unit the table leaves open.
Status CheckAskedUnit(const std::string& asked, const std::string& stated, bool are_relative) {
  if (asked.empty()) return Ok{};
  if (are_relative)
    return Error{ErrorKind::kUsage, "the table states no times that could be in --unit " + asked,
                 "leave --unit out"};
  if (!stated.empty() && stated != asked)
    return Error{ErrorKind::kUsage,
                 fmt::format("the table states its times in {}, not in --unit {}", stated, asked),
                 "omit --unit; it is for tables without units"};
  return Ok{};
}

}  // namespace

void AddJobOptions(core::RequestFields& fields, JobColumns* columns) {
  const auto column = [&fields](const char* name, std::string* where, const char* help) {
    fields.Add(name, where, {.help = help, .value_name = "COLUMN"});
  };
  column("job", &columns->job, "The column that names the job");
  column("width_column", &columns->width, "Devices, processes or threads (long form)");
  column("time_column", &columns->time, "The time on that width (long form)");
  column("speedup_column", &columns->speedup, "The speed-up on that width (long form)");
  fields.Add("unit", &columns->unit,
             {.help = "Unit of the times, if the table has none",
              .value_name = "s|min|h|ms|us|ns",
              .allowed = {"s", "min", "h", "ms", "us", "ns"}});
}

Result<JobTable> JobTableOf(const DataTable& data, const JobColumns& columns, Relative relative,
                            std::vector<std::string>* treatments) {
  const store::Table& table = data.table.rows;
  if (table.rows.empty()) return Bad("the table has no rows", "it needs at least one job");
  XSP_TRY(const JobPlaces places, JobPlacesOf(data, columns));
  XSP_RETURN_IF_ERROR(CheckNumbers(table, places));
  Gathered gathered;
  for (const auto& row : table.rows) XSP_RETURN_IF_ERROR(AddRow(&gathered, places, row));
  XSP_TRY(const std::string stated_unit, StatedUnit(data, places));
  XSP_RETURN_IF_ERROR(LeaveOutJobsWithoutValues(&gathered, treatments));
  XSP_TRY(const bool are_relative, Resolve(&gathered, relative, treatments));
  XSP_RETURN_IF_ERROR(CheckAskedUnit(columns.unit, stated_unit, are_relative));
  JobTable jobs{std::move(gathered.jobs), columns.unit.empty() ? stated_unit : columns.unit, ""};
  if (const auto times = TimeColumns(places); !times.empty())
    jobs.provenance = data.table.columns[times.front()].provenance;
  if (gathered.missing > 0)
    treatments->push_back(
        gathered.missing == 1
            ? fmt::format("1 of {} is missing; that width of that job is excluded.",
                          core::Counted(gathered.values, "value"))
            : fmt::format("{} of {} values are missing; those widths of those jobs are excluded.",
                          gathered.missing, gathered.values));
  if (are_relative)
    treatments->push_back(
        "The table has speed-ups but no time: times are in units of the time at speed-up 1.");
  return jobs;
}

}  // namespace xsp::suite
