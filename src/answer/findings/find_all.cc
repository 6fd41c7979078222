#include "answer/findings/find_all.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "answer/analyze/coverage.h"
#include "answer/analyze/level.h"
#include "answer/analyze/scope.h"
#include "answer/findings/focus.h"
#include "answer/findings/gain_claims.h"
#include "answer/findings/sentence.h"

namespace xsp::findings {
namespace {

/// A smaller gain does not decide the order: repeated measurements of a call rarely agree to less.
constexpr double kNotedShare = 0.001;

/// Asks rules about one point, one after the other.
class Inquiry {
 public:
  static Result<Inquiry> Begin(const std::vector<Rule>& rules, const store::Database& database,
                               std::int64_t point_id) {
    XSP_TRY(Focus focus, FocusOn(database, point_id));
    XSP_TRY(const analyze::Experiments experiments, analyze::OpenExperiments(database));
    if (experiments.led) {
      return Error{ErrorKind::kUsage, "findings are of one experiment: several are open",
                   "Name one experiment."};
    }
    XSP_TRY(const std::vector<analyze::Level>* levels, analyze::KnownLevels());
    std::vector<std::string> needs;
    for (const Rule& rule : rules) needs.insert(needs.end(), rule.needs.begin(), rule.needs.end());
    XSP_TRY(std::vector<analyze::Coverage> coverage,
            analyze::ReadCoverage(database, experiments, analyze::NeededLevels(*levels, needs)));
    return Inquiry(database, std::move(focus), std::move(coverage.at(0)), *levels, point_id);
  }

  void Ask(const Rule& rule) {
    if (const Finding* withholding = Withholding(rule)) {
      return Abstain(rule, fmt::format("withheld, because another finding holds: {} ({})",
                                       withholding->rule->id, withholding->rule->title));
    }
    // Without a level that it needs, a rule has nothing to find.
    if (const auto missing = Missing(rule)) return Abstain(rule, *missing);
    auto evidence = FindEvidence(rule, *database_, point_id_);
    if (!evidence.ok()) return Break(rule, evidence.error());
    if (evidence.value().abstain) return Abstain(rule, *evidence.value().abstain);
    if (evidence.value().table.rows.empty()) return;
    auto sentence = MakeSentence(rule, evidence.value().table, focus_);
    if (!sentence.ok()) return Break(rule, sentence.error());
    auto gain = ReadGain(rule, *database_, point_id_);
    if (!gain.ok()) return Break(rule, gain.error());
    findings_.found.push_back({&rule, OfBackend(rule, std::move(sentence).value()),
                               std::move(evidence).value(), std::nullopt});
    gains_.push_back(std::move(gain).value());
  }

  /// Gives the findings their gains, of which those on the call's path take each piece once.
  Status ShareGains() {
    if (std::ranges::none_of(gains_, [](const auto& gain) { return gain.has_value(); }))
      return Ok{};
    XSP_TRY(const Call call, ReadCall(*database_, point_id_));
    std::vector<std::size_t> claiming;
    std::vector<Claimant> claimants;
    for (std::size_t i = 0; i < gains_.size(); ++i) {
      if (!gains_[i]) continue;
      const Rule& rule = *findings_.found[i].rule;
      if (!rule.gain->claims_pieces()) {
        findings_.found[i].gain = GainApart(rule, *gains_[i], call);
      } else if (call.duration_ns > 0) {
        claiming.push_back(i);
        claimants.push_back({rule.id, rule.rank, std::move(gains_[i]->claims)});
      }
    }
    std::vector<Share> shares = ShareOut(call.pieces, claimants);
    for (std::size_t i = 0; i < claiming.size(); ++i) {
      if (shares[i].alone.high_ns == 0 && !call.shows_waits) continue;
      findings_.found[claiming[i]].gain = FoundGain{.gain = shares[i].gain,
                                                    .alone = shares[i].alone,
                                                    .whole_ns = call.duration_ns,
                                                    .whole = call.whole,
                                                    .adds_up = true,
                                                    .overlaps = std::move(shares[i].overlaps)};
    }
    return Ok{};
  }

  Findings Sorted() && {
    const auto order = [](const Finding& finding) {
      const bool is_first = finding.rule->is_first;
      const double share = finding.gain && !is_first ? finding.gain->share() : 0;
      const double noted = share >= kNotedShare ? share : 0;
      return std::make_tuple(!is_first, -noted, finding.rule->rank);
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

  /// A gain that no piece bounds is bounded by its whole; none: that is not known.
  static std::optional<FoundGain> GainApart(const Rule& rule, const GainAnswer& answer,
                                            const Call& call) {
    const double whole_ns = answer.whole_ns.value_or(rule.gain->is_of_call ? call.duration_ns : 0);
    if (!(whole_ns > 0)) return std::nullopt;
    const Gain gain = {std::min(answer.apart->low_ns, whole_ns),
                       std::min(answer.apart->ns, whole_ns),
                       std::min(answer.apart->high_ns, whole_ns)};
    return FoundGain{.gain = gain,
                     .alone = gain,
                     .whole_ns = whole_ns,
                     .whole = rule.gain->is_of_call ? call.whole : "program",
                     .adds_up = false,
                     .overlaps = {}};
  }

  void Abstain(const Rule& rule, std::string reason) {
    findings_.abstained.push_back({&rule, std::move(reason)});
  }

  void Break(const Rule& rule, const Error& error) {
    findings_.abstained.push_back({&rule, error.what, true});
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
  std::vector<std::optional<GainAnswer>> gains_;  ///< Of findings_.found, before they are sorted.
};

}  // namespace

Result<Findings> FindAll(const std::vector<Rule>& rules, const store::Database& database,
                         std::int64_t point_id) {
  XSP_TRY(Inquiry inquiry, Inquiry::Begin(rules, database, point_id));
  // What withholds others is asked before them.
  for (const bool is_withheld : {false, true}) {
    for (const Rule& rule : rules)
      if (rule.withheld_by.empty() != is_withheld) inquiry.Ask(rule);
  }
  XSP_RETURN_IF_ERROR(inquiry.ShareGains());
  return std::move(inquiry).Sorted();
}

}  // namespace xsp::findings
