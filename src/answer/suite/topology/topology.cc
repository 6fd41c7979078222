#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <utility>

#include "answer/suite/suite_command.h"
#include "answer/suite/topology/machines.h"
#include "core/counted.h"
#include "store/catalogue.h"

namespace xsp::suite::topology {
namespace {

/// What was read, and what could not be.
struct Captured {
  std::vector<Experiment> experiments;
  std::vector<std::string> without;     ///< Names of those without an interconnect.
  std::vector<std::string> unreadable;  ///< Names with the reason.
};

/// Those named in `runs`, or all of the store, in which there may be some that cannot be read.
Result<Captured> Capture(const CommandContext& context, const std::vector<std::string>& runs) {
  std::vector<std::string> names = runs;
  if (runs.empty()) {
    XSP_TRY(const auto entries, store::List(context.store));
    for (const auto& entry : entries) names.push_back(entry.name);
  }
  Captured captured;
  for (const std::string& name : names) {
    context.progress->Step("reading " + name, -1, -1);
    XSP_TRY(const auto folder, store::Resolve(context.store, name));
    auto experiment = ReadExperiment(folder);
    if (!experiment.ok()) {
      if (!runs.empty()) return experiment.error();
      captured.unreadable.push_back(name + " (" + experiment.error().what + ")");
    } else if (experiment.value()) {
      captured.experiments.push_back(*std::move(experiment).value());
    } else {
      captured.without.push_back(name);
    }
  }
  return captured;
}

Result<Answer> Run(const CommandContext& context, const std::vector<std::string>& runs) {
  XSP_TRY(const Captured captured, Capture(context, runs));
  if (captured.experiments.empty())
    return Error{ErrorKind::kBadInput,
                 runs.empty() ? "no experiment with a captured interconnect"
                              : fmt::format("none of these has a captured interconnect: {}",
                                            fmt::join(captured.without, ", ")),
                 "imported files and older experiments have none; measure on each machine by xsp "
                 "run, and name the experiments"};
  Answer answer = Summarise(captured.experiments);
  answer.method.push_back(
      "The interconnect is what `collect/interconnect` captured beside each measured run "
      "(docs/collectors.md); two machines are one where the CPU and every fact that is compared "
      "are the same: PCIe addresses and the momentary link speed are not. `xsp system --diff A B` "
      "compares all of two stacks.");
  answer.method.push_back(
      "Utilisation of CPUs, memory, GPUs and buses by each run: `xsp analyze system_usage RUN` "
      "(table 6 of Verma et al., for any number of devices) and `xsp analyze system_timeline RUN` "
      "(the whole series as a chart).");
  if (const auto& names = captured.without; !names.empty())
    answer.method.push_back(fmt::format(
        "{} {} no captured interconnect and {} excluded: {}.",
        core::Counted(names.size(), "experiment"), core::ByNumber(names.size(), "has", "have"),
        core::ByNumber(names.size(), "is", "are"), fmt::join(names, ", ")));
  if (!captured.unreadable.empty())
    answer.method.push_back(fmt::format("Excluded, because they cannot be read: {}.",
                                        fmt::join(captured.unreadable, ", ")));
  return answer;
}

Action Declare(core::RequestFields& fields, const CommandContext& context) {
  auto runs = std::make_shared<std::vector<std::string>>();
  fields.Add("run", runs.get(),
             {.help = "Experiments of several machines (default: all of the store)",
              .value_name = "RUN",
              .refers = core::Refers::kStored,
              .positional = true});
  return [&context, runs] { return Run(context, *runs); };
}

}  // namespace

extern const SuiteSpec kSpec;
constinit const SuiteSpec kSpec = {
    .name = "topology",
    .summary =
        "Compares the interconnects of machines, and the speed of the same workloads on them",
    .example = "xsp suite topology resnet50-on-a resnet50-on-b",
    .declare = Declare,
};

}  // namespace xsp::suite::topology
