#include "answer/history_page/history_answer.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

#include "answer/history_page/chart.h"
#include "answer/history_page/sentences.h"

namespace xsp::history_page {
namespace {

using store::Cell;
using suite::Table;

constexpr std::size_t kMaxCharts = 12;

Cell NumberCell(double value) { return std::isfinite(value) ? Cell(value) : Cell(); }

Cell TextCell(const std::string& text) { return text.empty() ? Cell() : Cell(text); }

std::string MachineState(const history::Entry& entry) {
  if (!entry.was_busy) return "not known";
  return *entry.was_busy ? "busy" : "quiet";
}

std::string DateNote(const history::Entry& entry) {
  if (!entry.has_own_date) return "date of the file";
  return entry.is_in_future ? "date in the future" : "";
}

Table ExperimentTable(const history::AnalysedHistory& analysed) {
  const std::string unit(analysed.history.metric.Unit());
  Table table =
      suite::EmptyTable("experiments", "Every experiment",
                        {{"series", "", "", ""},
                         {"number", "1", "In the series, oldest first", ""},
                         {"created", "", "Date (UTC)", ""},
                         {"experiment", "", "", ""},
                         {"value", unit, analysed.history.metric.Name(), "measured"},
                         {"low", unit, "Lower end of its 95 % interval", "measured"},
                         {"high", unit, "Upper end of its 95 % interval", "measured"},
                         {"processes", "1", "Without profiling", ""},
                         {"segment", "1", "Between change points", ""},
                         {"times_previous", "1", "Value / level of the previous segment", ""},
                         {"load", "", "Whether other programs used the machine", ""},
                         {"note", "", "", ""}});
  for (std::size_t s = 0; s < analysed.history.series.size(); ++s) {
    const history::Series& series = analysed.history.series[s];
    const history::Changes& changes = analysed.changes[s];
    for (std::size_t i = 0; i < series.entries.size(); ++i) {
      const history::Entry& entry = series.entries[i];
      const std::size_t segment = history::SegmentOf(changes, i);
      const double ratio = segment == 0 ? history::kNotKnown
                                        : entry.value / changes.segments[segment - 1].level.centre;
      table.rows.rows.push_back({history::TitleOf(series.key), static_cast<std::int64_t>(i + 1),
                                 entry.created, entry.experiment, entry.value,
                                 NumberCell(entry.low), NumberCell(entry.high), entry.processes,
                                 static_cast<std::int64_t>(segment + 1), NumberCell(ratio),
                                 MachineState(entry), TextCell(DateNote(entry))});
    }
  }
  return table;
}

Table ChangeTable(const history::AnalysedHistory& analysed) {
  Table table =
      suite::EmptyTable("changes", "Change points",
                        {{"series", "", "", ""},
                         {"before", "", "The last experiment before it", ""},
                         {"after", "", "The first experiment after it", ""},
                         {"times", "1", "Level after it / before it", ""},
                         {"low", "1", "Lower end of its 95 % interval", ""},
                         {"high", "1", "Upper end of its 95 % interval", ""},
                         {"p", "1", "Of the permutation test", ""},
                         {"verdict", "",
                          "better, worse, spread (another distribution around the same level), or "
                          "busy (the machine was, in a whole segment)",
                          ""},
                         {"command", "", "What compares the two experiments", ""}});
  for (std::size_t s = 0; s < analysed.history.series.size(); ++s) {
    const history::Series& series = analysed.history.series[s];
    for (const history::Change& change : analysed.changes[s].changes) {
      const history::Entry &before = series.entries[change.at - 1],
                           &after = series.entries[change.at];
      table.rows.rows.push_back(
          {history::TitleOf(series.key), before.experiment, after.experiment,
           NumberCell(change.ratio.centre), NumberCell(change.ratio.interval.low),
           NumberCell(change.ratio.interval.high), change.p,
           std::string(history::ToString(change.verdict)), history::CompareCommand(before, after)});
    }
  }
  return table;
}

Table StackTable(const history::AnalysedHistory& analysed) {
  Table table =
      suite::EmptyTable("stack_changes", "What of the stack changed at the change points",
                        {{"series", "", "", ""},
                         {"after", "", "The first experiment after the change point", ""},
                         {"fact", "", "", ""},
                         {"from", "", "", ""},
                         {"to", "", "", ""},
                         {"lasts", "", "All experiments of both segments have these values", ""}});
  for (std::size_t s = 0; s < analysed.history.series.size(); ++s) {
    const history::Series& series = analysed.history.series[s];
    for (const history::Change& change : analysed.changes[s].changes)
      for (const history::StackChange& one : change.stack)
        table.rows.rows.push_back({history::TitleOf(series.key),
                                   series.entries[change.at].experiment, one.key,
                                   TextCell(one.before), TextCell(one.after), one.lasts});
  }
  return table;
}

}  // namespace

suite::Answer AnswerOf(const std::string& model, const history::AnalysedHistory& analysed) {
  suite::Answer answer;
  answer.id = "history";
  answer.title = "History of " + model;
  const std::vector<history::Series>& series = analysed.history.series;
  std::vector<std::size_t> order(series.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    const std::size_t changes_a = analysed.changes[a].changes.size();
    const std::size_t changes_b = analysed.changes[b].changes.size();
    return changes_a != changes_b ? changes_a > changes_b
                                  : series[a].entries.size() > series[b].entries.size();
  });
  for (const std::size_t index : order) {
    std::ranges::move(SentencesOf(analysed, index), std::back_inserter(answer.sentences));
    if (series[index].entries.size() > 1 && answer.charts.size() < kMaxCharts)
      answer.charts.push_back(ChartOf(analysed, index));
  }
  answer.method = MethodOf(analysed);
  answer.tables = {ChangeTable(analysed), StackTable(analysed), ExperimentTable(analysed)};
  return answer;
}

}  // namespace xsp::history_page
