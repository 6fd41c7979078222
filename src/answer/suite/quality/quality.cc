#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <utility>

#include "answer/suite/data_frame.h"
#include "answer/suite/data_frame_options.h"
#include "answer/suite/data_set.h"
#include "answer/suite/error_excerpt.h"
#include "answer/suite/quality/curve.h"
#include "answer/suite/suite_command.h"
#include "core/counted.h"
#include "os/files.h"
#include "os/subprocess.h"
#include "store/catalogue.h"
#include "store/database.h"

namespace xsp::suite::quality {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::vector<std::string> sources;
  std::vector<std::string> program;  ///< And its arguments.
  std::string target, pattern;
  bool lower_is_better = false;
  std::optional<double> price;  ///< Per hour, above 0.
};

/// `unknown`: measurements that were reported, but not as finite numbers.
Error NoMeasurement(const std::string& source, const Target& target, std::size_t unknown) {
  if (unknown > 0)
    return {ErrorKind::kBadInput,
            fmt::format("{} has no {} that is a finite number with a time: {}", source,
                        target.metric, core::Counted(unknown, "measurement")),
            "nan and inf do not count"};
  return {ErrorKind::kBadInput, fmt::format("{} has no {}", source, target.metric),
          fmt::format("a line is read such as `epoch=3 {}=0.71`; --quality-pattern finds others",
                      target.metric)};
}

Error NegativeTime(const std::string& source, double when) {
  return {ErrorKind::kBadInput, fmt::format("{}: a time is negative: {:g}", source, when),
          "times count from the start of the program"};
}

/// The curve of one source as it grows, and what could not be part of it.
struct Gathering {
  Curve curve;
  std::size_t unknown = 0;  ///< Measurements without a time or a quality that is a finite number.

  void Add(const Point& point) {
    if (std::isfinite(point.seconds) && std::isfinite(point.quality)) {
      curve.points.push_back(point);
    } else {
      ++unknown;
    }
  }

  /// Says what was left out; `what` they are: "row".
  void Say(const std::string& source, const char* what, std::vector<std::string>* method) const {
    if (unknown > 0)
      method->push_back(fmt::format(
          "{}: {} of {} without a time or a quality that is a finite number {} left out.", source,
          unknown, core::Counted(curve.points.size() + unknown, what),
          core::ByNumber(unknown, "is", "are")));
  }
};

Result<Curve> FromLog(const std::string& file, const Target& target, const LineReader& reader,
                      std::vector<std::string>* method) {
  XSP_TRY(const std::string text, os::ReadFile(file, 1 << 28));
  Gathering all{{fs::path(file).filename().string(), {}}};
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    auto point = reader.Read(line);
    if (!point) continue;
    const auto seconds = NumberAfter(line, "seconds");
    if (!seconds && !std::isnan(point->quality))
      return Error{ErrorKind::kBadInput, "a line of the log has no time: " + line,
                   "it needs `seconds N`; or run the program with: xsp suite quality -- COMMAND"};
    point->seconds = seconds.value_or(kMissing);
    if (point->seconds < 0) return NegativeTime(file, point->seconds);
    all.Add(*point);
  }
  all.Say(file, "measurement", method);
  if (all.curve.points.empty()) return NoMeasurement(file, target, all.unknown);
  return std::move(all.curve);
}

/// The error of one cell of text in a column of numbers: it makes text of the whole column.
Status CheckIsNumbers(const std::string& source, const store::Table& rows, std::size_t column) {
  const auto row = FirstText(rows, column);
  if (!row) return Ok{};
  return Error{ErrorKind::kBadInput,
               fmt::format("{}: column {} contains text, not numbers: {} in row {}", source,
                           rows.columns[column], TextOf(rows.rows[*row][column]), *row + 1),
               "correct the table; leave unknown values empty"};
}

/// Where a table holds a curve.
struct CurveColumns {
  std::size_t quality, time;
  std::optional<std::size_t> epoch;
  double unit_s;  ///< Of the time.
};

