#include "app/cli/view.h"

namespace xsp::cli::baseline_remove_view {
namespace {

using nlohmann::json;

Result<int> ShowAnswer(const api::Document& document, Format) {
  for (const json& name : std::get<json>(document.content)["removed"])
    PrintLine("removed the baseline " + name.get<std::string>());
  return document.exit_status;
}

Show Declare(CLI::App&, const api::Context&) { return JsonOr(ShowAnswer); }

}  // namespace

extern const ViewSpec kView;
constinit const ViewSpec kView = {.operation = "baseline/remove", .declare = Declare};

}  // namespace xsp::cli::baseline_remove_view
