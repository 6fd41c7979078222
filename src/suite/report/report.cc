#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <utility>

#include "base/counted.h"
#include "store/catalogue.h"
#include "suite/frame.h"
#include "suite/report/against.h"
#include "suite/suite_command.h"

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
  std::vector<std::string> arguments;
  std::string id, title;  ///< Of the answer, where not the command's own.
};

using Strings = std::vector<std::string>;

Strings With(Strings list, const Strings& more) {
  list.insert(list.end(), more.begin(), more.end());
  return list;
}

class Report {
 public:
  Report(const Surroundings& surroundings, const Options& options)
      : surroundings_(surroundings), options_(options) {}

  Result<Answer> Make() {
    XSP_TRY(const Strings runs, Runs());
    Ask({"vectors", runs, "", ""});
    for (const Question& question : Questions(runs)) Ask(question);
    AskTogether(runs);
    if (parts_.empty()) return NoAnswer();
    Answer answer{"report", "The suite in short", {}, {}, {}, {}};
    Say(answer);
    AddPlaces(answer);
    if (!unanswered_.rows.empty())
      answer.tables.push_back({"unanswered",
                               "What could not be answered",
                               {{"command", "", "", ""}, {"why", "", "", ""}},
                               unanswered_});
    answer.method.push_back(
        fmt::format("On {}: {}.", base::Counted(runs.size(), "source"), fmt::join(runs, ", ")));
    if (!options_.published.empty())
      answer.method.push_back(fmt::format("Published suite: {}.", options_.published));
    answer.parts = std::move(parts_);
    return answer;
  }

 private:
  /// Those named, else those of `xsp suite run`, else all that are whole.
  Result<Strings> Runs() const {
    if (!options_.runs.empty()) return options_.runs;
    XSP_TRY(const auto entries, store::List(surroundings_.store));
    Strings all, ours;
    for (const auto& entry : entries) {
      if (entry.status != "done" && entry.status != "partial") continue;
      all.push_back(entry.name);
      if (entry.name.starts_with("zoo-")) ours.push_back(entry.name);
    }
    if (all.empty())
      return Error{ErrorKind::kBadInput,
                   "the store has no experiment: " + surroundings_.store.string(),
                   "xsp suite run zoo --quick measures some"};
    return ours.empty() ? all : ours;
  }

  std::vector<Question> Questions(const Strings& runs) const {
    const Strings few = {"--representatives", std::to_string(options_.representatives)};
    const auto most = std::min(static_cast<std::size_t>(options_.representatives), Workloads(runs));
    // A metric that one of our workloads lacks is less of a loss than the workload.
    const Strings own = {"--representatives", std::to_string(most), "--missing", "metrics"};
    std::vector<Question> questions = {{"similarity", With(runs, own), "", ""},
                                       {"rooflines", runs, "", ""},
                                       {"kernels", runs, "", ""},
                                       {"topology", runs, "", ""}};
    const std::string& published = options_.published;
    if (published.empty()) return questions;
    questions.push_back(
        {"vectors", {published}, "vectors-published", "What the published workloads use"});
    questions.push_back({"similarity", With(Strings{published}, few), "similarity-of-published",
                         "Which published workloads are alike"});
    questions.push_back({"scaling", {published}, "", ""});
    questions.push_back({"schedule", {published, "--devices", "4"}, "", ""});
    questions.push_back({"quality", {published}, "", ""});
    return questions;
  }

  /// How many there are: a table or a data set names many, and counts once among `runs`.
  std::size_t Workloads(const Strings& runs) const {
    const Answer* vectors = PartOf("vectors");
    if (vectors == nullptr || vectors->tables.empty()) return runs.size();
    return vectors->tables.front().rows.rows.size();
  }

  /// Which of ours and of the published are alike, by the metrics that both have.
  void AskTogether(const Strings& runs) {
    const Answer* own = PartOf("vectors");
    const Answer* other = PartOf("vectors-published");
    if (own == nullptr || other == nullptr || own->tables.empty() || other->tables.empty()) return;
    const Strings shared = SharedMetrics(own->tables.front(), other->tables.front());
    if (shared.empty()) return;
    Ask({"similarity",
         With(With(runs, {options_.published}),
              {"--metrics", fmt::format("{}", fmt::join(shared, ",")), "--missing", "rows"}),
         "similarity-published", "Together with the published suite"});
  }

