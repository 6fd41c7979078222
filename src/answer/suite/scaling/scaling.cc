#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "answer/suite/data_frame.h"
#include "answer/suite/job_times.h"
#include "answer/suite/scaling/fit.h"
#include "answer/suite/scaling/scaling_runs.h"
#include "answer/suite/suite_command.h"
#include "answer/suite/thread_times.h"
#include "core/counted.h"
#include "store/catalogue.h"

namespace xsp::suite::scaling {
namespace {

using store::Cell;

struct Options {
  std::vector<std::string> sources;
  JobColumns columns;
  ModelToRun run;
  std::vector<int> threads;
  std::vector<int> processes;
  Training training;
  std::optional<int> iterations, steps, batch;  ///< Of what is measured here; none: its default.
  std::string gain = "5%";
};

/// A job's times as speed-ups, and what is fitted to them.
struct Scaling {
  std::string job;
  std::vector<Scaled> points;  ///< Width ascending.
  std::vector<double> times;   ///< By point.
  std::optional<Fit> amdahl;
  std::optional<Fit> gustafson;
};

/// "5%", "5 %" or "0.05" as a share.
Result<double> ShareOf(const std::string& text) {
  std::string number = text;
  std::erase(number, ' ');
  const bool percent = number.ends_with('%');
  if (percent) number.pop_back();
  char* end = nullptr;
  const double value = std::strtod(number.c_str(), &end) / (percent ? 100 : 1);
  const bool is_number = !number.empty() && *end == '\0';
  if (is_number && value > 0 && value < 1) return value;
  const bool forgot_percent = is_number && !percent && value >= 1 && value < 100;
  return Error{ErrorKind::kUsage, "not a share between 0 and 100 %: " + text,
               forgot_percent ? fmt::format("did you mean {}%?", number) : "as in --gain 5%"};
}

bool NamesColumns(const JobColumns& columns) {
  return std::ranges::any_of(
      std::array{&columns.job, &columns.width, &columns.time, &columns.speedup, &columns.unit},
      [](const std::string* name) { return !name->empty(); });
}

Error ColumnsAreOfTables() {
  return {ErrorKind::kUsage, "options that name columns, and --unit, are for a table only",
          "omit them, or name a table"};
}

bool IsTableName(const std::string& source) {
  return source.ends_with(".csv") || source.ends_with(".parquet") ||
         OpenTable(source, "scaling").ok();
}

Result<JobTable> FromStore(const CommandContext& context, const Options& options,
                           std::vector<std::string>* method) {
  if (options.sources.size() > 1 && std::ranges::any_of(options.sources, IsTableName))
    return Error{ErrorKind::kUsage,
                 fmt::format("one table is read at a time: {}", fmt::join(options.sources, ", ")),
                 "use them one after another, or join them into one table"};
  if (NamesColumns(options.columns)) return ColumnsAreOfTables();
  return ThreadTimes(context.store, options.sources, method);
}

Result<JobTable> JobsOf(const CommandContext& context, const Options& options,
                        std::vector<std::string>* method) {
  const bool run = !options.run.model.empty();
  const bool train = !options.processes.empty();
  if (run + train + !options.sources.empty() > 1)
    return Error{ErrorKind::kUsage, "a SOURCE, --run and --processes exclude each other",
                 "ask for one at a time"};
  if ((run || train) && NamesColumns(options.columns)) return ColumnsAreOfTables();
  if (train) {
    method->push_back(
        "Measured: zoo/training/data_parallel.py, PyTorch with gloo, one thread a process, the "
        "batch divided among the processes; the median step of the slowest process.");
    return TrainInProcesses(options.training, options.processes, *context.progress,
                            context.interrupts());
  }
  if (run) {
    if (options.threads.empty())
      return Error{ErrorKind::kUsage, "--run needs numbers of threads", "as in --threads 1,2"};
    XSP_TRY(const auto names, RunOnThreads(context, options.run, options.threads, method));
    method->push_back(
        fmt::format("Measured with xsp run, experiments {}.", fmt::join(names, ", ")));
    return ThreadTimes(context.store, names, method);
  }
  if (options.sources.size() == 1) {
    const auto data = OpenTable(options.sources.front(), "scaling");
    if (data.ok()) {
      method->push_back("From " + data.value().source + ".");
      return JobTableOf(data.value(), options.columns, Relative::kAllowed, method);
    }
    // A name that is no table may be an experiment; if it is neither, the table's error says more.
    if (!store::Resolve(context.store, options.sources.front()).ok()) return data.error();
  }
  return FromStore(context, options, method);
}

/// Why a job's speed-ups count from what they do, where its time on width 1 is not known.
struct WithoutOne {
  std::vector<std::string> stated, ideal;

