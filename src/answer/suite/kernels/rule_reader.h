#ifndef XSP_ANSWER_SUITE_KERNELS_RULE_READER_H_
#define XSP_ANSWER_SUITE_KERNELS_RULE_READER_H_

#include <string>
#include <string_view>
#include <vector>

#include "answer/suite/kernels/rules.h"

namespace xsp::suite::kernels {

/// What one rule file says, before its examples are tried.
struct RuleFile {
  std::string extends;  ///< The rule file whose rules follow; empty: none.
  std::vector<Kind> kinds;
  std::vector<Rule> libraries;
  std::vector<Rule> rules;
};

/// Reads one rule file. Errors: kBadInput, as "FILE:LINE: what".
Result<RuleFile> ReadRules(std::string_view text, const std::string& file);

/// An error at a place of a rule file.
Error RuleError(const std::string& file, int line, const std::string& what);

}  // namespace xsp::suite::kernels

#endif  // XSP_ANSWER_SUITE_KERNELS_RULE_READER_H_
