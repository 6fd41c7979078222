#include "answer/report/html.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "os/files.h"
#include "os/paths.h"

namespace xsp::report {
namespace {

constexpr std::string_view kMarker = "__XSP_REPORT_DATA__";

}  // namespace

std::string EscapedForScript(std::string_view report_json) {
  std::string escaped;
  escaped.reserve(report_json.size() +
                  5 * static_cast<std::size_t>(std::ranges::count(report_json, '<')));
  for (const char c : report_json) {
    if (c == '<') {
      escaped += "\\u003c";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

Result<std::string> FilledPage(std::string_view page, std::string_view report_json) {
  const auto at = page.find(kMarker);
  if (at == std::string_view::npos || page.find(kMarker, at + 1) != std::string_view::npos) {
    return Error{ErrorKind::kInternal, "the report page has not exactly one place for its data",
                 "build it again: tools/build"};
  }
  const std::string data = EscapedForScript(report_json);
  std::string filled;
  filled.reserve(page.size() + data.size());
  filled.append(page.substr(0, at)).append(data).append(page.substr(at + kMarker.size()));
  return filled;
}

namespace {

Result<std::string> FilledTemplate(const char* name, std::string_view document) {
  const auto path = os::DataRoot() / "web" / "dist" / name;
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    return Error{ErrorKind::kNotPossible, "the report page is not built: " + path.string(),
                 "build it: tools/setup && tools/build"};
  }
  XSP_TRY(const auto page, os::ReadFile(path));
  return FilledPage(page, document);
}

}  // namespace

Result<std::string> Page(std::string_view report_json) {
  return FilledTemplate("report.html", report_json);
}

Result<std::string> SuitePage(std::string_view suite_json) {
  return FilledTemplate("suite.html", suite_json);
}

Result<std::string> ComparisonPage(std::string_view compare_json) {
  return FilledTemplate("compare.html", compare_json);
}

}  // namespace xsp::report
