#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <utility>

#include "base/counted.h"
#include "store/catalogue.h"
#include "suite/suite_command.h"
#include "suite/topology/machines.h"

namespace xsp::suite::topology {
namespace {

Result<Answer> Run(const Surroundings& surroundings, const std::vector<std::string>& runs) {
  std::vector<std::string> names = runs;
  const bool whole_store = names.empty();
  if (whole_store) {
    XSP_TRY(const auto entries, store::List(surroundings.store));
    for (const auto& entry : entries) names.push_back(entry.name);
  }
  std::vector<Experiment> experiments;
  std::vector<std::string> left_out;
  for (const std::string& name : names) {
    surroundings.progress("reading " + name);
    XSP_TRY(const auto folder, store::Resolve(surroundings.store, name));
    auto experiment = ReadExperiment(folder);
    if (experiment.ok()) {
      experiments.push_back(std::move(experiment).value());
    } else if (whole_store) {
      left_out.push_back(name);
    } else {
      return experiment.error();
    }
  }
  if (experiments.empty())
    return Error{ErrorKind::kBadInput, "no experiment with a captured interconnect",
                 "measure on each machine by xsp run, and name the experiments"};
  Answer answer = Summarise(experiments);
  answer.method.push_back(
      "The interconnect is what `collect/interconnect` captured beside each measured run "
      "(docs/collectors.md); two machines are one "
      "where CPU and every fact of it are the same. PCIe addresses and the momentary link speed "
      "are left out. `xsp system --diff A B` "
      "compares all of two stacks.");
  answer.method.push_back(
      "How much each run used of CPUs, memory, GPUs and buses: `xsp analyze system_usage RUN` "
      "(table 6 of Verma et al., for any number of "
      "devices) and `xsp analyze system_timeline RUN` (the whole series as a chart).");
  if (!left_out.empty())
    answer.method.push_back(
        fmt::format("{} of the store {} no captured interconnect and {} left out: {}.",
                    base::Counted(left_out.size(), "experiment"),
                    base::ByNumber(left_out.size(), "has", "have"),
                    base::ByNumber(left_out.size(), "is", "are"), fmt::join(left_out, ", ")));
  return answer;
}

Action Declare(CLI::App& app, const Surroundings& surroundings) {
  auto runs = std::make_shared<std::vector<std::string>>();
  app.add_option("RUN", *runs, "Experiments of several machines (default: all of the store)");
  return [&surroundings, runs] { return Run(surroundings, *runs); };
}

}  // namespace

extern const SuiteSpec kSpec;
constinit const SuiteSpec kSpec = {
    .name = "topology",
    .summary = "How the machines of experiments are wired, and what their workloads gain by it",
    .example = "xsp suite topology resnet50-on-a resnet50-on-b",
    .declare = Declare,
};

}  // namespace xsp::suite::topology
