#include "answer/suite/kernels/columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "answer/suite/data_frame.h"
#include "core/counted.h"

namespace xsp::suite::kernels {
namespace {

// Every column that is read as a number. All are sums or shares, so none can be below zero.
constexpr std::array<std::string_view, 17> kNumberColumns = {
    "time_ms",     "duration_ms",    "time_us", "duration_us",          "time_ns",
    "duration_ns", "time_percent",   "calls",   "printed_time_percent", "count",
    "flops",       "unique_kernels", "bytes",   "read_bytes",           "transactions_32b",
    "write_bytes", "transactions",
};

}  // namespace

Columns::Columns(const store::Table& table, std::string source)
    : table_(table), source_(std::move(source)) {}

std::optional<std::size_t> Columns::Find(std::initializer_list<const char*> names) const {
  for (const char* name : names)
    for (std::size_t i = 0; i < table_.columns.size(); ++i)
      if (table_.columns[i] == name) return i;
  return std::nullopt;
}

bool Columns::HasTime() const {
  return Has({"time_ms", "duration_ms", "time_us", "duration_us", "time_ns", "duration_ns"});
}

std::string Columns::TextAt(std::size_t row, std::initializer_list<const char*> names) const {
  const auto column = Find(names);
  return column ? TextOf(table_.rows[row][*column]) : std::string();
}

double Columns::NumberAt(std::size_t row, std::initializer_list<const char*> names) const {
  const auto column = Find(names);
  const double number = column ? NumberOf(table_.rows[row][*column]) : kMissing;
  return std::isfinite(number) ? number : kMissing;
}

double Columns::Time(std::size_t row) const {
  const double ms = NumberAt(row, {"time_ms", "duration_ms"});
  if (!std::isnan(ms)) return ms;
  const double us = NumberAt(row, {"time_us", "duration_us"});
  return std::isnan(us) ? NumberAt(row, {"time_ns", "duration_ns"}) / 1e6 : us / 1e3;
}

double Columns::Bytes(std::size_t row) const {
  const double transactions = NumberAt(row, {"transactions_32b", "transactions"});
  if (!std::isnan(transactions)) return transactions * kTransactionBytes;
  const double bytes = NumberAt(row, {"bytes"});
  if (!std::isnan(bytes)) return bytes;
  return NumberAt(row, {"read_bytes"}) + NumberAt(row, {"write_bytes"});
}

Sums Columns::SumsAt(std::size_t row) const {
  Sums sums;
  const double time = Time(row);
  sums.time_ms = std::isnan(time) ? 0 : time;
  sums.calls = NumberAt(row, {"calls", "count"});
  sums.flops = NumberAt(row, {"flops"});
  sums.bytes = Bytes(row);
  if (!std::isnan(sums.flops)) sums.flops_time_ms = sums.time_ms;
  if (!std::isnan(sums.flops) && !std::isnan(sums.bytes))
    sums.paired_flops = sums.flops, sums.paired_bytes = sums.bytes;
  return sums;
}

Status Columns::CheckNumbers() const {
  for (std::size_t column = 0; column < table_.columns.size(); ++column) {
    const std::string& name = table_.columns[column];
    if (std::ranges::find(kNumberColumns, name) == kNumberColumns.end()) continue;
    if (const auto text = FirstText(table_, column))
      return Wrong(fmt::format("no number in column {}, row {}: {}", name, *text + 1,
                               TextOf(table_.rows[*text][column])),
                   "correct the table; leave unknown values empty");
    for (std::size_t row = 0; row < rows(); ++row)
      if (const double number = NumberOf(table_.rows[row][column]); number < 0)
        return Wrong(fmt::format("a negative {} in row {}: {}", name, row + 1, number),
                     "times, counts and shares are sums over calls and cannot be negative; correct "
                     "the table, or leave unknown values empty");
  }
  return Ok{};
}

Status Columns::SayUntimed(std::vector<std::string>* methods) const {
  std::size_t unknown = 0;
  double most = 0;
  for (std::size_t row = 0; row < rows(); ++row) {
    const double time = Time(row);
    unknown += std::isnan(time) ? 1 : 0;
    most = std::fmax(most, time);
  }
  if (most <= 0 && rows() > 0)
    return Wrong("no row has a time above zero", "shares are of time; correct the column of times");
  if (unknown > 0)
    methods->push_back(fmt::format(
        "{}: {} of {} {} no time, or an infinite one; {} calls count, {} time cannot.", source_,
        unknown, core::Counted(rows(), "row"), core::ByNumber(unknown, "has", "have"),
        core::ByNumber(unknown, "its", "their"), core::ByNumber(unknown, "its", "their")));
  return Ok{};
}

Error Columns::Wrong(const std::string& what, const std::string& hint) const {
  return {ErrorKind::kBadInput, fmt::format("{}: {}", source_, what), hint};
}

}  // namespace xsp::suite::kernels