  void Say(std::vector<std::string>* method) const {
    if (!stated.empty())
      method->push_back(fmt::format(
          "Without a time on width 1 speed-ups are those that the table states, taken to count "
          "from width 1: {}.",
          fmt::join(stated, ", ")));
    if (!ideal.empty())
      method->push_back(fmt::format(
          "Without a time on width 1 the narrowest width is taken to be ideal, so speed-ups may be "
          "too high: {}. The laws are fitted to their times with the time on width 1 as a second "
          "unknown, and amdahl_speedup counts from that time.",
          fmt::join(ideal, ", ")));
  }
};

/// Speed-ups count from width 1, or, where that was not measured, from the time that stated ones
/// count from, or else from the narrowest at its ideal.
Scaling ScalingOf(const JobTimes& job, WithoutOne* without) {
  Scaling scaling{job.job, {}, {}, std::nullopt, std::nullopt};
  const WidthTime& first = job.at.front();
  const bool has_one = first.width == 1;
  const bool is_stated = !has_one && job.time_on_one.has_value();
  if (!has_one) (is_stated ? without->stated : without->ideal).push_back(job.job);
  const double one = is_stated ? *job.time_on_one : first.width * first.time;
  for (const WidthTime& at : job.at) {
    scaling.points.push_back({at.width, one / at.time});
    scaling.times.push_back(at.time);
  }
  if (scaling.points.size() < 2) return scaling;
  // A point that is ideal by definition would pull a fit through width 1.
  const bool is_known = has_one || is_stated;
  scaling.amdahl = (is_known ? FitAmdahl : FitAmdahlWithoutOne)(scaling.points);
  scaling.gustafson = (is_known ? FitGustafson : FitGustafsonWithoutOne)(scaling.points);
  return scaling;
}

std::vector<Scaling> ScalingsOf(const JobTable& table, std::vector<std::string>* method) {
  std::vector<Scaling> scalings;
  std::vector<std::string> one_width;
  WithoutOne without;
  for (const JobTimes& job : table.jobs) {
    scalings.push_back(ScalingOf(job, &without));
    if (job.at.size() == 1) one_width.push_back(job.job);
  }
  without.Say(method);
  if (!one_width.empty())
    method->push_back(
        fmt::format("A single width cannot be fitted: {}.", fmt::join(one_width, ", ")));
  return scalings;
}

Table ScalingTable(const JobTable& jobs, const std::vector<Scaling>& scalings) {
  Table table = EmptyTable("scaling", "Speed-up and efficiency",
                           {{"job", "", "The job", ""},
                            {"width", "", "Devices, processes or threads", ""},
                            {"time", jobs.unit, "On that width", jobs.provenance},
                            {"speedup", "1", "Over width 1", jobs.provenance},
                            {"efficiency_percent", "%", "Speed-up over width", ""},
                            {"gain_percent", "%", "Over the width before, per doubling", ""},
                            {"amdahl_speedup", "1", "By the fit of Amdahl's law", "analytic"}});
  for (const Scaling& scaling : scalings)
    for (std::size_t i = 0; i < scaling.points.size(); ++i) {
      const Scaled& at = scaling.points[i];
      const double gain = i == 0 ? kMissing : 100 * GainPerDoubling(scaling.points[i - 1], at);
      const double fitted =
          scaling.amdahl ? AmdahlSpeedup(scaling.amdahl->serial, at.width) : kMissing;
      table.rows.rows.push_back({scaling.job, static_cast<std::int64_t>(at.width), scaling.times[i],
                                 at.speedup, 100 * at.speedup / at.width, NumberCell(gain),
                                 NumberCell(fitted)});
    }
  return table;
}

/// `width` as a cell; nothing: NULL.
Cell WidthCell(const std::optional<int>& width) {
  Cell cell;
  if (width) cell = static_cast<std::int64_t>(*width);
  return cell;
}

Table FitTable(const std::vector<Scaling>& scalings, double gain) {
  Table table = EmptyTable(
      "fits", "Serial shares and sufficient widths",
      {{"job", "", "The job", ""},
       {"amdahl_serial_percent", "%", "Serial share by Amdahl's law", "analytic"},
       {"amdahl_low_percent", "%", "Lower end of its 95 % interval", "analytic"},
       {"amdahl_high_percent", "%", "Upper end of its 95 % interval", "analytic"},
       {"amdahl_error_percent", "%", "Root mean square error of the speed-up", "analytic"},
       {"gustafson_serial_percent", "%", "Serial share by Gustafson's law", "analytic"},
       {"gustafson_low_percent", "%", "Lower end of its 95 % interval", "analytic"},
       {"gustafson_high_percent", "%", "Upper end of its 95 % interval", "analytic"},
       {"gustafson_error_percent", "%", "Root mean square error of the speed-up", "analytic"},
       {"enough_width", "", "The next step gains no more than the bound", ""},
       {"enough_width_amdahl", "", "The same by the fit, of powers of two", "analytic"}});
  for (const Scaling& scaling : scalings) {
    std::vector<Cell>& row = table.rows.rows.emplace_back();
    row.emplace_back(scaling.job);
    for (const auto& fit : {scaling.amdahl, scaling.gustafson})
      for (const double value : {fit ? fit->serial : kMissing, fit ? fit->low : kMissing,
                                 fit ? fit->high : kMissing, fit ? fit->residual : kMissing})
        row.push_back(NumberCell(100 * value));
    row.push_back(WidthCell(EnoughWidth(scaling.points, gain)));
    row.push_back(WidthCell(scaling.amdahl ? EnoughWidthByAmdahl(scaling.amdahl->serial, gain)
                                           : std::nullopt));
  }
  return table;
}

/// What the chart draws: measured points, the fit and the ideal, to the widest width.
Table CurveTable(const std::vector<Scaling>& scalings) {
  Table table = EmptyTable("curves", "Measured, fitted and ideal speed-up",
                           {{"job", "", "The job", ""},
                            {"line", "", "measured, Amdahl or ideal", ""},
                            {"width", "", "Devices, processes or threads", ""},
                            {"speedup", "1", "Over width 1", ""}});
  for (const Scaling& scaling : scalings) {
    const auto add = [&](const char* line, double width, double speedup) {
      table.rows.rows.push_back({scaling.job, std::string(line), width, speedup});
    };
    for (const Scaled& at : scaling.points) add("measured", at.width, at.speedup);
    const double last = scaling.points.back().width;
    for (const double width : {1.0, last}) add("ideal", width, width);
    constexpr int kSteps = 24;
    for (int i = 0; i <= kSteps && scaling.amdahl; ++i) {
      const double width = std::pow(last, static_cast<double>(i) / kSteps);
      const double fitted = AmdahlSpeedup(scaling.amdahl->serial, width);
      if (!std::isnan(fitted)) add("Amdahl", width, fitted);
    }
  }
  return table;
}

constexpr const char* kChart = R"({
  "data": {"name": "rows"},
  "facet": {"field": "job", "type": "nominal", "title": null}, "columns": 3,
  "spec": {
    "width": 220, "height": 180,
    "encoding": {
      "x": {"field": "width", "type": "quantitative", "scale": {"type": "log", "base": 2},
            "title": "devices, processes or threads", "axis": {"format": "~g"}},
      "y": {"field": "speedup", "type": "quantitative", "scale": {"type": "log", "base": 2},
            "title": "speed-up over one", "axis": {"format": "~g"}},
      "color": {"field": "line", "type": "nominal", "title": null,
                "scale": {"domain": ["measured", "Amdahl", "ideal"],
                          "range": ["#0072b2", "#e69f00", "#8f9aa3"]},
                "legend": {"orient": "top"}}
    },
    "layer": [
      {"transform": [{"filter": "datum.line != 'measured'"}],
       "mark": {"type": "line", "strokeDash": [4, 3], "tooltip": null}},
      {"transform": [{"filter": "datum.line == 'measured'"}],
       "mark": {"type": "line", "point": {"tooltip": {"content": "data"}}, "tooltip": null}},
      {"transform": [{"filter": "datum.line == 'measured' && datum.width > 1"}],
       "mark": {"type": "text", "dy": 13, "tooltip": null},
       "encoding": {"text": {"field": "speedup", "type": "quantitative", "format": ".3~g"}}}
    ]
  }
})";

