#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "answer/suite/data_frame_options.h"
#include "answer/suite/similarity/charts.h"
#include "answer/suite/similarity/study.h"
#include "answer/suite/similarity/study_answer.h"
#include "answer/suite/suite_command.h"

namespace xsp::suite::similarity {
namespace {

struct Options {
  DataFrameOptions frame;
  std::string missing = "rows";
  std::string linkage = "ward";
  std::string on = "metrics";
  double share = 0.9;
  std::vector<int> components = {1, 2};
  std::optional<int> clusters;
  std::optional<double> cut;
  std::optional<int> representatives;
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
  const int ways =
      (options.clusters ? 1 : 0) + (options.cut ? 1 : 0) + (options.representatives ? 1 : 0);
  if (ways > 1)
    return Error{ErrorKind::kUsage, "the cut is given in more than one way",
                 "give one of --clusters, --cut and --representatives (one of each cluster)"};
  settings.clusters =
      static_cast<std::size_t>(options.clusters.value_or(options.representatives.value_or(0)));
  settings.cut = options.cut.value_or(-1);
  settings.subset = options.subset;
  settings.resamples = options.resamples;
  settings.seed = options.seed;
  return settings;
}

/// The two components to draw, 0-based; with one component only, that one twice.
Result<std::pair<std::size_t, std::size_t>> Drawn(const Options& options, const Study& study) {
  const auto known = static_cast<int>(study.components.share.size());
  if (options.components.size() != 2)
    return Error{ErrorKind::kUsage, "a chart needs two components", "--components 1,2"};
  if (known == 1) return std::pair<std::size_t, std::size_t>{0, 0};
  for (const int component : options.components)
    if (component < 1 || component > known)
      return Error{ErrorKind::kUsage, fmt::format("there is no component {}", component),
                   fmt::format("there are components 1 to {}", known)};
  return std::pair{static_cast<std::size_t>(options.components[0] - 1),
                   static_cast<std::size_t>(options.components[1] - 1)};
}

Result<Answer> Run(const CommandContext& context, const Options& options) {
  std::vector<std::string> method;
  XSP_TRY(const Settings settings, SettingsOf(options));
  XSP_TRY(const DataFrame frame, DataFrameOf(context, options.frame, &method));
  XSP_TRY(const Study study, StudyOf(frame, settings, *context.progress, &method));
  XSP_TRY(const auto drawn, Drawn(options, study));
  Answer answer{"similarity", "Similar workloads", SentencesOf(study), {}, {}, {}};
  answer.method = MethodOf(study);
  answer.method.insert(answer.method.end(), method.begin(), method.end());
  answer.tables = TablesOf(study);
  answer.charts = ChartsOf(study, drawn.first, drawn.second);
  return answer;
}

void AddCutOptions(core::RequestFields& fields, Options* options) {
  fields.Add("clusters", &options->clusters,
             {.help = "Number of clusters (default: by the silhouette)",
              .value_name = "K",
              .range = core::kPositive});
  fields.Add(
      "cut", &options->cut,
      {.help = "Cut at this distance", .value_name = "DISTANCE", .range = core::kNonNegative});
  fields.Add("representatives", &options->representatives,
             {.help = "Number of clusters, with the workload nearest to the centre of each",
              .value_name = "K",
              .range = core::kPositive});
  fields.Add("subset", &options->subset,
             {.help = "Workloads whose coverage of each metric's range is computed",
              .value_name = "WORKLOAD,...",
              .list = core::ListStyle::kOneWord});
}

Action Declare(core::RequestFields& fields, const CommandContext& context) {
  auto options = std::make_shared<Options>();
  AddDataFrameOptions(fields, &options->frame);
  fields.Add("missing", &options->missing,
             {.help = "Treatment of unknown values: exclude workloads (rows), exclude metrics "
                      "(metrics), or use the metric's mean (mean)",
              .allowed = {"rows", "metrics", "mean"}});
  fields.Add("linkage", &options->linkage,
             {.help = "Linkage: distance between two clusters",
              .allowed = {"single", "complete", "average", "ward"}});
  fields.Add("on", &options->on,
             {.help = "Distances on standardised metrics, or on components",
              .allowed = {"metrics", "components"}});
  fields.Add("share", &options->share,
             {.help = "With --on components: the first that explain this share of the variance",
              .range = core::Between(0, 1)});
  fields.Add("components", &options->components,
             {.help = "The two components of the chart",
              .value_name = "I,J",
              .list = core::ListStyle::kOneWord});
  AddCutOptions(fields, options.get());
  fields.Add("bootstrap", &options->resamples,
             {.help = "Number of resamples for the stability of clusters",
              .value_name = "N",
              .range = core::Between(0, 100000)});
  fields.Add("seed", &options->seed, {.help = "Of the resamples"});
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
