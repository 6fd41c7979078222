#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <sstream>
#include <utility>

#include "base/counted.h"
#include "base/files.h"
#include "base/subprocess.h"
#include "store/catalogue.h"
#include "store/database.h"
#include "suite/data_set.h"
#include "suite/frame.h"
#include "suite/last_words.h"
#include "suite/quality/curve.h"
#include "suite/stop_request.h"
#include "suite/suite_command.h"

namespace xsp::suite::quality {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::vector<std::string> sources;
  std::string misplaced;  ///< Of SOURCE's kind, which takes all of them: stays empty.
  std::string target, pattern;
  bool lower_is_better = false;
  double price = 0;
};

Error NoMeasurement(const std::string& source, const Target& target) {
  return {ErrorKind::kBadInput, fmt::format("{} tells no {}", source, target.metric),
          fmt::format("a line is read such as `epoch=3 {}=0.71`; --quality-pattern finds others",
                      target.metric)};
}

Result<Curve> FromLog(const std::string& file, const Target& target, const LineReader& reader) {
  XSP_TRY(const std::string text, base::ReadFile(file, 1 << 28));
  Curve curve{fs::path(file).filename().string(), {}};
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    auto point = reader.Read(line);
    if (!point) continue;
    const auto seconds = NumberAfter(line, "seconds");
    if (!seconds)
      return Error{
          ErrorKind::kBadInput, "a line of the log does not say when: " + line,
          "it needs `seconds N`; or let the program run here: xsp suite quality -- COMMAND"};
    point->seconds = *seconds;
    curve.points.push_back(*point);
  }
  if (curve.points.empty()) return NoMeasurement(file, target);
  return curve;
}

double OrZero(double value) { return std::isnan(value) ? 0 : value; }

/// A table with a column of the metric's name, one of time (seconds, minutes or hours), and
/// perhaps one of epochs.
Result<Curve> FromTable(const std::string& source, const Target& target,
                        std::vector<std::string>* method) {
  XSP_TRY(const DataTable data, OpenTable(source, "quality"));
  const store::Table& rows = data.table.rows;
  const auto find = [&rows](const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(rows.columns, name) - rows.columns.begin());
  };
  const std::size_t quality = find(target.metric), epoch = find("epoch"),
                    none = rows.columns.size();
  std::size_t time = none;
  double unit_s = 1;
  const std::initializer_list<std::pair<const char*, double>> units = {
      {"hours", 3600}, {"minutes", 60}, {"seconds", 1}};
  for (const auto& [name, seconds] : units)
    if (find(name) != none) time = find(name), unit_s = seconds;
  if (quality == none || time == none)
    return Error{ErrorKind::kBadInput,
                 fmt::format("{} has no column {}", source,
                             quality == none ? target.metric : "seconds, minutes or hours"),
                 fmt::format("a table needs the metric and the time, and may have epoch; its "
                             "columns: {}",
                             fmt::join(rows.columns, ", "))};
  Curve curve{fs::path(source).filename().string(), {}};
  std::size_t unknown = 0;
  for (const auto& row : rows.rows) {
    const double value = NumberOf(row[quality]), when = NumberOf(row[time]);
    if (!std::isfinite(value) || !std::isfinite(when)) {
      ++unknown;
      continue;
    }
    if (when < 0)
      return Error{ErrorKind::kBadInput, fmt::format("{}: a time is negative: {:g}", source, when),
                   "times count from the start of the program"};
    curve.points.push_back(
        {when * unit_s, epoch == none ? 0 : OrZero(NumberOf(row[epoch])), value});
  }
  if (unknown > 0)
    method->push_back(fmt::format(
        "{}: {} of {} without a time or a quality that is a finite number {} left out.", source,
        unknown, base::Counted(rows.rows.size(), "row"), base::ByNumber(unknown, "is", "are")));
  if (curve.points.empty()) return NoMeasurement(source, target);
  return curve;
}

/// The marks of a recording (xsp mark), from its first event on.
Result<Curve> FromExperiment(const Surroundings& surroundings, const std::string& source,
                             const Target& target, const LineReader& reader) {
  XSP_TRY(const fs::path folder, store::Resolve(surroundings.store, source));
  XSP_TRY(const store::Database database, store::Database::Open({folder}));
  XSP_TRY(const store::Table marks,
          database.Query("SELECT name, (time_ns - (SELECT min(start_ns) FROM (SELECT min(start_ns) "
                         "AS start_ns FROM span UNION ALL SELECT min(time_ns) FROM mark UNION ALL "
                         "SELECT min(time_ns) FROM counter))) / 1e9 FROM mark ORDER BY time_ns"));
  Curve curve{folder.filename().string(), {}};
  for (const auto& row : marks.rows) {
    const auto* name = std::get_if<std::string>(&row[0]);
    auto point = name == nullptr ? std::nullopt : reader.Read(*name);
    if (!point) continue;
    point->seconds = OrZero(NumberOf(row[1]));
    curve.points.push_back(*point);
  }
  if (curve.points.empty())
    return Error{ErrorKind::kBadInput, fmt::format("{} has no mark of {}", source, target.metric),
                 fmt::format("the program says it by: xsp mark epoch=3 {}=0.71", target.metric)};
  return curve;
}

