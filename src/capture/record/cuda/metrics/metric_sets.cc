#include "capture/record/cuda/metrics/metric_sets.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <utility>

#include "capture/record/cuda/metrics/metric_table.h"

namespace xsp::record::cuda {
namespace {

constexpr std::string_view kTableVariable = "XSP_RECORD_CUDA_METRICS_TABLE";
constexpr std::size_t kColumns = 10;
constexpr std::string_view kFlops = "flops.";

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string_view Trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

/// False: `text` is no number.
bool ToNumber(std::string_view text, double& number) {
  const std::string copy(text);
  char* end = nullptr;
  number = std::strtod(copy.c_str(), &end);
  return !copy.empty() && *end == '\0' && std::isfinite(number);
}

/// "8.9" -> 89, "" -> 0.
bool ToCapability(std::string_view text, int& capability) {
  capability = 0;
  if (text.empty()) return true;
  double number = 0;
  if (!ToNumber(text, number) || number < 1 || number > 99) return false;
  capability = static_cast<int>(std::lround(10 * number));
  return true;
}

template <typename Text>
void AddOnce(std::vector<std::string>& list, const Text& text) {
  if (std::find(list.begin(), list.end(), text) == list.end()) list.emplace_back(text);
}

std::size_t RawIndex(MetricPlan& plan, const std::string& raw) {
  const auto it = std::find(plan.raw.begin(), plan.raw.end(), raw);
  if (it != plan.raw.end()) return static_cast<std::size_t>(it - plan.raw.begin());
  plan.raw.push_back(raw);
  return plan.raw.size() - 1;
}

}  // namespace

MetricTable::MetricTable(std::string_view csv) {
  bool has_header = false;
  for (const std::string_view line : Split(csv, '\n')) {
    const std::string_view text = Trimmed(line);
    if (text.empty() || text.front() == '#') continue;
    if (!std::exchange(has_header, true)) continue;
    Row row;
    if (!Parse(Split(text, ','), row)) {
      ++damaged_lines_;
      continue;
    }
    for (const std::string& set : row.sets) AddOnce(sets_, set);
    rows_.push_back(std::move(row));
  }
}

bool MetricTable::Parse(const std::vector<std::string_view>& cells, Row& row) {
  if (cells.size() != kColumns) return false;
  for (const std::string_view set : Split(cells[0], '+')) row.sets.emplace_back(set);
  row.metric = cells[1];
  row.unit = cells[2];
  row.is_needed = cells[3] == "yes";
  row.raw = cells[7];
  double choice = 0;
  if (!ToNumber(cells[4], choice) || choice < 1 || choice > 99) return false;
  row.choice = static_cast<int>(choice);
  return ToCapability(cells[5], row.from) && ToCapability(cells[6], row.to) &&
         ToNumber(cells[8], row.factor) && !row.metric.empty() &&
         row.raw.find("__") != std::string::npos;
}

void MetricTable::AddMetric(const std::string& metric, int compute_capability,
                            const HasRawMetric& has, MetricPlan& plan) const {
  for (const DerivedMetric& derived : plan.derived)
    if (derived.name == metric) return;
  std::vector<const Row*> rows;
  int last_choice = 0;
  for (const Row& row : rows_) {
    if (row.metric != metric) continue;
    rows.push_back(&row);
    last_choice = std::max(last_choice, row.choice);
  }
  const auto fits = [&](const Row& row) {
    const bool old_enough = row.from == 0 || compute_capability >= row.from;
    const bool young_enough = row.to == 0 || compute_capability <= row.to;
    return (compute_capability == 0 || (old_enough && young_enough)) && has(row.raw);
  };
  bool any_row_is_of_this_chip = false;
  for (const Row* row : rows) {
    const bool too_old =
        row->from != 0 && compute_capability != 0 && compute_capability < row->from;
    any_row_is_of_this_chip |= !too_old;
  }
  for (int choice = 1; choice <= last_choice; ++choice) {
    std::vector<const Row*> chosen;
    for (const Row* row : rows)
      if (row->choice == choice) chosen.push_back(row);
    // A sum that lacks a term would be a wrong number.
    if (chosen.empty() ||
        !std::all_of(chosen.begin(), chosen.end(), [&](const Row* row) { return fits(*row); }))
      continue;
    DerivedMetric derived{metric, chosen.front()->unit, {}};
    for (const Row* row : chosen) derived.terms.push_back({RawIndex(plan, row->raw), row->factor});
    plan.derived.push_back(std::move(derived));
    return;
  }
  // What a chip of that age cannot compute at all is no lack.
  if (any_row_is_of_this_chip && rows.front()->is_needed) AddOnce(plan.missing, metric);
}

MetricPlan MetricTable::Resolve(std::string_view asked, int compute_capability,
                                const HasRawMetric& has) const {
  MetricPlan plan;
  for (const std::string_view part : Split(asked, ',')) {
    const std::string name(Trimmed(part));
    if (name.empty()) continue;
    if (name.find("__") != std::string::npos) {
      if (!has(name)) {
        AddOnce(plan.missing, name);
        continue;
      }
      bool is_there = false;
      for (const DerivedMetric& derived : plan.derived) is_there |= derived.name == name;
      if (!is_there) plan.derived.push_back({name, "1", {{RawIndex(plan, name), 1}}});
      continue;
    }
    if (std::find(sets_.begin(), sets_.end(), name) == sets_.end()) {
      AddOnce(plan.unknown_sets, name);
      continue;
    }
    for (const Row& row : rows_) {
      if (std::find(row.sets.begin(), row.sets.end(), name) == row.sets.end()) continue;
      AddMetric(row.metric, compute_capability, has, plan);
    }
  }
  return plan;
}

std::string MetricTableInForce() {
  const char* path = std::getenv(kTableVariable.data());
  if (path == nullptr || *path == '\0') return std::string(BuiltInMetricTable());
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<MetricValue> MakeValues(const MetricPlan& plan, const double* raw_values) {
  std::vector<MetricValue> values;
  bool computes = false;
  for (const DerivedMetric& derived : plan.derived) {
    double sum = 0;
    for (const DerivedMetric::Term& term : derived.terms) sum += term.factor * raw_values[term.raw];
    if (!std::isfinite(sum)) continue;
    values.push_back({&derived, sum});
    computes |= sum != 0 && derived.name.starts_with(kFlops);
  }
  bool kept_zero = computes;
  std::erase_if(values, [&](const MetricValue& value) {
    if (value.value != 0 || !value.metric->name.starts_with(kFlops)) return false;
    return std::exchange(kept_zero, true);
  });
  return values;
}

}  // namespace xsp::record::cuda
