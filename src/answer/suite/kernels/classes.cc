#include "answer/suite/kernels/classes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace xsp::suite::kernels {
namespace {

double Plus(double a, double b) {
  if (std::isnan(a)) return b;
  return std::isnan(b) ? a : a + b;
}

double Percent(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

template <typename Row, typename Time>
void LongestFirst(std::vector<Row>* rows, Time time) {
  std::ranges::stable_sort(*rows, [&](const Row& a, const Row& b) {
    const bool a_none = a.kernel_class == kNotClassed;
    const bool b_none = b.kernel_class == kNotClassed;
    return a_none != b_none ? b_none : time(a) > time(b);
  });
}

/// What is known of one kernel: its class, and who has it.
struct Kernel {
  Classified said;
  Sums sums;
  std::set<std::string> workloads;
};

using Kernels = std::map<std::pair<std::string, std::string>, Kernel>;

Kernels Classed(const std::vector<Observed>& observed, const RuleBook& book) {
  Kernels kernels;
  for (const Observed& one : observed) {
    const auto [found, is_new] = kernels.try_emplace({one.name, one.type});
    Kernel& kernel = found->second;
    if (is_new) {
      kernel.said = book.Classify(one.name, one.type);
      if (kernel.said.kernel_class.empty()) kernel.said.kernel_class = kNotClassed;
    }
    kernel.sums.Add(one.sums);
    kernel.workloads.insert(one.workload);
  }
  for (auto& [key, kernel] : kernels) kernel.sums.unique_kernels = 1;
  return kernels;
}

void AddClasses(const Kernels& kernels, Summary* summary) {
  std::map<std::string, ClassSums> classes;
  std::map<std::string, Sums> libraries;
  for (const auto& [key, kernel] : kernels) {
    ClassSums& sums = classes[kernel.said.kernel_class];
    sums.kernel_class = kernel.said.kernel_class;
    sums.kind = kernel.said.kind;
    sums.sums.Add(kernel.sums);
    libraries[kernel.said.library].Add(kernel.sums);
    summary->time_ms += kernel.sums.time_ms;
  }
  for (auto& [name, sums] : classes) {
    sums.percent = Percent(sums.sums.time_ms, summary->time_ms);
    summary->classes.push_back(std::move(sums));
  }
  LongestFirst(&summary->classes, [](const ClassSums& row) { return row.sums.time_ms; });
  summary->libraries.assign(libraries.begin(), libraries.end());
  std::ranges::stable_sort(summary->libraries, [](const auto& a, const auto& b) {
    return a.second.time_ms > b.second.time_ms;
  });
}

void AddNamed(const Kernels& kernels, Summary* summary) {
  const auto row = [&](const auto& entry) {
    const auto& [key, kernel] = entry;
    return NamedKernel{kernel.workloads.size() == 1 ? *kernel.workloads.begin() : "",
                       kernel.said.kernel_class,
                       key.first,
                       kernel.said.library,
                       kernel.sums.time_ms,
                       kernel.sums.calls,
                       Percent(kernel.sums.time_ms, summary->time_ms)};
  };
  for (const auto& entry : kernels) {
    if (entry.second.said.kernel_class == kNotClassed) summary->not_classed.push_back(row(entry));
    if (entry.second.workloads.size() == 1 && summary->workloads.size() > 1)
      summary->only_in_one.push_back(row(entry));
  }
  const auto longer = [](const NamedKernel& a, const NamedKernel& b) {
    return a.time_ms > b.time_ms;
  };
  std::ranges::stable_sort(summary->not_classed, longer);
  std::ranges::stable_sort(summary->only_in_one, longer);
}

void AddWorkloads(const std::vector<Observed>& observed, const Kernels& kernels, Summary* summary) {
  std::map<std::string, std::size_t> places;
  std::map<std::pair<std::string, std::string>, ClassInWorkload> pairs;
  for (const Observed& one : observed) {
    const auto [found, is_new] = places.try_emplace(one.workload, summary->workloads.size());
    if (is_new) summary->workloads.push_back({one.workload, 0, 0, 0, 0});
    WorkloadSums& workload = summary->workloads[found->second];
    workload.time_ms += one.sums.time_ms;
    workload.calls += one.sums.calls;
    const Classified& said = kernels.at({one.name, one.type}).said;
    ClassInWorkload& pair = pairs[{said.kernel_class, one.workload}];
    pair.kernel_class = said.kernel_class;
    pair.kind = said.kind;
    pair.workload = one.workload;
    pair.time_ms = Plus(pair.time_ms, one.sums.time_ms);
    pair.calls += one.sums.calls;
  }
  // Of names, not of rows: a table may have a row for each launch.
  for (const auto& [key, kernel] : kernels)
    for (const std::string& workload : kernel.workloads) {
      double& in_pair = pairs.at({kernel.said.kernel_class, workload}).unique_kernels;
      in_pair = Plus(in_pair, 1);
      summary->workloads[places.at(workload)].unique_kernels += 1;
    }
  for (auto& [key, pair] : pairs) {
    WorkloadSums& workload = summary->workloads[places.at(pair.workload)];
    pair.percent = Percent(pair.time_ms, workload.time_ms);
    if (pair.kernel_class != kNotClassed) workload.classed_percent += pair.percent;
    summary->in_workloads.push_back(std::move(pair));
  }
  LongestFirst(&summary->in_workloads, [](const ClassInWorkload& row) { return row.percent; });
}

}  // namespace

void Sums::Add(const Sums& other) {
  time_ms += other.time_ms;
  calls += other.calls;
  unique_kernels += other.unique_kernels;
  flops = Plus(flops, other.flops);
  bytes = Plus(bytes, other.bytes);
  flops_time_ms += other.flops_time_ms;
  paired_flops += other.paired_flops;
  paired_bytes += other.paired_bytes;
}

double Sums::FlopsPerByte() const {
  return paired_bytes > 0 ? paired_flops / paired_bytes : kMissing;
}

double Sums::GflopsPerSecond() const {
  return flops_time_ms > 0 ? flops / flops_time_ms / 1e6 : kMissing;
}

Summary Summarise(const std::vector<Observed>& observed, const RuleBook& book) {
  Summary summary;
  const Kernels kernels = Classed(observed, book);
  AddClasses(kernels, &summary);
  AddWorkloads(observed, kernels, &summary);
  AddNamed(kernels, &summary);
  return summary;
}

double ImpliedTotal(const std::vector<std::pair<double, double>>& time_and_percent) {
  double time = 0;
  double squares = 0;
  double products = 0;
  for (const auto& [one_time, one_percent] : time_and_percent) {
    time += one_time;
    if (std::isnan(one_percent)) continue;
    squares += one_time * one_time;
    products += one_time * one_percent;
  }
  return products > 0 ? 100 * squares / products : time;
}

std::string KindOf(const RuleBook& book, const std::string& kernel_class) {
  const KernelName name(kernel_class);
  for (const Rule& rule : book.rules()) {
    // What a class can be called: its fixed parts, with anything where a named part stands.
    std::string called = "^";
    bool inside = false;
    for (const char letter : rule.kernel_class) {
      if (letter == '{') called += '*';
      if (letter == '{' || letter == '}')
        inside = letter == '{';
      else if (!inside)
        called += letter;
    }
    const auto pattern = NamePattern::Parse(called + "$");
    if (pattern.ok() && pattern.value().Matches(name)) return rule.kind;
  }
  return {};
}

}  // namespace xsp::suite::kernels