Result<CurveColumns> CurveColumnsOf(const std::string& source, const store::Table& rows,
                                    const Target& target) {
  const auto find = [&rows](const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(rows.columns, name) - rows.columns.begin());
  };
  const std::size_t quality = find(target.metric), epoch = find("epoch"),
                    none = rows.columns.size();
  CurveColumns columns{quality, none, std::nullopt, 1};
  const std::initializer_list<std::pair<const char*, double>> units = {
      {"hours", 3600}, {"minutes", 60}, {"seconds", 1}};
  for (const auto& [name, seconds] : units)
    if (find(name) != none) columns.time = find(name), columns.unit_s = seconds;
  if (quality == none || columns.time == none)
    return Error{ErrorKind::kBadInput,
                 fmt::format("{} has no column {}", source,
                             quality == none ? target.metric : "seconds, minutes or hours"),
                 fmt::format("a table needs the metric and the time, and may have epoch; its "
                             "columns: {}",
                             fmt::join(rows.columns, ", "))};
  if (epoch != none) columns.epoch = epoch;
  XSP_RETURN_IF_ERROR(CheckIsNumbers(source, rows, columns.quality));
  XSP_RETURN_IF_ERROR(CheckIsNumbers(source, rows, columns.time));
  if (columns.epoch) XSP_RETURN_IF_ERROR(CheckIsNumbers(source, rows, *columns.epoch));
  return columns;
}

/// A table with a column of the metric's name, one of time (seconds, minutes or hours), and
/// perhaps one of epochs.
Result<Curve> FromTable(const std::string& source, const Target& target,
                        std::vector<std::string>* method) {
  XSP_TRY(const DataTable data, OpenTable(source, "quality"));
  const store::Table& rows = data.table.rows;
  XSP_TRY(const CurveColumns columns, CurveColumnsOf(source, rows, target));
  Gathering all{{fs::path(source).filename().string(), {}}};
  for (const auto& row : rows.rows) {
    const double when = NumberOf(row[columns.time]);
    if (when < 0) return NegativeTime(source, when);
    const double epoch = columns.epoch ? NumberOf(row[*columns.epoch]) : kMissing;
    all.Add({when * columns.unit_s, epoch, NumberOf(row[columns.quality])});
  }
  all.Say(source, "row", method);
  if (all.curve.points.empty())
    return Error{ErrorKind::kBadInput, fmt::format("{} has no {}", source, target.metric),
                 fmt::format("no row has a finite number both in {} and in {}",
                             rows.columns[columns.quality], rows.columns[columns.time])};
  return std::move(all.curve);
}

/// The marks of a recording (xsp mark), from its first event on.
Result<Curve> FromExperiment(const CommandContext& context, const std::string& source,
                             const Target& target, const LineReader& reader,
                             std::vector<std::string>* method) {
  XSP_TRY(const fs::path folder, store::Resolve(context.store, source));
  XSP_TRY(const store::Database database, store::Database::Open({folder}));
  XSP_TRY(const store::Table marks,
          database.Query("SELECT name, (time_ns - (SELECT min(start_ns) FROM (SELECT min(start_ns) "
                         "AS start_ns FROM span UNION ALL SELECT min(time_ns) FROM mark UNION ALL "
                         "SELECT min(time_ns) FROM counter))) / 1e9 FROM mark ORDER BY time_ns"));
  Gathering all{{folder.filename().string(), {}}};
  for (const auto& row : marks.rows) {
    const auto* name = std::get_if<std::string>(&row[0]);
    auto point = name == nullptr ? std::nullopt : reader.Read(*name);
    if (!point) continue;
    point->seconds = NumberOf(row[1]);
    all.Add(*point);
  }
  all.Say(source, "mark", method);
  if (all.curve.points.empty())
    return Error{ErrorKind::kBadInput, fmt::format("{} has no mark of {}", source, target.metric),
                 fmt::format("the program adds one with: xsp mark epoch=3 {}=0.71", target.metric)};
  return std::move(all.curve);
}

using TrainingClock = std::chrono::steady_clock;

/// What a program that runs here tells.
struct Training {
  Gathering told;
  bool interrupted = false;
  std::vector<std::string> sentences;  ///< What is to be known of the run, for the answer.
};

