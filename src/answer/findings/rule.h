#ifndef XSP_ANSWER_FINDINGS_RULE_H_
#define XSP_ANSWER_FINDINGS_RULE_H_

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace xsp::findings {

/// A column of a rule's evidence.
struct Column {
  std::string name;
  std::string unit;  ///< One of KnownUnits(): how the sentence writes it.
  std::string help;
};

/// A number that decides whether a finding holds; `$name` in the SQL.
struct Threshold {
  std::string name;
  double value = 0;
  std::string unit;    ///< As of a column.
  std::string source;  ///< Where the number comes from, or why it was chosen.
};

/// How sure a finding is: 1 where it is arithmetic on recorded data, less where a cause is
/// inferred.
struct Confidence {
  double value = 1;  ///< 0 to 1.
  std::string reason;
};

/// How much following a finding would save. Its SQL (gain.sql) has the placeholders of the
/// evidence.
struct GainMethod {
  /// False: it saves time of a whole program, of which calls are a part.
  bool is_of_call = true;
  /// True: another way to run the whole call (another backend, another precision), which does not
  /// add up with other gains.
  bool is_alternative = false;
  std::string method;  ///< The formula in words.
  std::string source;  ///< Where it comes from, or why it was chosen.
  std::string sql;

  /// The SQL names the pieces of the call (view path_piece) that it would shorten.
  bool claims_pieces() const { return is_of_call && !is_alternative; }
};

enum class Severity { kInfo, kNotice, kWarning };
/// "info", "notice" or "warning".
std::string_view NameOf(Severity severity);

/// One data folder of findings/ (or of --findings DIR): finding.yaml, evidence.sql, README.md,
/// golden/, and gain.sql where the gain can be estimated.
struct Rule {
  std::string id;  ///< The folder's name: stable, names the finding.
  std::string title;
  std::vector<std::string> needs;  ///< Levels, see analyze::KnownLevels().
  Severity severity = Severity::kInfo;
  int rank = 0;           ///< Order of findings whose gains are equal or not known; smaller first.
  bool is_first = false;  ///< About trust in the numbers: comes before every other finding.
  /// False: the finding is about the whole experiment, and its sentence says itself what it is
  /// about. Among several backends, the sentence of a point's finding names the backend.
  bool is_of_point = true;
  std::vector<std::string> withheld_by;  ///< Rules: where one of them holds, this one abstains.
  std::vector<Threshold> thresholds;
  std::vector<Column> columns;  ///< Of the evidence, in its order.
  std::string sentence;         ///< A mustache template over them; see sentence.h.
  std::string see;              ///< Anchor of the page's section that shows more.
  std::string analysis;         ///< Id of the analysis that holds the evidence; empty: none.
  std::string refuted_by;       ///< The observation that would show that the finding is wrong.
  Confidence confidence;

  /// One SELECT over the experiment tables: no row, no finding. `$point` stands for the point's id.
  std::string sql;
  std::optional<GainMethod> gain;  ///< None: there is nothing to gain, or no way to estimate it.
  std::string text;                ///< README.md, for users.
  std::filesystem::path folder;
};

/// What `unit` can be: "ns", "byte", "flop", ... (a quantity with its own prefix), "1" (a plain
/// number of three digits), "share" (per cent), "count" (an integer), "name" (shortened), "shape"
/// (of tensors), "" (text, or a flag).
const std::vector<std::string_view>& KnownUnits();

/// Every rule below `folders` (DataRoot()/findings, then the user's), in order of id. Errors:
/// kBadInput naming the file and line of a broken folder, or two rules of one id; `withheld_by`
/// must name a rule that is not itself withheld.
Result<std::vector<Rule>> LoadRules(const std::vector<std::filesystem::path>& folders);

}  // namespace xsp::findings

#endif  // XSP_ANSWER_FINDINGS_RULE_H_
