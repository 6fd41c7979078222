#include "app/cli/summary_output.h"
#include "app/cli/view.h"

namespace xsp::cli::report_view {
namespace {

using nlohmann::json;

Result<int> ShowAnswer(const api::Document& document, Format) {
  const json& body = std::get<json>(document.content);
  if (body.contains("report")) {
    PrintLine(body["report"].get<std::string>());
    return document.exit_status;
  }
  XSP_TRY(const store::Database database, store::Database::Open({body["run"].get<std::string>()}));
  XSP_RETURN_IF_ERROR(PrintSummary(body, database));
  return document.exit_status;
}

Show Declare(CLI::App&, const api::Context&) { return JsonOr(ShowAnswer); }

}  // namespace

extern const ViewSpec kView;
constinit const ViewSpec kView = {.operation = "report", .declare = Declare};

}  // namespace xsp::cli::report_view