/// Reads what `program` tells until it closes its output or, after a request to stop, which goes to
/// it as a signal, `*until`: which a second request makes now.
void Listen(const CommandContext& context, const LineReader& reader, os::Interrupts& interrupts,
            TrainingClock::time_point begin, os::Subprocess* program, Training* training,
            TrainingClock::time_point* until) {
  constexpr auto kPatience = std::chrono::seconds(30);
  while (true) {
    const auto line =
        program->ReadLine(std::max<os::Subprocess::Duration>(*until - TrainingClock::now(), {}),
                          interrupts.wake_fd());
    if (line.kind == os::LineRead::Kind::kWoken) {
      interrupts.Acknowledge();
      if (interrupts.give_up()) *until = TrainingClock::now();
      if (training->interrupted) continue;
      training->interrupted = true;
      program->Signal(interrupts.signal());
      *until = TrainingClock::now() + kPatience;
      continue;
    }
    if (line.kind != os::LineRead::Kind::kLine) return;
    auto point = reader.Read(line.text);
    context.progress->Step(line.text, -1, -1);
    if (!point) continue;
    point->seconds = std::chrono::duration<double>(TrainingClock::now() - begin).count();
    training->told.Add(*point);
  }
}

/// Waits for the end of `program`, and says how it failed where that takes nothing from the answer:
/// the target was met before. Else it is an error.
Status AwaitEnd(const Target& target, os::Subprocess* program, Training* training) {
  const auto exit = program->Wait(std::chrono::minutes(1));
  if (exit && exit->success()) return Ok{};
  const std::string how = exit ? os::ToString(*exit) : "it does not end";
  std::string words = ErrorExcerpt(program->stderr_tail());
  if (Reached(training->told.curve, target) == nullptr)
    return Error{ErrorKind::kBadInput, "the program failed: " + how, "error excerpt: " + words};
  std::ranges::replace(words, '\n', ' ');
  training->sentences.push_back(
      fmt::format("The program met the target, and failed afterwards: {}{}{}", how,
                  words.empty() ? "." : "; error excerpt: ", words));
  return Ok{};
}

/// Waits for the end of a program that was asked to stop, or kills it at `until` or when a second
/// request comes.
void EndInterrupted(const os::Interrupts& interrupts, TrainingClock::time_point until,
                    os::Subprocess* program) {
  constexpr os::Subprocess::Duration kBetweenLooks = std::chrono::milliseconds(50);
  while (!program->Wait(kBetweenLooks))
    if (interrupts.give_up() || TrainingClock::now() >= until) {
      program->Kill();
      return;
    }
}

/// Runs the program; its lines have the time at which they came. A request to stop goes to it as a
/// signal; it is killed when it has not ended half a minute later, or at a second request, and
/// counts as interrupted, whatever it ended with.
Result<Training> FromProgram(const CommandContext& context, const std::vector<std::string>& argv,
                             const Target& target, const LineReader& reader,
                             std::vector<std::string>* method) {
  os::SpawnOptions options;
  options.argv = argv;
  // Python holds what it prints into a pipe until it ends: all times would be that of the end.
  options.environment = {{"PYTHONUNBUFFERED", "1"}};
  os::Interrupts& interrupts = context.interrupts();
  const auto begin = TrainingClock::now();
  XSP_TRY(os::Subprocess program, os::Subprocess::Spawn(options));
  program.CloseStdin();
  TrainingClock::time_point until = begin + std::chrono::hours(24 * 365);
  Training training;
  Curve& curve = training.told.curve;
  curve.source = fs::path(argv.front()).filename().string();
  if (argv.size() > 1 && curve.source.starts_with("python"))
    curve.source = fs::path(argv[1]).filename().string();
  Listen(context, reader, interrupts, begin, &program, &training, &until);
  const double end_s = std::chrono::duration<double>(TrainingClock::now() - begin).count();
  training.told.Say(curve.source, "measurement", method);
  if (std::string sentence = HeldBack(curve, end_s); !sentence.empty())
    training.sentences.push_back(std::move(sentence));
  if (training.interrupted) {
    EndInterrupted(interrupts, until, &program);
    if (interrupts.give_up()) return Error{ErrorKind::kInterrupted, "interrupted", ""};
    if (!curve.points.empty()) return training;
    return Error{ErrorKind::kInterrupted,
                 fmt::format("interrupted before the program reported any {}", target.metric), ""};
  }
  XSP_RETURN_IF_ERROR(AwaitEnd(target, &program, &training));
  if (curve.points.empty()) return NoMeasurement("the program", target, training.told.unknown);
  return training;
}

/// What a table of published minutes says; tasks without any are left out.
struct PublishedMinutes {
  double sum = 0;
  double longest = -1;
  std::string task;  ///< The one of `longest`.
  std::size_t known = 0;
  std::vector<std::string> unknown;  ///< Tasks.
};

