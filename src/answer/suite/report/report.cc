#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "answer/suite/data_frame.h"
#include "answer/suite/report/workload_places.h"
#include "answer/suite/suite_command.h"
#include "core/counted.h"
#include "core/json_fields.h"
#include "store/catalogue.h"

namespace xsp::suite::report {
namespace {

struct Options {
  std::vector<std::string> runs;
  std::string published = "mlperf-v0.5";
  int representatives = 4;
};

/// One command to ask.
struct Question {
  std::string command;
  nlohmann::json request;
  std::string id, title;  ///< Of the answer, where not the command's own.
};

using Strings = std::vector<std::string>;

class Report {
 public:
  Report(const CommandContext& context, const Options& options)
      : context_(context), options_(options) {}

  Result<Answer> Make() {
    XSP_TRY(const Strings runs, Runs());
    Ask({"vectors", {{"source", runs}}, "", ""});
    AskAlike(runs);
    for (const Question& question : Questions(runs)) Ask(question);
    AskTogether(runs);
    if (parts_.empty()) return NoAnswer();
    Answer answer{"report", "The suite in short", {}, {}, {}, {}};
    const Clustered clustered = InClusters();
    SayChoice(clustered, answer);
    const std::size_t behind_choice = answer.sentences.size();
    SayOwn(clustered, answer);
    AddPlaces(clustered, behind_choice, answer);
    SayPublished(answer);
    SayUnanswered(answer);
    if (!unanswered_.rows.empty())
      answer.tables.push_back({"unanswered",
                               "Questions without an answer",
                               {{"command", "", "", ""}, {"why", "", "", ""}},
                               unanswered_});
    answer.method.push_back(
        fmt::format("On {}: {}.", core::Counted(runs.size(), "source"), fmt::join(runs, ", ")));
    if (passed_over_ > 0)
      answer.method.push_back(fmt::format(
          "{} of the store {} not among them: where nothing is named, those of `xsp suite run` are "
          "reported.",
          core::Counted(passed_over_, "other experiment"),
          core::ByNumber(passed_over_, "is", "are")));
    if (!options_.published.empty())
      answer.method.push_back(fmt::format("Published suite: {}.", options_.published));
    answer.parts = std::move(parts_);
    return answer;
  }

 private:
  /// What the clustering's own table says.
  struct Clustered {
    std::set<std::string> workloads;
    std::set<std::string> representatives;  ///< What stands for all.

    bool NothingToChoose() const { return representatives.size() >= workloads.size(); }
  };

  /// Those named, else those of `xsp suite run`, else all that are whole.
  Result<Strings> Runs() {
    if (!options_.runs.empty()) return options_.runs;
    XSP_TRY(const auto entries, store::List(context_.store));
    // Those of --quick are of a few calls, to see that all works: not beside those that measure.
    Strings all, ours, quick;
    for (const auto& entry : entries) {
      if (entry.status != "done" && entry.status != "partial") continue;
      all.push_back(entry.name);
      if (entry.name.starts_with("zoo-quick-")) {
        quick.push_back(entry.name);
      } else if (entry.name.starts_with("zoo-")) {
        ours.push_back(entry.name);
      }
    }
    if (all.empty())
      return Error{ErrorKind::kBadInput, "the store has no experiment: " + context_.store.string(),
                   "xsp suite run zoo --quick measures some"};
    Strings chosen = !ours.empty() ? std::move(ours) : !quick.empty() ? std::move(quick) : all;
    passed_over_ = all.size() - chosen.size();
    return chosen;
  }

  std::vector<Question> Questions(const Strings& runs) const {
    std::vector<Question> questions = {{"rooflines", {{"source", runs}}, "", ""},
                                       {"kernels", {{"source", runs}}, "", ""},
                                       {"topology", {{"run", runs}}, "", ""}};
    const std::string& published = options_.published;
    if (published.empty()) return questions;
    const nlohmann::json alone = {{"source", Strings{published}}};
    questions.push_back(
        {"vectors", alone, "vectors-published", "Resources of the published workloads"});
    questions.push_back(
        {"similarity",
         {{"source", Strings{published}}, {"representatives", options_.representatives}},
         "similarity-of-published",
         "Similarity of the published workloads"});
    questions.push_back({"scaling", alone, "", ""});
    questions.push_back({"schedule", {{"source", published}, {"devices", 4}}, "", ""});
    questions.push_back({"quality", alone, "", ""});
    return questions;
  }

