#include <fmt/format.h>

#include "app/cli/summary_output.h"
#include "app/cli/view.h"

namespace xsp::cli::run_view {
namespace {

using nlohmann::json;

Result<int> ShowExperiment(const api::Document& document, Format) {
  const json& body = std::get<json>(document.content);
  const std::string path = body["experiment"];
  XSP_TRY(const store::Database database, store::Database::Open({path}));
  XSP_RETURN_IF_ERROR(PrintSummary(body, database));
  if (const std::string conditions = body["conditions"]; !conditions.empty())
    PrintLine(xsp::report::Wrap(conditions, xsp::report::StyleOfStandardOutput().width, 0));
  PrintLine(fmt::format("experiment  {}", path));
  PrintLine(fmt::format("report      {}", body.value("report", "xsp report")));
  return document.exit_status;
}

Show Declare(CLI::App&, const api::Context&) { return JsonOr(ShowExperiment); }

}  // namespace

extern const ViewSpec kView;
constinit const ViewSpec kView = {.operation = "run", .declare = Declare};

}  // namespace xsp::cli::run_view
