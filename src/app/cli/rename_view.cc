#include "app/cli/view.h"

namespace xsp::cli::rename_view {
namespace {

using nlohmann::json;

Result<int> ShowAnswer(const api::Document& document, Format) {
  const json& body = std::get<json>(document.content);
  PrintLine("renamed " + body["name"].get<std::string>() + " to " +
            body["new_name"].get<std::string>());
  return document.exit_status;
}

Show Declare(CLI::App&, const api::Context&) { return JsonOr(ShowAnswer); }

}  // namespace

extern const ViewSpec kView;
constinit const ViewSpec kView = {.operation = "rename", .declare = Declare};

}  // namespace xsp::cli::rename_view
