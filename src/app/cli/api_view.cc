#include "app/cli/view.h"

namespace xsp::cli::api_view {
namespace {

using nlohmann::json;

Result<int> ShowOperations(const api::Document& document, Format format) {
  store::Table table{{"operation", "effect", "summary"}, {}};
  for (const json& operation : std::get<json>(document.content).at("operations"))
    table.rows.push_back({operation["name"].get<std::string>(),
                          operation["effect"].get<std::string>(),
                          operation["summary"].get<std::string>()});
  Print(table, {}, format);
  return document.exit_status;
}

Show Declare(CLI::App&, const api::Context&) { return JsonOr(ShowOperations); }

}  // namespace

extern const ViewSpec kView;
constinit const ViewSpec kView = {.operation = "api", .declare = Declare};

}  // namespace xsp::cli::api_view
