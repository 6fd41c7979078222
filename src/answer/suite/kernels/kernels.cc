#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "answer/suite/kernels/answer.h"
#include "answer/suite/kernels/classes.h"
#include "answer/suite/kernels/kernel_input.h"
#include "answer/suite/kernels/rules.h"
#include "answer/suite/suite_command.h"
#include "core/counted.h"

namespace xsp::suite::kernels {
namespace {

constexpr const char* kDefaultRules = "kernel_classes";
// Knows the classes of today's libraries, too.
constexpr const char* kPublishedRules = "kernel_classes_mlperf";

struct Options {
  std::vector<std::string> sources;
  std::string rules;
};

Result<Answer> Run(const CommandContext& context, const Options& options) {
  XSP_TRY(const RuleBook book,
          RuleBook::Load(options.rules.empty() ? kDefaultRules : options.rules));
  XSP_TRY(const RuleBook named,
          RuleBook::Load(options.rules.empty() ? kPublishedRules : options.rules));
  XSP_TRY(KernelInput sources, ReadSources(context, options.sources, named));
  if (!sources.is_published) context.progress->Step("classing kernels", -1, -1);
  const Summary summary =
      sources.is_published ? std::move(sources.published) : Summarise(sources.observed, book);
  Answer answer = AnswerOf(summary, sources.provenance);
  answer.method = std::move(sources.methods);
  if (sources.is_published) {
    answer.method.emplace_back(
        "The classes are those of the table. All kernel time is what the printed shares imply.");
  } else {
    answer.method.push_back(
        fmt::format("A kernel's class is that of the first of {} that fits its name ({}).",
                    core::Counted(book.rules().size(), "rule"),
                    options.rules.empty() ? kDefaultRules : options.rules));
    answer.method.emplace_back(
        "Times and calls of experiments are per model call (per step). A rate rests on the kernels "
        "that have what it needs; missing FLOPs or bytes are never zeros.");
  }
  return answer;
}

Action Declare(core::RequestFields& fields, const CommandContext& context) {
  auto options = std::make_shared<Options>();
  fields.Add("source", &options->sources,
             {.help = "Experiments and runs of the store (default: all), tables of kernels (name, "
                      "time_ms, ...) or of classes, or a data set (mlperf-v0.5)",
              .value_name = "SOURCE",
              .refers = core::Refers::kStored,
              .positional = true});
  fields.Add("rules", &options->rules,
             {.help = "The rules: a YAML file, or one that ships with XSP (kernel_classes, "
                      "kernel_classes_mlperf)",
              .value_name = "FILE",
              .refers = core::Refers::kInput});
  return [&context, options] { return Run(context, *options); };
}

}  // namespace

extern const SuiteSpec kSpec;
constinit const SuiteSpec kSpec = {
    .name = "kernels",
    .summary =
        "Kernels in classes: matrix products by tile, convolutions, pointwise, copies and others",
    .example = "xsp suite kernels mlperf-v0.5 --table classes",
    .declare = Declare,
};

}  // namespace xsp::suite::kernels
