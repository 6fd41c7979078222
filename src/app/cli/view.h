#ifndef XSP_APP_CLI_VIEW_H_
#define XSP_APP_CLI_VIEW_H_

#include <functional>
#include <span>
#include <string_view>

#include "api/operation.h"
#include "app/cli/output.h"
#include "core/result.h"

namespace CLI {
class App;
}  // namespace CLI

namespace xsp::cli {

/// Shows an answer in `format`; returns the exit status, usually the document's.
using Show = std::function<Result<int>(const api::Document& document, Format format)>;

/// How the command line shows the answers of one operation, or of those of one group. Static data.
/// An operation without a view is shown as a table or as JSON.
struct ViewSpec {
  const char* operation;  ///< "zoo/list"; of all operations of a group "suite/".
  /// Adds options that only concern what is shown (--rows) to `app`. `context` is filled in before
  /// an answer is shown; both outlive it.
  Show (*declare)(CLI::App& app, const api::Context& context);
};

/// Every view. Generated from src/app/cli/*_view.cc by module.cmake.
std::span<const ViewSpec* const> AllViews();

/// How answers are shown where nothing else is declared: rows as a table for people; an object as
/// JSON in every format.
Result<int> ShowPlainly(const api::Document& document, Format format);

/// Shows JSON as ShowPlainly() does, and leaves the rest to `for_people`.
Show JsonOr(std::function<Result<int>(const api::Document& document, Format format)> for_people);

}  // namespace xsp::cli

#endif  // XSP_APP_CLI_VIEW_H_
