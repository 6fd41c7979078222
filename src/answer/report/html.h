#ifndef XSP_ANSWER_REPORT_HTML_H_
#define XSP_ANSWER_REPORT_HTML_H_

#include <string>
#include <string_view>

#include "core/result.h"

namespace xsp::report {

/// The self-contained report page: the built template DataRoot()/web/dist/report.html with
/// `report_json` in it, the document that web/src/report_data.ts describes. No name in the document
/// can end the script element that it stands in. Errors: kNotPossible with the command that builds
/// the page where it is not built; kEnvironment when it cannot be read; kInternal when it has not
/// exactly one place for the document.
Result<std::string> Page(std::string_view report_json);

/// Likewise the page of `xsp suite`, DataRoot()/web/dist/suite.html, whose document
/// web/src/suite_data.ts describes. Errors: as Page().
Result<std::string> SuitePage(std::string_view suite_json);

/// Likewise the page of `xsp compare`, DataRoot()/web/dist/compare.html, whose document
/// web/src/compare_data.ts describes. Errors: as Page().
Result<std::string> ComparisonPage(std::string_view compare_json);

/// `report_json` such that it may stand inside a script element: every '<', which JSON has only
/// inside strings, as \u003c. It stays the same JSON document.
std::string EscapedForScript(std::string_view report_json);

/// `page` with `report_json`, escaped, in place of its marker. Error: kInternal when the marker is
/// not there exactly once.
Result<std::string> FilledPage(std::string_view page, std::string_view report_json);

}  // namespace xsp::report

#endif  // XSP_ANSWER_REPORT_HTML_H_