/// Runs the program; its lines have the time at which they came. A signal to us goes to it; it is
/// killed when it has not ended `kPatience` later. `*interrupted` then, whatever it ended with.
Result<Curve> FromProgram(const Surroundings& surroundings, const Target& target,
                          const LineReader& reader, bool* interrupted) {
  using Clock = std::chrono::steady_clock;
  constexpr auto kPatience = std::chrono::seconds(30);
  base::SpawnOptions options;
  options.argv = surroundings.program;
  const StopRequest stop;
  const auto begin = Clock::now();
  XSP_TRY(base::Subprocess program, base::Subprocess::Spawn(options));
  program.CloseStdin();
  Clock::time_point until = begin + std::chrono::hours(24 * 365);
  Curve curve{fs::path(surroundings.program.front()).filename().string(), {}};
  if (surroundings.program.size() > 1 && curve.source.starts_with("python"))
    curve.source = fs::path(surroundings.program[1]).filename().string();
  while (true) {
    const auto line = program.ReadLine(until - Clock::now(), *interrupted ? -1 : stop.descriptor());
    if (line.kind == base::LineRead::Kind::kWoken) {
      *interrupted = true;
      program.Signal(stop.signal());
      until = Clock::now() + kPatience;
      continue;
    }
    if (line.kind != base::LineRead::Kind::kLine) break;
    auto point = reader.Read(line.text);
    surroundings.progress(line.text);
    if (!point) continue;
    point->seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    curve.points.push_back(*point);
  }
  if (*interrupted) {
    if (!program.Wait(std::max<base::Subprocess::Duration>(until - Clock::now(), {})))
      program.Kill();
    if (!curve.points.empty()) return curve;
    return Error{ErrorKind::kInterrupted,
                 fmt::format("interrupted before the program told any {}", target.metric), ""};
  }
  const auto exit = program.Wait(std::chrono::minutes(1));
  if (!exit || !exit->success())
    return Error{ErrorKind::kBadInput,
                 "the program failed: " + (exit ? base::ToString(*exit) : "it does not end"),
                 "its last words: " + LastWords(program.stderr_tail())};
  if (curve.points.empty()) return NoMeasurement("the program", target);
  return curve;
}

/// The published table: it holds the time to the target alone.
Result<Answer> FromReference(const std::string& source, double price) {
  XSP_TRY(DataTable data, OpenTable(source, "reference_minutes"));
  Answer answer{"quality", "Time and cost to the quality target, as published", {}, {}, {}, {}};
  Table& table = answer.tables.emplace_back(std::move(data.table));
  double sum = 0, longest = 0;
  std::string task;
  const auto column = static_cast<std::size_t>(std::ranges::find(table.rows.columns, "minutes") -
                                               table.rows.columns.begin());
  if (column == table.rows.columns.size() || column == 0)
    return Error{ErrorKind::kBadInput, source + " has no column minutes behind a task's name", ""};
  if (price > 0) {
    table.columns.push_back({"cost", "", "Time times the price per hour", ""});
    table.rows.columns.emplace_back("cost");
  }
  for (auto& row : table.rows.rows) {
    const double minutes = OrZero(NumberOf(row[column]));
    sum += minutes;
    if (const auto* name = std::get_if<std::string>(&row[0]); name != nullptr && minutes > longest)
      longest = minutes, task = *name;
    if (price > 0) row.emplace_back(minutes / 60 * price);
  }
  answer.sentences.push_back(
      table.rows.rows.size() == 1
          ? fmt::format("{} takes {:.3g} h to its target.", task, longest / 60)
          : fmt::format("{} takes longest to its target, {:.3g} h of {:.3g} h for all {} tasks.",
                        task, longest / 60, sum / 60, table.rows.rows.size()));
  if (price > 0)
    answer.sentences.push_back(fmt::format(
        "{} {:.4g} at {:g} an hour.", table.rows.rows.size() == 1 ? "It costs" : "All of them cost",
        sum / 60 * price, price));
  answer.charts.push_back(
      {"minutes", "Minutes to the quality target", table.id, R"json({"height": {"step": 24},
    "encoding": {"y": {"field": "task", "type": "nominal", "sort": "-x", "title": null, "axis": {"labelLimit": 260}},
                 "x": {"field": "minutes", "type": "quantitative", "title": "time (min)"}},
    "layer": [{"mark": "bar"},
              {"mark": {"type": "text", "align": "left", "dx": 4, "tooltip": null},
               "encoding": {"text": {"field": "minutes", "format": ",.3~r"}}}]})json"});
  answer.method.push_back("From " + data.source +
                          ". It has no curve: only the time to the target.");
  return answer;
}

