#ifndef XSP_ANSWER_REPORT_BUILT_IN_RULES_TESTING_H_
#define XSP_ANSWER_REPORT_BUILT_IN_RULES_TESTING_H_

#include <filesystem>
#include <vector>

#include "answer/findings/rule.h"
#include "source_dir.h"

namespace xsp::report {

/// The rules of this source tree.
inline const std::vector<findings::Rule>& BuiltInRules() {
  static const auto rules =
      findings::LoadRules({std::filesystem::path(XSP_SOURCE_DIR) / "findings"}).value();
  return rules;
}

}  // namespace xsp::report

#endif  // XSP_ANSWER_REPORT_BUILT_IN_RULES_TESTING_H_
