#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "answer/suite/data_frame_options.h"
#include "answer/suite/suite_command.h"
#include "core/counted.h"

namespace xsp::suite::vectors {
namespace {

struct Options {
  DataFrameOptions frame;
  std::string missing = "show";
};

Result<Answer> Run(const CommandContext& context, const Options& options) {
  std::vector<std::string> method;
  XSP_TRY(DataFrame frame, DataFrameOf(context, options.frame, &method));
  std::size_t missing = 0;
  for (const auto& values : frame.values)
    for (const double value : values) missing += std::isnan(value) ? 1 : 0;
  Answer answer{"vectors", "Resources of each workload", {}, {}, {}, {}};
  answer.sentences.push_back(
      fmt::format("{}, {}; {} of {} {} missing.", core::Counted(frame.rows(), "workload"),
                  core::Counted(frame.metrics.size(), "metric"), missing,
                  core::Counted(frame.rows() * frame.metrics.size(), "value"),
                  core::ByNumber(missing, "is", "are")));
  if (options.missing != "show") {
    XSP_TRY(const MissingRule rule, MissingRuleOf(options.missing));
    XSP_TRY(frame, Completed(frame, rule, &method));
  }
  answer.method = std::move(method);
  answer.tables.push_back(TableOf(frame, "vectors", "Workload vectors"));
  return answer;
}

Action Declare(core::RequestFields& fields, const CommandContext& context) {
  auto options = std::make_shared<Options>();
  AddDataFrameOptions(fields, &options->frame);
  fields.Add(
      "missing", &options->missing,
      {.help = "Treatment of unknown values: show, rows (exclude workloads), metrics (exclude "
               "metrics) or mean",
       .allowed = {"show", "rows", "metrics", "mean"}});
  return [&context, options] { return Run(context, *options); };
}

}  // namespace

extern const SuiteSpec kSpec;
constinit const SuiteSpec kSpec = {
    .name = "vectors",
    .summary = "Shows one row per workload: the resources that it uses, or any metric",
    .example = "xsp suite vectors mlperf-v0.5 --metrics cpu_pct,gpu_pct_sum --format csv",
    .declare = Declare,
};

}  // namespace xsp::suite::vectors