/// Reads `column`; with a price, the cost of each row comes behind its cells.
Result<PublishedMinutes> MinutesIn(const std::string& source, std::size_t column, double price,
                                   store::Table* rows) {
  XSP_RETURN_IF_ERROR(CheckIsNumbers(source, *rows, column));
  PublishedMinutes published;
  for (auto& row : rows->rows) {
    const double minutes = NumberOf(row[column]);
    const std::string task = TextOf(row[0]);
    if (minutes < 0)
      return Error{ErrorKind::kBadInput,
                   fmt::format("{}: the minutes of {} are negative: {:g}", source, task, minutes),
                   "correct the table; leave unknown values empty"};
    const bool known = std::isfinite(minutes);
    if (price > 0) row.push_back(NumberCell(known ? minutes / 60 * price : kMissing));
    if (!known) {
      published.unknown.push_back(task);
      continue;
    }
    ++published.known;
    published.sum += minutes;
    if (minutes > published.longest) published.longest = minutes, published.task = task;
  }
  if (published.known == 0)
    return Error{ErrorKind::kBadInput, source + " knows the minutes of no task",
                 "fill its column minutes"};
  return published;
}

/// What the published minutes say in words.
std::vector<std::string> PublishedSentences(const PublishedMinutes& published, double price) {
  const bool one = published.known == 1, all = published.unknown.empty();
  const double hours = published.longest / 60, all_hours = published.sum / 60;
  std::vector<std::string> sentences = {
      one ? fmt::format("{} takes {:.3g} h to its target.", published.task, hours)
          : fmt::format("{} takes longest to its target, {:.3g} h of {:.3g} h for {}{} tasks{}.",
                        published.task, hours, all_hours, all ? "all " : "the ", published.known,
                        all ? "" : " whose minutes are known")};
  if (price > 0)
    sentences.push_back(fmt::format("{} {:.4g} at {:g} an hour.",
                                    one   ? "It costs"
                                    : all ? "All of them cost"
                                          : "Those cost",
                                    all_hours * price, price));
  return sentences;
}

/// The published table: it holds the time to the target alone.
Result<Answer> FromReference(const std::string& source, double price) {
  XSP_TRY(DataTable data, OpenTable(source, "reference_minutes"));
  Answer answer{"quality", "Time and cost to the quality target, as published", {}, {}, {}, {}};
  Table& table = answer.tables.emplace_back(std::move(data.table));
  const auto column = static_cast<std::size_t>(std::ranges::find(table.rows.columns, "minutes") -
                                               table.rows.columns.begin());
  if (column == table.rows.columns.size() || column == 0)
    return Error{ErrorKind::kBadInput, source + " has no column minutes behind a task's name", ""};
  if (price > 0) {
    table.columns.push_back({"cost", "", "Time times the price per hour", ""});
    table.rows.columns.emplace_back("cost");
  }
  XSP_TRY(const PublishedMinutes published, MinutesIn(source, column, price, &table.rows));
  answer.sentences = PublishedSentences(published, price);
  answer.charts.push_back(
      {"minutes", "Minutes to the quality target", table.id, R"json({"height": {"step": 24},
    "encoding": {"y": {"field": "task", "type": "nominal", "sort": "-x", "title": null, "axis": {"labelLimit": 260}},
                 "x": {"field": "minutes", "type": "quantitative", "title": "time (min)"}},
    "layer": [{"mark": "bar"},
              {"mark": {"type": "text", "align": "left", "dx": 4, "tooltip": null},
               "encoding": {"text": {"field": "minutes", "format": ",.3~r"}}}]})json"});
  answer.method.push_back("From " + data.source +
                          ". It has no curve: only the time to the target.");
  if (!published.unknown.empty())
    answer.method.push_back(
        fmt::format("{} no minutes, and so no cost: {}.",
                    core::Counted(published.unknown.size(), "task has", "tasks have"),
                    fmt::join(published.unknown, ", ")));
  return answer;
}

bool IsDataSet(const std::string& source) {
  const auto names = DataSets();
  std::error_code ignored;
  return std::ranges::find(names, source) != names.end() ||
         fs::exists(fs::path(source) / "suite.yaml", ignored);
}

Result<Curve> CurveOf(const CommandContext& context, const std::string& source,
                      const Target& target, const LineReader& reader,
                      std::vector<std::string>* method) {
  std::error_code ignored;
  const std::string ending = fs::path(source).extension().string();
  if (ending == ".csv" || ending == ".parquet") return FromTable(source, target, method);
  if (fs::is_regular_file(source, ignored)) return FromLog(source, target, reader, method);
  return FromExperiment(context, source, target, reader, method);
}

