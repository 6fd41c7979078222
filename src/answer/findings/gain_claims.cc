#include "answer/findings/gain_claims.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "answer/findings/evidence.h"
#include "store/table.h"

namespace xsp::findings {
namespace {

/// Columns of gain.sql; the first is `whole_ns` for a rule that claims no piece.
constexpr std::array<std::string_view, 3> kGains = {"low_ns", "ns", "high_ns"};

std::string GainFileOf(const Rule& rule) { return (rule.folder / "gain.sql").string(); }

std::optional<double> NumberIn(const store::Cell& cell) {
  if (const auto* real = std::get_if<double>(&cell)) return *real;
  if (const auto* integer = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*integer);
  return std::nullopt;
}

Error BrokenGain(const Rule& rule, std::string what) {
  return Error{ErrorKind::kBadInput, fmt::format("{}: {}", what, GainFileOf(rule)),
               "findings/README.md describes what gain.sql returns."};
}

/// The gain of a row that begins at `row[1]`; none: its expected value is NULL.
Result<std::optional<Gain>> GainIn(const Rule& rule, const std::vector<store::Cell>& row) {
  const auto expected = NumberIn(row[2]);
  if (!expected) return std::optional<Gain>();
  Gain gain = {NumberIn(row[1]).value_or(*expected), *expected,
               NumberIn(row[3]).value_or(*expected)};
  // Sums in SQL round; NaN passes no comparison.
  const double slack = 1e-9 * std::abs(gain.high_ns);
  if (!(gain.low_ns >= 0 && gain.low_ns <= gain.ns + slack && gain.ns <= gain.high_ns + slack &&
        std::isfinite(gain.high_ns))) {
    return BrokenGain(rule, fmt::format("gain is not 0 <= low_ns <= ns <= high_ns: {}, {}, {}",
                                        gain.low_ns, gain.ns, gain.high_ns));
  }
  gain.high_ns = std::max(gain.high_ns, gain.ns);
  gain.low_ns = std::min(gain.low_ns, gain.ns);
  return std::optional<Gain>(gain);
}

Status CheckColumns(const Rule& rule, const store::Table& table) {
  const std::string_view first = rule.gain->claims_pieces() ? "piece" : "whole_ns";
  std::vector<std::string_view> expected = {first};
  expected.insert(expected.end(), kGains.begin(), kGains.end());
  if (std::ranges::equal(table.columns, expected)) return Ok{};
  return BrokenGain(rule, fmt::format("gain has other columns than {}: {}",
                                      fmt::join(expected, ", "), fmt::join(table.columns, ", ")));
}

}  // namespace

Result<Call> ReadCall(const store::Database& database, std::int64_t point_id) {
  XSP_TRY(const store::Table table,
          database.Query(
              fmt::format("SELECT piece, duration_ns::DOUBLE, whole, run_id IS NULL OR bool_or("
                          "kind = 'synchronisation') OVER () FROM path_piece "
                          "WHERE point_id = {} ORDER BY piece",
                          point_id)));
  Call call;
  for (const auto& row : table.rows) {
    call.pieces.push_back({std::get<std::string>(row[0]), std::get<double>(row[1])});
    call.duration_ns += call.pieces.back().duration_ns;
    call.whole = std::get<std::string>(row[2]);
    call.shows_waits = std::get<bool>(row[3]);
  }
  return call;
}

Result<std::optional<GainAnswer>> ReadGain(const Rule& rule, const store::Database& database,
                                           std::int64_t point_id) {
  if (!rule.gain) return std::optional<GainAnswer>();
  XSP_TRY(const std::string sql, GainSqlFor(rule, point_id));
  const auto table = database.Query(sql);
  if (!table.ok()) return BrokenGain(rule, table.error().what);
  XSP_RETURN_IF_ERROR(CheckColumns(rule, table.value()));
  GainAnswer answer;
  bool is_known = false;
  for (const auto& row : table.value().rows) {
    XSP_TRY(const std::optional<Gain> gain, GainIn(rule, row));
    if (!gain) continue;
    is_known = true;
    if (rule.gain->claims_pieces()) {
      // Time off the path is no piece: nothing is saved by it, which is known.
      if (const auto* piece = std::get_if<std::string>(&row[0]))
        answer.claims.push_back({*piece, *gain});
    } else if (answer.apart) {
      return BrokenGain(rule, "gain has more than one row");
    } else {
      answer.apart = *gain;
      answer.whole_ns = NumberIn(row[0]);
    }
  }
  if (!is_known) return std::optional<GainAnswer>();
  return std::optional<GainAnswer>(std::move(answer));
}

}  // namespace xsp::findings