  /// An answer, or a row that says why there is none.
  void Ask(const Question& question) {
    surroundings_.progress("asking " + question.command);
    const auto spec = std::ranges::find(surroundings_.commands, question.command, &SuiteSpec::name);
    if (spec == surroundings_.commands.end())
      return Unanswered(question, "this xsp has no such command");
    CLI::App app;
    const Action action = (*spec)->declare(app, surroundings_);
    Strings arguments = question.arguments;
    std::ranges::reverse(arguments);  // As CLI11 wants them.
    try {
      app.parse(arguments);
    } catch (const CLI::ParseError& error) {
      return Unanswered(question, error.what());
    }
    Result<Answer> answer = action();
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
        {fmt::format("xsp suite {} {}", question.command, fmt::join(question.arguments, " ")),
         why});
  }

  Error NoAnswer() const {
    const auto* why = std::get_if<std::string>(&unanswered_.rows.front().back());
    return {ErrorKind::kBadInput, "no command of xsp suite has an answer",
            "the first said: " + (why == nullptr ? std::string() : *why)};
  }

  const Answer* PartOf(const std::string& id) const {
    const auto it = std::ranges::find(parts_, id, &Answer::id);
    return it == parts_.end() ? nullptr : &*it;
  }

  /// What stands for all, by the clustering's own column; empty where nothing was clustered.
  std::set<std::string> Representatives() const {
    std::set<std::string> names;
    const Answer* similarity = PartOf("similarity");
    if (similarity == nullptr) return names;
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
        if (name != nullptr && stands_for != nullptr && *stands_for) names.insert(*name);
      }
    }
    return names;
  }

  void Say(Answer& answer) const {
    const auto few = Representatives();
    if (!few.empty())
      answer.sentences.push_back(fmt::format("{} {} for all: {}.", few.size(),
                                             base::ByNumber(few.size(), "stands", "stand"),
                                             fmt::join(few, ", ")));
    for (const char* id : {"similarity", "similarity-published", "rooflines", "kernels", "topology",
                           "scaling", "schedule", "quality"})
      if (const Answer* part = PartOf(id); part != nullptr && !part->sentences.empty())
        answer.sentences.push_back(part->sentences.front());
    if (!unanswered_.rows.empty())
      answer.sentences.push_back(fmt::format(
          "{} {} no answer; a table says why.", base::Counted(unanswered_.rows.size(), "question"),
          base::ByNumber(unanswered_.rows.size(), "has", "have")));
  }

  /// Where our workloads are among the published ones.
  void AddPlaces(Answer& answer) const {
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
    const auto few = Representatives();
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
    answer.sentences.insert(
        answer.sentences.begin() + (few.empty() ? 0 : 1),
        fmt::format(
            "Against {}, by {}: {}{} of {} {} outside the published range in at least one metric.",
            options_.published, fmt::join(shared, ", "), said.empty() ? "" : said + "; ", outside,
            base::Counted(places.size(), "workload"), base::ByNumber(outside, "lies", "lie")));
  }

  const Surroundings& surroundings_;
  const Options& options_;
  std::vector<Answer> parts_;
  store::Table unanswered_;
};

Action Declare(CLI::App& app, const Surroundings& surroundings) {
  auto options = std::make_shared<Options>();
  app.add_option("RUN", options->runs,
                 "Experiments (default: those of `xsp suite run`, else all of the store)");
  app.add_option("--published", options->published,
                 "The suite that they are held against; '' for none")
      ->type_name("DATASET")
      ->capture_default_str();
  app.add_option("--representatives", options->representatives, "How many shall stand for all")
      ->check(CLI::PositiveNumber.description(""))
      ->type_name("K")
      ->capture_default_str();
  return [&surroundings, options] { return Report(surroundings, *options).Make(); };
}

}  // namespace

extern const SuiteSpec kSpec;
constinit const SuiteSpec kSpec = {
    .name = "report",
    .summary = "What all other commands say of these experiments, in words first",
    .example = "xsp suite report -o suite.html",
    .declare = Declare,
};

}  // namespace xsp::suite::report
