#ifndef XSP_ANSWER_REPORT_SUMMARY_H_
#define XSP_ANSWER_REPORT_SUMMARY_H_

#include <cstdint>
#include <string>
#include <vector>

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

/// One finding in words; `anchor` names its evidence on the page.
struct Sentence {
  std::string text;
  std::string anchor;
};

/// What the page opens with and what the terminal prints: the same words in both.
struct Summary {
  std::int64_t point_id = 0;  ///< The point that the sentences speak of: the highest throughput.
  std::vector<Badge> badges;
  std::vector<Sentence> sentences;
};

/// The summary of one experiment, from its experiment tables and roofs alone. A level that is
/// missing leaves its sentences out. `rules` are those of findings/ and the user's. Errors: those
/// of Database::Query.
Result<Summary> Summarise(const store::Database& database,
                          const std::vector<findings::Rule>& rules);

/// Whether nothing but the machine was sampled while a program ran (`xsp monitor`): no call of a
/// model, layer or kernel can be in the experiment. False without runs.
Result<bool> WasOnlyMonitored(const store::Database& database);

/// The four badges: distortion, noise, attribution, losses; of a machine that was only monitored
/// the last.
Result<std::vector<Badge>> Badges(const store::Database& database);

/// Five to nine sentences about the point `point_id`, most important first.
Result<std::vector<Sentence>> Sentences(const store::Database& database, std::int64_t point_id,
                                        const std::vector<findings::Rule>& rules);

}  // namespace xsp::report

#endif  // XSP_ANSWER_REPORT_SUMMARY_H_