/// The first width on which a fit of Amdahl's law gives no speed-up, since a share below zero ends
/// all work; nothing: it gives one on each.
std::optional<int> FirstWidthWithoutAmdahl(const Scaling& scaling) {
  for (const Scaled& at : scaling.points)
    if (std::isnan(AmdahlSpeedup(scaling.amdahl->serial, at.width))) return at.width;
  return std::nullopt;
}

/// What the fit of Amdahl's law says of a job, to stand behind what was measured.
std::string AmdahlText(const Scaling& s, bool is_enough_measured, double gain) {
  if (!s.amdahl) return "; Amdahl's law fits no such times";
  std::string text = fmt::format("; serial share {:.1f} %", 100 * s.amdahl->serial);
  if (!std::isnan(s.amdahl->low))
    text += fmt::format(" (95 % interval {:.1f} to {:.1f} %)", 100 * s.amdahl->low,
                        100 * s.amdahl->high);
  const auto by_fit = EnoughWidthByAmdahl(s.amdahl->serial, gain);
  if (const auto width = FirstWidthWithoutAmdahl(s)) {
    text += fmt::format(
        ", below zero: so much faster than linear that Amdahl's law does not hold, by which no "
        "work is left on {}",
        *width);
  } else if (s.amdahl->serial < 0) {
    text += ", below zero: faster than linear";
  } else if (by_fit && !is_enough_measured) {
    text += fmt::format(", by which {} would be enough", *by_fit);
  }
  return text;
}

