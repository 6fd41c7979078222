#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "answer/suite/data_frame_options.h"
#include "answer/suite/similarity/charts.h"
#include "answer/suite/similarity/study.h"
#include "answer/suite/similarity/study_answer.h"
#include "answer/suite/suite_command.h"
#include "core/number_check.h"

namespace xsp::suite::similarity {
namespace {

struct Options {
  DataFrameOptions frame;
  std::string missing = "rows";
  std::string linkage = "ward";
  std::string on = "metrics";
  double share = 0.9;
  std::vector<std::size_t> components = {1, 2};
  std::size_t clusters = 0;
  double cut = -1;
  std::size_t representatives = 0;
  std::vector<std::string> subset;
  int resamples = 1000;
  std::uint64_t seed = 1;
};

Result<Settings> SettingsOf(const Options& options) {
  Settings settings;
  XSP_TRY(settings.missing, MissingRuleOf(options.missing));
  XSP_TRY(settings.linkage, LinkageOf(options.linkage));
  settings.on_components = options.on == "components";
  settings.share = options.share;
  const int ways = (options.clusters > 0 ? 1 : 0) + (options.cut >= 0 ? 1 : 0) +
                   (options.representatives > 0 ? 1 : 0);
  if (ways > 1)
    return Error{ErrorKind::kUsage, "the cut is given in more than one way",
                 "give one of --clusters, --cut and --representatives (one of each cluster)"};
  settings.clusters = std::max(options.clusters, options.representatives);
  settings.cut = options.cut;
  settings.subset = options.subset;
  settings.resamples = options.resamples;
  settings.seed = options.seed;
  return settings;
}

/// The two components to draw, 0-based; with one component only, that one twice.
Result<std::pair<std::size_t, std::size_t>> Drawn(const Options& options, const Study& study) {
  const std::size_t known = study.components.share.size();
  if (options.components.size() != 2)
    return Error{ErrorKind::kUsage, "a chart needs two components", "--components 1,2"};
  if (known == 1) return std::pair<std::size_t, std::size_t>{0, 0};
  for (const std::size_t component : options.components)
    if (component < 1 || component > known)
      return Error{ErrorKind::kUsage, fmt::format("there is no component {}", component),
                   fmt::format("there are components 1 to {}", known)};
  return std::pair{options.components[0] - 1, options.components[1] - 1};
}

Result<Answer> Run(const CommandContext& context, const Options& options) {
  std::vector<std::string> method;
  XSP_TRY(const Settings settings, SettingsOf(options));
  XSP_TRY(const DataFrame frame, DataFrameOf(context, options.frame, &method));
  XSP_TRY(const Study study, StudyOf(frame, settings, context.progress, &method));
  XSP_TRY(const auto drawn, Drawn(options, study));
  Answer answer{"similarity", "Similar workloads", SentencesOf(study), {}, {}, {}};
  answer.method = MethodOf(study);
  answer.method.insert(answer.method.end(), method.begin(), method.end());
  answer.tables = TablesOf(study);
  answer.charts = ChartsOf(study, drawn.first, drawn.second);
  return answer;
}

void AddCutOptions(CLI::App& app, Options* options) {
  app.add_option("--clusters", options->clusters, "Number of clusters (default: by the silhouette)")
      ->check(core::PositiveNumber);
  app.add_option("--cut", options->cut, "Cut at this distance")
      ->check(FiniteNumber("of at least 0", [](double cut) { return cut >= 0; }));
  app.add_option("--representatives", options->representatives,
                 "Number of clusters, with the workload nearest to the centre of each")
      ->type_name("K")
      ->check(core::PositiveNumber);
  OneArgument(app.add_option("--subset", options->subset,
                             "Workloads whose coverage of each metric's range is computed"))
      ->delimiter(',')
      ->type_name("WORKLOAD,...");
}

Action Declare(CLI::App& app, const CommandContext& context) {
  auto options = std::make_shared<Options>();
  AddDataFrameOptions(app, &options->frame);
  app.add_option("--missing", options->missing,
                 "Treatment of unknown values: exclude workloads (rows), exclude metrics "
                 "(metrics), or use the metric's mean (mean)")
      ->check(CLI::IsMember({"rows", "metrics", "mean"}))
      ->capture_default_str();
  app.add_option("--linkage", options->linkage, "Linkage: distance between two clusters")
      ->check(CLI::IsMember({"single", "complete", "average", "ward"}))
      ->capture_default_str();
  app.add_option("--on", options->on, "Distances on standardised metrics, or on components")
      ->check(CLI::IsMember({"metrics", "components"}))
      ->capture_default_str();
  app.add_option("--share", options->share,
                 "With --on components: the first that explain this share of the variance")
      ->check(FiniteNumber("from 0 to 1", [](double share) { return share >= 0 && share <= 1; }))
      ->capture_default_str();
  OneArgument(
      app.add_option("--components", options->components, "The two components of the chart"))
      ->delimiter(',')
      ->type_name("I,J")
      ->capture_default_str();
  AddCutOptions(app, options.get());
  app.add_option("--bootstrap", options->resamples,
                 "Number of resamples for the stability of clusters")
      ->type_name("N")
      ->check(CLI::Range(0, 100000))
      ->capture_default_str();
  app.add_option("--seed", options->seed, "Of the resamples")->capture_default_str();
  return [&context, options] { return Run(context, *options); };
}

}  // namespace

extern const SuiteSpec kSpec;
constinit const SuiteSpec kSpec = {
    .name = "similarity",
    .summary = "Finds similar workloads, and a subset that represents all",
    .example = "xsp suite similarity mlperf-v0.5 --where 'gpus = 1' --representatives 4",
    .declare = Declare,
};

}  // namespace xsp::suite::similarity