  /// How many there are: a table or a data set names many, and counts once among `runs`.
  std::size_t Workloads(const Strings& runs) const {
    const Answer* vectors = PartOf("vectors");
    if (vectors == nullptr || vectors->tables.empty()) return runs.size();
    return vectors->tables.front().rows.rows.size();
  }

  /// Those of them that have a value of every metric that any has.
  std::size_t CompleteWorkloads() const {
    const Answer* vectors = PartOf("vectors");
    if (vectors == nullptr || vectors->tables.empty()) return 0;
    const auto& rows = vectors->tables.front().rows.rows;
    const auto known = [&rows](std::size_t column) {
      return std::ranges::any_of(rows, [column](const auto& row) {
        return !std::holds_alternative<std::monostate>(row[column]);
      });
    };
    return static_cast<std::size_t>(std::ranges::count_if(rows, [&known](const auto& row) {
      for (std::size_t column = 0; column < row.size(); ++column)
        if (std::holds_alternative<std::monostate>(row[column]) && known(column)) return false;
      return true;
    }));
  }

  /// Without those experiments of which no metric is known.
  Strings WithMetrics(const Strings& runs) const {
    const Answer* vectors = PartOf("vectors");
    if (vectors == nullptr || vectors->tables.empty()) return runs;
    std::set<std::string> without;
    for (const auto& row : vectors->tables.front().rows.rows)
      if (std::ranges::none_of(row, [](const auto& cell) { return !std::isnan(NumberOf(cell)); }))
        without.insert(TextOf(row.front()));
    Strings kept;
    std::ranges::copy_if(runs, std::back_inserter(kept), [&without](const std::string& run) {
      return !without.contains(std::filesystem::path(run).filename().string());
    });
    return kept;
  }

  Question Alike(const Strings& runs, std::size_t workloads, const char* missing) const {
    const auto most = std::min(static_cast<std::size_t>(options_.representatives), workloads);
    return {
        "similarity", {{"source", runs}, {"representatives", most}, {"missing", missing}}, "", ""};
  }

  /// Which of ours are alike. A metric that one of them lacks is less of a loss than the workload;
  /// but one that knows none, or others than the rest, is left out, so that something remains
  /// to report.
  void AskAlike(const Strings& runs) {
    const std::size_t all = Workloads(runs);
    const Question question = Alike(runs, all, "metrics");
    Result<Answer> answer = AnswerTo(question);
    const Strings kept = WithMetrics(runs);
    const std::size_t gone = runs.size() - kept.size(), complete = CompleteWorkloads();
    if (!answer.ok() && gone > 0 && all > gone + 1)
      if (Result<Answer> other = AnswerTo(Alike(kept, all - gone, "metrics")); other.ok())
        answer = std::move(other);
    if (!answer.ok() && complete > 1)
      if (Result<Answer> other = AnswerTo(Alike(runs, complete, "rows")); other.ok())
        answer = std::move(other);
    Take(question, std::move(answer));
  }

  /// Which of ours and of the published are alike, by the metrics that both have.
  void AskTogether(const Strings& runs) {
    const Answer* own = PartOf("vectors");
    const Answer* other = PartOf("vectors-published");
    if (own == nullptr || other == nullptr || own->tables.empty() || other->tables.empty()) return;
    const Strings shared = SharedMetrics(own->tables.front(), other->tables.front());
    if (shared.empty()) return;
    Strings together = runs;
    together.push_back(options_.published);
    Ask({"similarity",
         {{"source", std::move(together)}, {"metrics", shared}, {"missing", "rows"}},
         "similarity-published",
         "Together with the published suite"});
  }

  Result<Answer> AnswerTo(const Question& question) const {
    context_.progress->Step("asking " + question.command, -1, -1);
    const auto spec = std::ranges::find(context_.commands, question.command, &SuiteSpec::name);
    if (spec == context_.commands.end())
      return Error{ErrorKind::kNotPossible, "this xsp has no such command", ""};
    core::JsonFields fields(question.request);
    const Action action = (*spec)->declare(fields, context_);
    XSP_RETURN_IF_ERROR(fields.Finish());
    return action();
  }