std::vector<std::string> Sentences(const std::vector<Scaling>& scalings, double gain) {
  std::vector<std::string> said;
  // What was measured on one width only scales in no way.
  std::vector<Scaling> compared;
  std::ranges::copy_if(scalings, std::back_inserter(compared),
                       [](const Scaling& s) { return s.points.size() > 1; });
  const auto widest = [](const Scaling& s) {
    return s.points.back().speedup / s.points.back().width;
  };
  const auto [worst, best] = std::ranges::minmax_element(compared, {}, widest);
  const auto sentence = [&](const Scaling& s, const char* how) {
    return fmt::format(
        "{} {} on its widest width: {:.2f} times as fast on {}, an efficiency of "
        "{:.1f} %.",
        s.job, how, s.points.back().speedup, s.points.back().width, 100 * widest(s));
  };
  if (compared.size() > 1) {
    said.push_back(sentence(*best, "scales best"));
    said.push_back(sentence(*worst, "scales worst"));
  } else {
    said.push_back(sentence(*best, "scales"));
  }
  for (const Scaling& s : compared) {
    const auto enough = EnoughWidth(s.points, gain);
    std::string text =
        enough ? fmt::format("{}: {} is enough, a doubling beyond gains no more than {:g} %", s.job,
                             *enough, 100 * gain)
               : fmt::format("{}: every measured step gains more than {:g} % per doubling", s.job,
                             100 * gain);
    text += AmdahlText(s, enough.has_value(), gain);
    said.push_back(text + ".");
  }
  return said;
}

Result<Answer> Run(const CommandContext& context, const Options& options) {
  std::vector<std::string> method;
  XSP_TRY(const double gain, ShareOf(options.gain));
  XSP_TRY(const JobTable jobs, JobsOf(context, options, &method));
  const std::vector<Scaling> scalings = ScalingsOf(jobs, &method);
  if (std::ranges::all_of(scalings, [](const Scaling& s) { return s.points.size() < 2; }))
    return Error{ErrorKind::kBadInput, "every job has one width only, which does not show scaling",
                 "measure each job on at least two widths"};
  method.push_back(
      "Amdahl's law (fixed work) is fitted to 1/speed-up, Gustafson's (work that grows with the "
      "width) to the speed-up, by least squares, through 1 at width 1 where its time is known; "
      "intervals by Student's t.");
  return Answer{"scaling",
                "Scaling of the jobs",
                Sentences(scalings, gain),
                std::move(method),
                {ScalingTable(jobs, scalings), FitTable(scalings, gain), CurveTable(scalings)},
                {{"speedup", "Speed-up, with the ideal and Amdahl's law", "curves", kChart}}};
}

