#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/view.h"

namespace xsp::cli::store_push_view {
namespace {

using nlohmann::json;

Result<int> ShowAnswer(const api::Document& document, Format) {
  const json& body = std::get<json>(document.content);
  const auto names = body["experiments"].get<std::vector<std::string>>();
  const std::string store = body["store"].get<std::string>();
  PrintLine(names.empty() ? fmt::format("{} has everything", store)
                          : fmt::format("published in {}: {}", store, fmt::join(names, ", ")));
  return document.exit_status;
}

Show Declare(CLI::App&, const api::Context&) { return JsonOr(ShowAnswer); }

}  // namespace

extern const ViewSpec kView;
constinit const ViewSpec kView = {.operation = "store/push", .declare = Declare};

}  // namespace xsp::cli::store_push_view
