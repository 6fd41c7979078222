#include <fmt/format.h>

#include "app/cli/view.h"

namespace xsp::cli::store_check_view {
namespace {

using nlohmann::json;

Result<int> ShowAnswer(const api::Document& document, Format) {
  const json& problems = std::get<json>(document.content)["problems"];
  if (problems.empty()) PrintLine("no problems found");
  for (const json& one : problems)
    PrintLine(fmt::format("{}: {}{}", one["name"].get<std::string>(),
                          one["problem"].get<std::string>(),
                          one["repaired"].get<bool>() ? " (removed)" : ""));
  return document.exit_status;
}

Show Declare(CLI::App&, const api::Context&) { return JsonOr(ShowAnswer); }

}  // namespace

extern const ViewSpec kView;
constinit const ViewSpec kView = {.operation = "store/check", .declare = Declare};

}  // namespace xsp::cli::store_check_view