/// A field of what is measured here, and which ways of measuring it is of.
struct MeasureField {
  const char* option;  ///< As a command line has it.
  bool is_given, of_run, of_processes;
};

/// Refuses fields that nothing would look at.
Status CheckTogether(const Options& options) {
  const bool run = !options.run.model.empty();
  const bool train = !options.processes.empty();
  const MeasureField measure[] = {{"--threads", !options.threads.empty(), true, false},
                                  {"--backend", !options.run.backend.empty(), true, false},
                                  {"--iterations", options.iterations.has_value(), true, false},
                                  {"--steps", options.steps.has_value(), false, true},
                                  {"--batch", options.batch.has_value(), true, true}};
  for (const auto& [option, is_given, of_run, of_processes] : measure) {
    if (!is_given || (run && of_run) || (train && of_processes)) continue;
    return Error{
        ErrorKind::kUsage,
        fmt::format("{} goes with {}{}{} only", option, of_run ? "--run" : "",
                    of_run && of_processes ? " or " : "", of_processes ? "--processes" : ""),
        "--run MODEL --threads N,... takes --backend, --iterations and --batch; "
        "--processes N,... takes --steps and --batch; what was measured before takes "
        "none of them"};
  }
  return Ok{};
}

/// Adds the fields of what is measured here.
void AddMeasureFields(core::RequestFields& fields, Options& options) {
  fields.Add("run", &options.run.model,
             {.help = "Measure this model with xsp run",
              .value_name = "MODEL",
              .refers = core::Refers::kModel});
  fields.Add("threads", &options.threads,
             {.help = "Numbers of threads",
              .value_name = "N,...",
              .range = core::kPositive,
              .list = core::ListStyle::kCommas});
  fields.Add("backend", &options.run.backend, {.help = "Of --run", .value_name = "NAME"});
  fields.Add("iterations", &options.iterations,
             {.help = "Model calls of each --run",
              .value_name = "N",
              .range = core::kPositive,
              .or_default = "30"});
  fields.Add(
      "processes", &options.processes,
      {.help = "Measure data-parallel training (PyTorch, gloo) in these numbers of processes",
       .value_name = "N,...",
       .range = core::Between(1, 1024),
       .list = core::ListStyle::kCommas});
  fields.Add("steps", &options.steps,
             {.help = "Training steps of --processes",
              .value_name = "N",
              .range = core::kPositive,
              .or_default = "30"});
  fields.Add("batch", &options.batch,
             {.help = "Of --run (default 1) or --processes (default 32)",
              .value_name = "N",
              .range = core::kPositive});
}

Action Declare(core::RequestFields& fields, const CommandContext& context) {
  auto options = std::make_shared<Options>();
  fields.Add("source", &options->sources,
             {.help = "A CSV or Parquet table, a data set (mlperf-v0.5), or experiments in the "
                      "store whose points differ by threads (default: all)",
              .value_name = "SOURCE",
              .refers = core::Refers::kStored,
              .positional = true});
  fields.Add("gain", &options->gain,
             {.help = "Gain per doubling below which a larger width is not worthwhile",
              .value_name = "PERCENT"});
  AddMeasureFields(fields, *options);
  AddJobOptions(fields, &options->columns);
  return [&context, options]() -> Result<Answer> {
    XSP_RETURN_IF_ERROR(CheckTogether(*options));
    options->run.iterations = options->iterations.value_or(options->run.iterations);
    options->training.steps = options->steps.value_or(options->training.steps);
    if (options->batch) options->run.batch = options->training.batch = *options->batch;
    for (std::vector<int>* widths : {&options->threads, &options->processes}) {
      std::ranges::sort(*widths);
      widths->erase(std::unique(widths->begin(), widths->end()), widths->end());
    }
    return Run(context, *options);
  };
}

}  // namespace

extern const SuiteSpec kSpec;
constinit const SuiteSpec kSpec = {
    .name = "scaling",
    .summary =
        "Computes speed-up and efficiency over devices, processes or threads, and the largest "
        "worthwhile width",
    .example = "xsp suite scaling mlperf-v0.5 --gain 10%",
    .declare = Declare,
    .measures = true,
};

}  // namespace xsp::suite::scaling
