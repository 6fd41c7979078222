#ifndef XSP_ANSWER_REPORT_SUMMARY_H_
#define XSP_ANSWER_REPORT_SUMMARY_H_

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "answer/findings/find_all.h"
#include "answer/findings/rule.h"
#include "core/result.h"
#include "store/database.h"

namespace xsp::report {

/// How far one aspect of an experiment can be trusted.
struct Badge {
  std::string id;        ///< distortion, noise, attribution, losses
  std::string status;    ///< green, amber, red, unknown
  std::string value;     ///< Short, with unit: "1.4 %".
  std::string sentence;  ///< What it means here.
  std::string anchor;    ///< Where the page explains it.
};

/// So many findings fit a first look: the terminal's summary has no more, the page folds the rest.
inline constexpr std::size_t kLeadingFindings = 9;

/// What the page opens with and what the terminal prints.
struct Summary {
  std::int64_t point_id = 0;  ///< The point that the findings are about: the highest throughput.
  std::vector<Badge> badges;
  findings::Findings findings;

  /// The first kLeadingFindings of those that hold.
  std::span<const findings::Finding> leading() const {
    return std::span(findings.found).first(std::min(findings.found.size(), kLeadingFindings));
  }
};

/// The summary of one experiment, from its experiment tables and roofs alone. `rules` are those of
/// findings/ and the user's; the summary borrows from them. Errors: those of Database::Query.
Result<Summary> Summarise(const store::Database& database,
                          const std::vector<findings::Rule>& rules);

/// Whether nothing but the machine was sampled while a program ran (`xsp monitor`): no call of a
/// model, layer or kernel can be in the experiment. False without runs.
Result<bool> WasOnlyMonitored(const store::Database& database);

/// The four badges: distortion, noise, attribution, losses; of a machine that was only monitored
/// the last.
Result<std::vector<Badge>> Badges(const store::Database& database);

}  // namespace xsp::report

#endif  // XSP_ANSWER_REPORT_SUMMARY_H_