/// Curves of one name are told apart by what the user called their sources, the first of them.
void TellCurvesApart(const std::vector<std::string>& sources, std::vector<Curve>* curves) {
  std::map<std::string, int> uses;
  for (const Curve& curve : *curves) ++uses[curve.source];
  for (std::size_t i = 0; i < sources.size(); ++i)
    if (std::string& name = (*curves)[i].source; uses.at(name) > 1) name = sources[i];
}

Result<Answer> Run(const CommandContext& context, const Options& options) {
  if (options.sources.size() == 1 && IsDataSet(options.sources.front()) && options.target.empty())
    return FromReference(options.sources.front(), options.price.value_or(0));
  for (const std::string& source : options.sources)
    if (IsDataSet(source))
      return Error{ErrorKind::kUsage,
                   "a published data set has minutes to its own targets, and no curve: " + source,
                   "use it without --target: xsp suite quality " + source};
  if (options.target.empty())
    return Error{ErrorKind::kUsage, "no target is given", "--target accuracy=0.75"};
  if (options.sources.empty() && options.program.empty())
    return Error{ErrorKind::kUsage, "nothing to read and no program to run",
                 "xsp suite quality --target accuracy=0.75 -- python3 train.py"};
  XSP_TRY(const Target target, ParseTarget(options.target, options.lower_is_better));
  XSP_TRY(const LineReader reader, LineReader::Make(target, options.pattern));
  std::vector<Curve> curves;
  std::vector<std::string> method;
  std::optional<Training> training;
  for (const std::string& source : options.sources) {
    XSP_TRY(Curve curve, CurveOf(context, source, target, reader, &method));
    curves.push_back(std::move(curve));
  }
  if (!options.program.empty()) {
    XSP_TRY(training, FromProgram(context, options.program, target, reader, &method));
    curves.push_back(training->told.curve);
  }
  TellCurvesApart(options.sources, &curves);
  for (Curve& curve : curves) std::ranges::stable_sort(curve.points, {}, &Point::seconds);
  Answer answer = Summarise(curves, target, options.price.value_or(0));
  if (training)
    answer.sentences.insert(answer.sentences.end(), training->sentences.begin(),
                            training->sentences.end());
  if (training && training->interrupted) {
    answer.incomplete = ErrorKind::kInterrupted;
    answer.sentences.push_back(
        "The program was interrupted: these are the measurements until then.");
  }
  answer.method.push_back(
      "The time is that of the first measurement which met the target: between two measurements "
      "nothing is known. It counts from the start of the program (a recording: from its first "
      "event), what it loads included.");
  answer.method.insert(answer.method.end(), method.begin(), method.end());
  return answer;
}

Action Declare(core::RequestFields& fields, const CommandContext& context) {
  auto options = std::make_shared<Options>();
  fields.Add(
      "source", &options->sources,
      {.help =
           "A program's log, a CSV or Parquet table, an experiment of xsp record with marks, or "
           "a published data set (mlperf-v0.5)",
       .value_name = "SOURCE",
       .refers = core::Refers::kStored,
       .positional = true});
  fields.Add("target", &options->target,
             {.help = "Target to be reached", .value_name = "METRIC=VALUE"});
  fields.Add("lower_is_better", &options->lower_is_better,
             {.help = "Lower is better, as for a loss"});
  fields.Add(
      "quality_pattern", &options->pattern,
      {.help =
           "Finds the number in a line or mark: a POSIX extended regular expression with a group",
       .value_name = "REGEX"});
  fields.Add("price_per_hour", &options->price,
             {.help = "Price of the machine per hour, in any currency",
              .value_name = "X",
              .range = core::kPositive});
  fields.Add("program", &options->program,
             {.help = "After `--`: a training program, run here",
              .refers = core::Refers::kProgram,
              .program = true});
  return [&context, options] { return Run(context, *options); };
}

}  // namespace

extern const SuiteSpec kSpec;
constinit const SuiteSpec kSpec = {
    .name = "quality",
    .summary = "Computes time and cost until a training program reaches a quality",
    .example = "xsp suite quality --target accuracy=0.75 --price-per-hour 2.5 -- python3 train.py",
    .declare = Declare,
    .measures = true,
};

}  // namespace xsp::suite::quality
