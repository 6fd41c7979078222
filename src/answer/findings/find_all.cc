#include "answer/findings/find_all.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>

#include "answer/analyze/coverage.h"
#include "answer/analyze/level.h"
#include "answer/analyze/scope.h"
#include "answer/findings/focus.h"
#include "answer/findings/sentence.h"

namespace xsp::findings {
namespace {

/// Asks rules about one point, one after the other.
class Inquiry {
 public:
  static Result<Inquiry> Begin(const store::Database& database, std::int64_t point_id) {
    XSP_TRY(Focus focus, FocusOn(database, point_id));
    XSP_TRY(const analyze::Experiments experiments, analyze::OpenExperiments(database));
    if (experiments.led) {
      return Error{ErrorKind::kUsage, "findings are of one experiment: several are open",
                   "Name one experiment."};
    }
    XSP_TRY(const std::vector<analyze::Level>* levels, analyze::KnownLevels());
    XSP_TRY(std::vector<analyze::Coverage> coverage,
            analyze::ReadCoverage(database, experiments, *levels));
    return Inquiry(database, std::move(focus), std::move(coverage.at(0)), *levels, point_id);
  }

  void Ask(const Rule& rule) {
    if (const Finding* withholding = Withholding(rule)) {
      return Abstain(rule, fmt::format("withheld, because another finding holds: {} ({})",
                                       withholding->rule->id, withholding->rule->title));
    }
    auto evidence = FindEvidence(rule, *database_, point_id_);
    if (!evidence.ok()) return Abstain(rule, evidence.error().what);
    if (evidence.value().abstain) return Abstain(rule, *evidence.value().abstain);
    if (evidence.value().table.rows.empty()) {
      if (const auto missing = Missing(rule)) Abstain(rule, *missing);
      return;
    }
    auto sentence = MakeSentence(rule, evidence.value().table, focus_);
    if (!sentence.ok()) return Abstain(rule, sentence.error().what);
    findings_.found.push_back(
        {&rule, OfBackend(rule, std::move(sentence).value()), std::move(evidence).value()});
  }

  Findings Sorted() && {
    const auto order = [](const Finding& finding) {
      const bool is_first = finding.rule->is_first;
      const double gain_ns = finding.evidence.gain && !is_first
                                 ? finding.evidence.gain->ns
                                 : -std::numeric_limits<double>::infinity();
      return std::make_tuple(!is_first, -gain_ns, finding.rule->rank);
    };
    std::stable_sort(findings_.found.begin(), findings_.found.end(),
                     [&](const Finding& a, const Finding& b) { return order(a) < order(b); });
    std::stable_sort(
        findings_.abstained.begin(), findings_.abstained.end(),
        [](const Abstention& a, const Abstention& b) { return a.rule->rank < b.rule->rank; });
    return std::move(findings_);
  }

 private:
  Inquiry(const store::Database& database, Focus focus, analyze::Coverage coverage,
          const std::vector<analyze::Level>& levels, std::int64_t point_id)
      : database_(&database),
        focus_(std::move(focus)),
        coverage_(std::move(coverage)),
        levels_(&levels),
        point_id_(point_id) {}

  void Abstain(const Rule& rule, std::string reason) {
    findings_.abstained.push_back({&rule, std::move(reason)});
  }

  /// The finding that withholds `rule`; null: none.
  const Finding* Withholding(const Rule& rule) const {
    for (const Finding& finding : findings_.found) {
      const auto& ids = rule.withheld_by;
      if (std::find(ids.begin(), ids.end(), finding.rule->id) != ids.end()) return &finding;
    }
    return nullptr;
  }

  /// How to get the first level that the rule needs and that its point (or every point) lacks.
  std::optional<std::string> Missing(const Rule& rule) const {
    analyze::Coverage coverage = coverage_;
    if (rule.is_of_point) {
      std::erase_if(coverage.points, [&](const analyze::PointCoverage& point) {
        return point.point_id != point_id_;
      });
    }
    std::vector<std::string> needs = rule.needs;
    std::erase_if(needs, [&](const std::string& level) {
      return std::any_of(
          coverage.points.begin(), coverage.points.end(),
          [&](const analyze::PointCoverage& point) { return point.levels.contains(level); });
    });
    if (needs.empty()) return std::nullopt;
    const auto missing = analyze::MissingLevels(needs, coverage, *levels_);
    if (missing.empty()) return std::nullopt;
    return missing.front().how;
  }

  /// Among several backends a sentence about one names it.
  std::string OfBackend(const Rule& rule, std::string sentence) const {
    if (!rule.is_of_point || focus_.backend.empty() ||
        sentence.find(focus_.backend) != std::string::npos)
      return sentence;
    return fmt::format("{}: {}", focus_.backend, sentence);
  }

  const store::Database* database_;
  Focus focus_;
  analyze::Coverage coverage_;
  const std::vector<analyze::Level>* levels_;
  std::int64_t point_id_;
  Findings findings_;
};

}  // namespace

Result<Findings> FindAll(const std::vector<Rule>& rules, const store::Database& database,
                         std::int64_t point_id) {
  XSP_TRY(Inquiry inquiry, Inquiry::Begin(database, point_id));
  // What withholds others is asked before them.
  for (const bool is_withheld : {false, true}) {
    for (const Rule& rule : rules)
      if (rule.withheld_by.empty() != is_withheld) inquiry.Ask(rule);
  }
  return std::move(inquiry).Sorted();
}

}  // namespace xsp::findings
