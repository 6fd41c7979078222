#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "base/counted.h"
#include "store/catalogue.h"
#include "suite/frame.h"
#include "suite/job_times.h"
#include "suite/scaling/fit.h"
#include "suite/scaling/measured.h"
#include "suite/suite_command.h"

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
Result<double> ShareOf(std::string text) {
  std::erase(text, ' ');
  const bool percent = text.ends_with('%');
  if (percent) text.pop_back();
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end) / (percent ? 100 : 1);
  if (text.empty() || *end != '\0' || !(value > 0) || !(value < 1))
    return Error{ErrorKind::kUsage, "not a share between 0 and 100 %: " + text, "as in --gain 5%"};
  return value;
}

Result<JobTable> FromStore(const Surroundings& surroundings, const Options& options,
                           std::vector<std::string>* method) {
  std::vector<std::string> experiments = options.sources;
  if (experiments.empty()) {
    XSP_TRY(const auto entries, store::List(surroundings.store));
    for (const auto& entry : entries)
      if (!entry.status.starts_with("unreadable")) experiments.push_back(entry.name);
  }
  if (experiments.empty())
    return Error{ErrorKind::kBadInput, "nothing is in the store: " + surroundings.store.string(),
                 "name a table or a data set (mlperf-v0.5), or measure: --run MODEL --threads 1,2"};
  method->push_back(fmt::format("Latencies are of {} in the store.",
                                base::Counted(experiments.size(), "experiment")));
  return ThreadTimes(surroundings.store, experiments, method);
}

Result<JobTable> JobsOf(const Surroundings& surroundings, const Options& options,
                        std::vector<std::string>* method) {
  const bool run = !options.run.model.empty();
  const bool train = !options.processes.empty();
  if (run + train + !options.sources.empty() > 1)
    return Error{ErrorKind::kUsage, "a SOURCE, --run and --processes exclude each other",
                 "ask for one at a time"};
  if (train) {
    method->push_back(
        "Measured: zoo/training/data_parallel.py, PyTorch with gloo, one thread a process, the "
        "batch "
        "divided among the processes; the median step of the slowest process.");
    return TrainInProcesses(options.training, options.processes, surroundings.progress);
  }
  if (run) {
    if (options.threads.empty())
      return Error{ErrorKind::kUsage, "--run needs numbers of threads", "as in --threads 1,2"};
    XSP_TRY(const auto names, RunOnThreads(surroundings, options.run, options.threads));
    method->push_back(
        fmt::format("Measured with xsp run, experiments {}.", fmt::join(names, ", ")));
    return ThreadTimes(surroundings.store, names, method);
  }
  if (options.sources.size() == 1) {
    const auto data = OpenTable(options.sources.front(), "scaling");
    if (data.ok()) {
      method->push_back("From " + data.value().source + ".");
      return JobTableOf(data.value(), options.columns, Relative::kAllowed, method);
    }
    // A name that is no table may be an experiment; if it is neither, the table's error says more.
    if (!store::Resolve(surroundings.store, options.sources.front()).ok()) return data.error();
  }
  return FromStore(surroundings, options, method);
}

/// Speed-ups count from width 1, or, where that was not measured, from the narrowest at its ideal.
std::vector<Scaling> ScalingsOf(const JobTable& table, std::vector<std::string>* method) {
  std::vector<Scaling> scalings;
  std::vector<std::string> from_wider, one_width;
  for (const JobTimes& job : table.jobs) {
    Scaling& scaling = scalings.emplace_back();
    scaling.job = job.job;
    const WidthTime& first = job.at.front();
    if (first.width > 1) from_wider.push_back(job.job);
    if (job.at.size() == 1) one_width.push_back(job.job);
    for (const WidthTime& at : job.at) {
      scaling.points.push_back({at.width, first.width * first.time / at.time});
      scaling.times.push_back(at.time);
    }
    // A point that is ideal by definition would pull the fit.
    const std::span<const Scaled> fitted =
        std::span<const Scaled>(scaling.points).subspan(first.width > 1 ? 1 : 0);
    scaling.amdahl = FitAmdahl(fitted);
    scaling.gustafson = FitGustafson(fitted);
  }
  if (!from_wider.empty())
    method->push_back(fmt::format(
        "Without a time on width 1 the narrowest width is taken to be ideal, so speed-ups may be "
        "too high: {}.",
        fmt::join(from_wider, ", ")));
  if (!one_width.empty())
    method->push_back(
        fmt::format("With one width only nothing can be fitted: {}.", fmt::join(one_width, ", ")));
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
      "fits", "Serial shares and the width that is enough",
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
      add("Amdahl", width, AmdahlSpeedup(scaling.amdahl->serial, width));
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
    if (s.amdahl) {
      const auto by_fit = EnoughWidthByAmdahl(s.amdahl->serial, gain);
      text += fmt::format("; serial share {:.1f} %", 100 * s.amdahl->serial);
      if (!std::isnan(s.amdahl->low))
        text += fmt::format(" (95 % interval {:.1f} to {:.1f} %)", 100 * s.amdahl->low,
                            100 * s.amdahl->high);
      if (s.amdahl->serial < 0)
        text += ", below zero: faster than linear";
      else if (by_fit && !enough)
        text += fmt::format(", by which {} would be enough", *by_fit);
    }
    said.push_back(text + ".");
  }
  return said;
}

