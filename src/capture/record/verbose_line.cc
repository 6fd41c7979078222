#include "capture/record/verbose_line.h"

#include <array>
#include <charconv>

namespace xsp::record {
namespace {

using std::string_view;

constexpr string_view kMkl = "MKL_VERBOSE ";
constexpr std::array<string_view, 3> kOneDnn = {"onednn_verbose,", "dnnl_verbose,",
                                                "mkldnn_verbose,"};
/// No call takes longer than a day; a number beyond is damage.
constexpr double kLongestNs = 86400e9;

bool ToDuration(double number, double ns_per_unit, VerboseLine& result) {
  const double ns = number * ns_per_unit;
  if (!(ns >= 0 && ns <= kLongestNs)) return false;
  result.duration_ns = static_cast<std::uint64_t>(ns + 0.5);
  return true;
}

string_view NextField(string_view& rest) {
  const std::size_t comma = rest.find(',');
  const string_view field = rest.substr(0, comma);
  rest.remove_prefix(comma == string_view::npos ? rest.size() : comma + 1);
  return field;
}

bool ParseOneDnn(string_view line, VerboseLine& result) {
  string_view rest = line;
  const bool has_engine = !NextField(rest).starts_with("mkldnn");
  string_view before, field;
  // onednn_verbose[,v1][,TIMESTAMP][,primitive],exec,...
  for (int i = 0; i < 5 && field != "exec"; ++i) {
    before = field;
    field = NextField(rest);
  }
  if (field != "exec" || before == "graph") return false;
  if (has_engine) NextField(rest);
  result.kind = NextField(rest);
  const std::size_t comma = rest.rfind(',');
  if (result.kind.empty() || comma == string_view::npos) return false;
  double milliseconds = 0;
  const char* end = rest.data() + rest.size();
  const auto [at, error] = std::from_chars(rest.data() + comma + 1, end, milliseconds);
  return error == std::errc() && at == end && ToDuration(milliseconds, 1e6, result);
}

bool ParseMkl(string_view line, VerboseLine& result) {
  const string_view rest = line.substr(kMkl.size());
  const std::size_t open = rest.find('(');
  const std::size_t close = rest.find(") ", open == string_view::npos ? 0 : open);
  // A line of versions has words before its first parenthesis.
  if (open == string_view::npos || close == string_view::npos ||
      rest.substr(0, open).find(' ') != string_view::npos) {
    return false;
  }
  result.kind = rest.substr(0, open);
  double number = 0;
  const char* end = rest.data() + rest.size();
  const auto [at, error] = std::from_chars(rest.data() + close + 2, end, number);
  if (error != std::errc()) return false;
  const string_view unit(at, static_cast<std::size_t>(end - at));
  if (unit.starts_with("ns")) return ToDuration(number, 1, result);
  if (unit.starts_with("us")) return ToDuration(number, 1e3, result);
  if (unit.starts_with("ms")) return ToDuration(number, 1e6, result);
  return unit.starts_with("s") && ToDuration(number, 1e9, result);
}

}  // namespace

bool IsVerbose(string_view text) {
  for (const string_view prefix : kOneDnn) {
    if (text.starts_with(prefix)) return true;
  }
  return text.starts_with(kMkl);
}

bool ParseExecution(string_view line, VerboseLine& result) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  return line.starts_with(kMkl) ? ParseMkl(line, result) : ParseOneDnn(line, result);
}

}  // namespace xsp::record