  void Ask(const Question& question) { Take(question, AnswerTo(question)); }

  /// An answer, or a row that says why there is none.
  void Take(const Question& question, Result<Answer> answer) {
    if (!answer.ok())
      return Unanswered(
          question,
          answer.error().what + (answer.error().hint.empty() ? "" : "; " + answer.error().hint));
    if (!question.id.empty()) answer.value().id = question.id;
    if (!question.title.empty()) answer.value().title = question.title;
    parts_.push_back(std::move(answer).value());
  }

  void Unanswered(const Question& question, const std::string& why) {
    unanswered_.columns = {"command", "why"};
    unanswered_.rows.push_back(
        {context_.command_line("suite/" + question.command, question.request), why});
  }

  Error NoAnswer() const {
    const auto* why = std::get_if<std::string>(&unanswered_.rows.front().back());
    return {ErrorKind::kBadInput, "no command of xsp suite has an answer",
            "the first error: " + (why == nullptr ? std::string() : *why)};
  }

  const Answer* PartOf(const std::string& id) const {
    const auto it = std::ranges::find(parts_, id, &Answer::id);
    return it == parts_.end() ? nullptr : &*it;
  }

  /// Empty where nothing was clustered.
  Clustered InClusters() const {
    Clustered clustered;
    const Answer* similarity = PartOf("similarity");
    if (similarity == nullptr) return clustered;
    for (const Table& table : similarity->tables) {
      const auto& columns = table.rows.columns;
      const auto place =
          static_cast<std::size_t>(std::ranges::find(columns, "workload") - columns.begin());
      const auto stands =
          static_cast<std::size_t>(std::ranges::find(columns, "representative") - columns.begin());
      if (place == columns.size() || stands == columns.size()) continue;
      for (const auto& row : table.rows.rows) {
        const auto* name = std::get_if<std::string>(&row[place]);
        const auto* stands_for = std::get_if<bool>(&row[stands]);
        if (name == nullptr || stands_for == nullptr) continue;
        clustered.workloads.insert(*name);
        if (*stands_for) clustered.representatives.insert(*name);
      }
    }
    return clustered;
  }

  /// Ours that no cluster holds, as they lack values.
  Strings LeftOut(const Clustered& clustered) const {
    Strings names;
    const Answer* vectors = PartOf("vectors");
    if (vectors == nullptr || vectors->tables.empty()) return names;
    for (const auto& row : vectors->tables.front().rows.rows)
      if (std::string name = TextOf(row.front()); !clustered.workloads.contains(name))
        names.push_back(std::move(name));
    return names;
  }

  /// Which few of ours stand for all.
  void SayChoice(const Clustered& clustered, Answer& answer) const {
    const auto& few = clustered.representatives;
    if (few.empty()) return;
    if (clustered.NothingToChoose()) {
      answer.sentences.push_back(fmt::format(
          "Only {}: nothing to choose.", core::Counted(clustered.workloads.size(), "workload")));
    } else {
      answer.sentences.push_back(fmt::format("{} {} for all: {}.", few.size(),
                                             core::ByNumber(few.size(), "stands", "stand"),
                                             fmt::join(few, ", ")));
    }
    if (const Strings names = LeftOut(clustered); !names.empty())
      answer.sentences.push_back(
          fmt::format("Excluded, because {} no value of metrics that the others have: {}.",
                      core::ByNumber(names.size(), "it has", "they have"), fmt::join(names, ", ")));
  }

  void SayFirst(const char* id, const std::string& before, Answer& answer) const {
    if (const Answer* part = PartOf(id); part != nullptr && !part->sentences.empty())
      answer.sentences.push_back(before + part->sentences.front());
  }

  void SayOwn(const Clustered& clustered, Answer& answer) const {
    // Where each workload is a cluster, that they are is no news.
    if (!clustered.NothingToChoose() || clustered.workloads.empty())
      SayFirst("similarity", "", answer);
    for (const char* id : {"rooflines", "kernels", "topology"}) SayFirst(id, "", answer);
  }