Result<Answer> Run(const Surroundings& surroundings, const Options& options) {
  std::vector<std::string> method;
  XSP_TRY(const double gain, ShareOf(options.gain));
  XSP_TRY(const JobTable jobs, JobsOf(surroundings, options, &method));
  const std::vector<Scaling> scalings = ScalingsOf(jobs, &method);
  if (std::ranges::all_of(scalings, [](const Scaling& s) { return s.points.size() < 2; }))
    return Error{ErrorKind::kBadInput,
                 "every job has one width only, which says nothing of scaling",
                 "measure each job on at least two widths"};
  method.push_back(
      "Amdahl's law (fixed work) is fitted to 1/speed-up, Gustafson's (work that grows with the "
      "width) to the speed-up, by least squares through 1 at width 1; intervals by Student's t.");
  return Answer{"scaling",
                "How the jobs scale",
                Sentences(scalings, gain),
                std::move(method),
                {ScalingTable(jobs, scalings), FitTable(scalings, gain), CurveTable(scalings)},
                {{"speedup", "Speed-up, with the ideal and Amdahl's law", "curves", kChart}}};
}

Action Declare(CLI::App& app, const Surroundings& surroundings) {
  auto options = std::make_shared<Options>();
  app.add_option("SOURCE", options->sources,
                 "A CSV or Parquet table, a data set (mlperf-v0.5), or experiments in the store "
                 "whose points differ by threads (default: all)");
  app.add_option("--gain", options->gain, "A doubling that gains no more is not worth it")
      ->type_name("PERCENT")
      ->capture_default_str();
  const auto measure = [](CLI::Option* option) { return option->group("Measure here"); };
  measure(app.add_option("--run", options->run.model, "Measure this model with xsp run")
              ->type_name("MODEL"));
  measure(app.add_option("--threads", options->threads, "On so many threads")
              ->delimiter(',')
              ->check(CLI::PositiveNumber)
              ->type_name("N,..."));
  measure(app.add_option("--backend", options->run.backend, "Of --run")->type_name("NAME"));
  measure(app.add_option("--iterations", options->run.iterations, "Of --run")
              ->check(CLI::PositiveNumber)
              ->capture_default_str());
  measure(app.add_option("--processes", options->processes,
                         "Measure data-parallel training (PyTorch, gloo) in so many processes")
              ->delimiter(',')
              ->check(CLI::Range(1, 1024))
              ->type_name("N,..."));
  measure(app.add_option("--steps", options->training.steps, "Of --processes")
              ->check(CLI::PositiveNumber)
              ->capture_default_str());
  auto batch = std::make_shared<int>(0);
  measure(app.add_option("--batch", *batch, "Of --run (default 1) or --processes (default 32)")
              ->check(CLI::PositiveNumber)
              ->type_name("N"));
  AddJobOptions(app, &options->columns);
  return [&surroundings, options, batch] {
    if (*batch > 0) options->run.batch = options->training.batch = *batch;
    for (std::vector<int>* widths : {&options->threads, &options->processes}) {
      std::ranges::sort(*widths);
      widths->erase(std::unique(widths->begin(), widths->end()), widths->end());
    }
    return Run(surroundings, *options);
  };
}

}  // namespace

extern const SuiteSpec kSpec;
constinit const SuiteSpec kSpec = {
    .name = "scaling",
    .summary = "Speed-up and efficiency over devices, processes or threads, and where it ends",
    .example = "xsp suite scaling mlperf-v0.5 --gain 10%",
    .declare = Declare,
};

}  // namespace xsp::suite::scaling
