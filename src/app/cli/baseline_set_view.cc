#include <fmt/format.h>

#include "app/cli/view.h"

namespace xsp::cli::baseline_set_view {
namespace {

using nlohmann::json;

Result<int> ShowAnswer(const api::Document& document, Format) {
  const json& body = std::get<json>(document.content);
  std::string text = fmt::format("baseline {}: {}", body["name"].get<std::string>(),
                                 body["experiment"].get<std::string>());
  if (const auto selector = body["selector"].get<std::string>(); !selector.empty())
    text += "#" + selector;
  if (body["replaced"].is_string() && body["replaced"] != body["experiment"])
    text += fmt::format(" (was {})", body["replaced"].get<std::string>());
  PrintLine(text);
  return document.exit_status;
}

Show Declare(CLI::App&, const api::Context&) { return JsonOr(ShowAnswer); }

}  // namespace

extern const ViewSpec kView;
constinit const ViewSpec kView = {.operation = "baseline/set", .declare = Declare};

}  // namespace xsp::cli::baseline_set_view