bool IsDataSet(const std::string& source) {
  const auto names = DataSets();
  std::error_code ignored;
  return std::ranges::find(names, source) != names.end() ||
         fs::exists(fs::path(source) / "suite.yaml", ignored);
}

Result<Curve> CurveOf(const Surroundings& surroundings, const std::string& source,
                      const Target& target, const LineReader& reader,
                      std::vector<std::string>* method) {
  std::error_code ignored;
  const std::string ending = fs::path(source).extension().string();
  if (ending == ".csv" || ending == ".parquet") return FromTable(source, target, method);
  if (fs::is_regular_file(source, ignored)) return FromLog(source, target, reader);
  return FromExperiment(surroundings, source, target, reader);
}

Result<Answer> Run(const Surroundings& surroundings, const Options& options) {
  if (options.sources.size() == 1 && IsDataSet(options.sources.front()) && options.target.empty())
    return FromReference(options.sources.front(), options.price);
  for (const std::string& source : options.sources)
    if (IsDataSet(source))
      return Error{ErrorKind::kUsage,
                   "a published data set has minutes to its own targets, and no curve: " + source,
                   "ask for it alone, without --target: xsp suite quality " + source};
  if (options.target.empty())
    return Error{ErrorKind::kUsage, "no target is given", "--target accuracy=0.75"};
  if (options.sources.empty() && surroundings.program.empty())
    return Error{ErrorKind::kUsage, "nothing to read and no program to run",
                 "xsp suite quality --target accuracy=0.75 -- python3 train.py"};
  XSP_TRY(const Target target, ParseTarget(options.target, options.lower_is_better));
  XSP_TRY(const LineReader reader, LineReader::Make(target, options.pattern));
  std::vector<Curve> curves;
  std::vector<std::string> method;
  bool interrupted = false;
  for (const std::string& source : options.sources) {
    XSP_TRY(Curve curve, CurveOf(surroundings, source, target, reader, &method));
    curves.push_back(std::move(curve));
  }
  if (!surroundings.program.empty()) {
    XSP_TRY(Curve curve, FromProgram(surroundings, target, reader, &interrupted));
    curves.push_back(std::move(curve));
  }
  for (Curve& curve : curves) std::ranges::stable_sort(curve.points, {}, &Point::seconds);
  Answer answer = Summarise(curves, target, options.price);
  answer.interrupted = interrupted;
  if (interrupted)
    answer.sentences.push_back(
        "The program was interrupted: this is what it told until then, and no more is known.");
  answer.method.push_back(
      "The time is that of the first measurement which met the target: between two measurements "
      "nothing is known. It counts from the start of the program (a recording: from its first "
      "event), what it loads included.");
  answer.method.insert(answer.method.end(), method.begin(), method.end());
  return answer;
}

Action Declare(CLI::App& app, const Surroundings& surroundings) {
  auto options = std::make_shared<Options>();
  app.add_option(
      "SOURCE", options->sources,
      "A program's log, a CSV or Parquet table, an experiment of xsp record with marks, or "
      "a published data set (mlperf-v0.5)");
  app.add_option("--target", options->target, "What is to be reached")->type_name("METRIC=VALUE");
  app.add_flag("--lower-is-better", options->lower_is_better, "As for a loss");
  app.add_option(
         "--quality-pattern", options->pattern,
         "Finds the number in a line or mark: a POSIX extended regular expression with a group")
      ->type_name("REGEX");
  app.add_option("--price-per-hour", options->price, "Of the machine, in any currency")
      ->check(CLI::PositiveNumber.description(""))
      ->type_name("X");
  // By this name main() knows that a program may follow.
  app.add_option("COMMAND", options->misplaced, "After `--`: a training program, run here")
      ->type_name("");
  return [&surroundings, options] { return Run(surroundings, *options); };
}

}  // namespace

extern const SuiteSpec kSpec;
constinit const SuiteSpec kSpec = {
    .name = "quality",
    .summary = "Time and cost until a training program reaches a quality",
    .example = "xsp suite quality --target accuracy=0.75 --price-per-hour 2.5 -- python3 train.py",
    .declare = Declare,
};

}  // namespace xsp::suite::quality