  /// What is not about our workloads comes behind them, and each sentence says of whom it is.
  void SayPublished(Answer& answer) const {
    const std::string suite = options_.published + " (published): ";
    SayFirst("similarity-published", "Ours together with " + suite, answer);
    for (const char* id : {"scaling", "schedule", "quality"}) SayFirst(id, "Of " + suite, answer);
  }

  void SayUnanswered(Answer& answer) const {
    if (!unanswered_.rows.empty())
      answer.sentences.push_back(fmt::format(
          "{} {} no answer; a table says why.", core::Counted(unanswered_.rows.size(), "question"),
          core::ByNumber(unanswered_.rows.size(), "has", "have")));
  }

  /// Where our workloads are among the published ones; the sentence about it has the place `at`.
  void AddPlaces(const Clustered& clustered, std::size_t at, Answer& answer) const {
    const Answer* own = PartOf("vectors");
    const Answer* other = PartOf("vectors-published");
    if (own == nullptr || other == nullptr || own->tables.empty() || other->tables.empty()) return;
    const auto shared = SharedMetrics(own->tables.front(), other->tables.front());
    const auto places = PlacesAmong(own->tables.front(), other->tables.front());
    if (places.empty()) {
      answer.sentences.push_back(fmt::format(
          "Our workloads and those of {} have no metric in common that is known of both.",
          options_.published));
      return;
    }
    const auto& few = clustered.representatives;
    Table table = EmptyTable(
        "places", "Where our workloads are among the published ones",
        {{"workload", "", "", ""},
         {"stands_for_others", "", "Whether it is a representative", "analytic"},
         {"nearest", "", "The published workload that is nearest", "analytic"},
         {"distance", "",
          "Root mean square over the shared metrics, in standard deviations of the published suite",
          "analytic"},
         {"beyond", "", "Metrics in which it lies outside the published range", "analytic"}});
    std::size_t outside = 0;
    std::string said;
    for (const Place& place : places) {
      const bool stands = few.contains(place.workload);
      outside += place.beyond.empty() ? 0 : 1;
      if (stands)
        said += fmt::format("{}{} near {} ({:.2g} standard deviations)", said.empty() ? "" : ", ",
                            place.workload, place.nearest, place.distance);
      table.rows.rows.push_back({place.workload, stands, place.nearest, place.distance,
                                 fmt::format("{}", fmt::join(place.beyond, ", "))});
    }
    answer.tables.push_back(std::move(table));
    const std::size_t all = own->tables.front().rows.rows.size();
    const std::string sharing = places.size() == all
                                    ? core::Counted(all, "workload")
                                    : fmt::format("the {} (of {}) that {} metrics with it",
                                                  core::Counted(places.size(), "workload"), all,
                                                  core::ByNumber(places.size(), "shares", "share"));
    answer.sentences.insert(
        answer.sentences.begin() + static_cast<std::ptrdiff_t>(at),
        fmt::format(
            "Against {}, by {}: {}{} of {} {} outside the published range in at least one metric.",
            options_.published, fmt::join(shared, ", "), said.empty() ? "" : said + "; ", outside,
            sharing, core::ByNumber(outside, "lies", "lie")));
  }

  const CommandContext& context_;
  const Options& options_;
  std::size_t passed_over_ = 0;  ///< Experiments that nothing named.
  std::vector<Answer> parts_;
  store::Table unanswered_;
};

Action Declare(core::RequestFields& fields, const CommandContext& context) {
  auto options = std::make_shared<Options>();
  fields.Add("run", &options->runs,
             {.help = "Experiments (default: those of `xsp suite run`, else all of the store)",
              .value_name = "RUN",
              .refers = core::Refers::kStored,
              .positional = true});
  fields.Add("published", &options->published,
             {.help = "The suite with which they are compared; '' for none",
              .value_name = "DATASET",
              .refers = core::Refers::kStored});
  fields.Add("representatives", &options->representatives,
             {.help = "Number of representatives", .value_name = "K", .range = core::kPositive});
  return [&context, options] { return Report(context, *options).Make(); };
}

}  // namespace

extern const SuiteSpec kSpec;
constinit const SuiteSpec kSpec = {
    .name = "report",
    .summary = "Combines the answers of all other commands on these experiments, sentences first",
    .example = "xsp suite report -o suite.html",
    .declare = Declare,
};

}  // namespace xsp::suite::report
