#include "app/cli/view.h"

namespace xsp::cli::export_view {
namespace {

using nlohmann::json;

Result<int> ShowAnswer(const api::Document& document, Format) {
  PrintLine(std::get<json>(document.content)["folder"].get<std::string>());
  return document.exit_status;
}

Show Declare(CLI::App&, const api::Context&) { return ShowAnswer; }

}  // namespace

extern const ViewSpec kView;
constinit const ViewSpec kView = {.operation = "export", .declare = Declare};

}  // namespace xsp::cli::export_view
