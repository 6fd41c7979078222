#include "answer/suite/kernels/published.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "answer/suite/data_frame.h"

namespace xsp::suite::kernels {
namespace {

/// Half of the last digit that the shares are printed with: 0.005 of {12.34, 5.6}.
double HalfDigitOf(const std::vector<double>& shares) {
  double step = 1;
  const auto whole = [&step](double share) {
    const double steps = share / step;
    return std::isnan(share) || std::abs(steps - std::round(steps)) < 1e-6;
  };
  for (int digits = 0; digits < 6 && !std::ranges::all_of(shares, whole); ++digits) step /= 10;
  return step / 2;
}

/// Shares of one whole, which rounding may bring above 100 %.
struct SharesOfOne {
  double sum = 0;
  double rows = 0;

  void Add(double share) { sum += std::isnan(share) ? 0 : share, ++rows; }
  bool Impossible(double half_digit) const { return sum > 100 + rows * half_digit + 1e-6; }
};

Status CheckSharesOfOne(const Columns& columns, const SharesOfOne& shares, double half_digit,
                        const std::string& of) {
  if (!shares.Impossible(half_digit)) return Ok{};
  return columns.Wrong(fmt::format("the shares of {} add to {:.2f} %", of, shares.sum),
                       "together they are 100 % at most: leave out rows that are sums of others, "
                       "and give each class one row");
}

/// The words of a row that name what it is about. Each must be there, and no two rows alike.
Result<std::pair<std::string, std::string>> NamesOfRow(
    const Columns& columns, std::size_t row, bool by_workload,
    std::map<std::pair<std::string, std::string>, std::string>* places) {
  const std::pair<std::string, std::string> names = {
      columns.TextAt(row, {"class"}), by_workload ? columns.TextAt(row, {"workload"}) : ""};
  const char* lacks = names.first.empty()                   ? "class"
                      : by_workload && names.second.empty() ? "workload"
                                                            : nullptr;
  if (lacks != nullptr)
    return columns.Wrong(fmt::format("row {} names no {}", row + 1, lacks),
                         fmt::format("give each row its {}", lacks));
  const auto [known, is_new] =
      places->try_emplace(names, fmt::format("row {} of {}", row + 1, columns.source()));
  if (is_new) return names;
  return columns.Wrong(fmt::format("row {} is of class {}{}, and so is {}", row + 1, names.first,
                                   by_workload ? " in " + names.second : "", known->second),
                       "give each class one row; add up the parts of a class");
}

double KnownOrZero(double value) { return std::isnan(value) ? 0 : value; }

/// Descending, what is not known and what is not classed last.
template <typename Row, typename Value>
void SortPublished(std::vector<Row>* rows, Value value) {
  const auto rank = [&](const Row& row) {
    const double known = std::isnan(value(row)) ? -1 : value(row);
    return std::pair(row.kernel_class == kNotClassed ? 1 : 0, -known);
  };
  std::ranges::stable_sort(*rows, {}, rank);
}

}  // namespace

Status PublishedClasses::AddClasses(const Columns& columns) {
  if (!classes_from_.empty())
    return columns.Wrong("classes of all kernels are in " + classes_from_ + " already",
                         "their shares are of different totals: ask for one table after the other, "
                         "or add a column workload and time_percent to each");
  classes_from_ = columns.source();
  any_ = true;
  std::map<Pair, std::string> rows;
  std::vector<std::pair<double, double>> times;
  std::vector<double> printed;
  SharesOfOne shares;
  double time = 0;
  for (std::size_t row = 0; row < columns.rows(); ++row) {
    ClassSums one;
    XSP_TRY(const Pair names, NamesOfRow(columns, row, false, &rows));
    one.kernel_class = names.first;
    one.kind = KindAt(one.kernel_class);
    one.sums = columns.SumsAt(row);
    one.sums.unique_kernels = columns.NumberAt(row, {"unique_kernels"});
    time += one.sums.time_ms;
    printed.push_back(columns.NumberAt(row, {"printed_time_percent", "time_percent"}));
    shares.Add(printed.back());
    times.emplace_back(one.sums.time_ms, printed.back());
    summary_.classes.push_back(std::move(one));
  }
  const double half_digit = HalfDigitOf(printed);
  XSP_RETURN_IF_ERROR(CheckSharesOfOne(columns, shares, half_digit, "all kernel time"));
  summary_.time_ms = ImpliedTotal(times);
  // Least squares of rounded shares are as far off as the shares; times are rounded, too.
  const double percent = summary_.time_ms > 0 ? 100 * time / summary_.time_ms : 0;
  if (percent > 100.5 + 2 * shares.rows * half_digit)
    return columns.Wrong(
        fmt::format("the times are {:.2f} % of the total that the shares imply", percent),
        "times and shares must be of the same kernels; times alone will do");
  AddRest(time);
  return Ok{};
}

/// What the printed shares leave to 100 %, as far as the table does not say it itself.
void PublishedClasses::AddRest(double time_ms) {
  ClassSums rest;
  rest.kernel_class = kNotClassed;
  rest.sums.time_ms = summary_.time_ms - time_ms;
  rest.sums.calls = rest.sums.unique_kernels = kMissing;
  const double total = summary_.time_ms;
  const auto said = std::ranges::find(summary_.classes, kNotClassed, &ClassSums::kernel_class);
  if (total > 0 && 100 * rest.sums.time_ms / total > 0.005) {
    if (said == summary_.classes.end())
      summary_.classes.push_back(rest);
    else
      said->sums.time_ms += rest.sums.time_ms;
  }
  for (ClassSums& one : summary_.classes)
    one.percent = total > 0 ? 100 * one.sums.time_ms / total : 0;
}

const std::string& PublishedClasses::KindAt(const std::string& kernel_class) {
  const auto [place, is_new] = kinds_.try_emplace(kernel_class);
  if (is_new) place->second = KindOf(book_, kernel_class);
  return place->second;
}

ClassInWorkload& PublishedClasses::PairAt(const Pair& key) {
  const auto [place, is_new] = pairs_.try_emplace(key, summary_.in_workloads.size());
  if (is_new) {
    ClassInWorkload pair;
    pair.kernel_class = key.first;
    pair.kind = KindAt(key.first);
    pair.workload = key.second;
    pair.percent = pair.calls = kMissing;
    summary_.in_workloads.push_back(std::move(pair));
  }
  return summary_.in_workloads[place->second];
}

WorkloadSums& PublishedClasses::WorkloadAt(const std::string& name) {
  const auto [place, is_new] = workloads_.try_emplace(name, summary_.workloads.size());
  if (is_new) {
    WorkloadSums workload;
    workload.workload = name;
    summary_.workloads.push_back(std::move(workload));
  }
  return summary_.workloads[place->second];
}

Status PublishedClasses::AddShares(const Columns& columns) {
  any_ = true;
  std::vector<double> printed;
  std::map<std::string, SharesOfOne> shares;
  for (std::size_t row = 0; row < columns.rows(); ++row) {
    XSP_TRY(const Pair names, NamesOfRow(columns, row, true, &shares_at_));
    ClassInWorkload& pair = PairAt(names);
    printed.push_back(columns.NumberAt(row, {"time_percent"}));
    shares[names.second].Add(printed.back());
    pair.percent = printed.back();
    pair.calls = columns.NumberAt(row, {"calls"});
    WorkloadSums& workload = WorkloadAt(names.second);
    workload.calls += pair.calls;  // Of calls some of which are not known, the sum is not either.
    if (names.first != kNotClassed) workload.classed_percent += KnownOrZero(pair.percent);
  }
  const double half_digit = HalfDigitOf(printed);
  for (const auto& [workload, of_one] : shares)
    XSP_RETURN_IF_ERROR(CheckSharesOfOne(columns, of_one, half_digit, workload));
  return Ok{};
}

Status PublishedClasses::AddUnique(const Columns& columns) {
  any_ = true;
  for (std::size_t row = 0; row < columns.rows(); ++row) {
    XSP_TRY(const Pair names, NamesOfRow(columns, row, true, &unique_at_));
    const double unique = KnownOrZero(columns.NumberAt(row, {"unique_kernels"}));
    if (names.second == "all" || unique <= 0) continue;
    holders_[names.first].emplace_back(names.second, unique);
    PairAt(names).unique_kernels = unique;
  }
  return Ok{};
}

Summary PublishedClasses::Take() {
  for (ClassInWorkload& pair : summary_.in_workloads) {
    const auto place = workloads_.find(pair.workload);
    if (place == workloads_.end()) continue;
    // A pair without a row among the shares of its workload has none of its time.
    if (!shares_at_.contains({pair.kernel_class, pair.workload})) pair.percent = pair.calls = 0;
    double& sum = summary_.workloads[place->second].unique_kernels;
    if (!std::isnan(pair.unique_kernels)) sum = KnownOrZero(sum) + pair.unique_kernels;
  }
  // A class that one workload alone has is unique to it; without names, no more is known.
  for (const auto& [kernel_class, in] : holders_)
    if (in.size() == 1)
      summary_.only_in_one.push_back({in.front().first, kernel_class,
                                      fmt::format("all {} of the class", in.front().second), "",
                                      kMissing, kMissing, kMissing});
  SortPublished(&summary_.classes, [](const ClassSums& row) { return row.sums.time_ms; });
  SortPublished(&summary_.in_workloads, [](const ClassInWorkload& row) { return row.percent; });
  return std::move(summary_);
}

}  // namespace xsp::suite::kernels
