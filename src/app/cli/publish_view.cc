#include "app/cli/view.h"

namespace xsp::cli::publish_view {
namespace {

using nlohmann::json;

Result<int> ShowAnswer(const api::Document& document, Format) {
  const json& body = std::get<json>(document.content);
  const auto number = [&](const char* key) { return body.value(key, std::int64_t{0}); };
  PrintLine("site         " + body["site"].get<std::string>());
  PrintLine("experiments  " + std::to_string(number("experiments")) + ", " +
            std::to_string(number("changed")) + " written, " + std::to_string(number("removed")) +
            " removed");
  PrintLine("reports      " + std::to_string(number("reports")) + " written" +
            (number("reports_missing") > 0
                 ? ", " + std::to_string(number("reports_missing")) + " missing: publish again"
                 : ""));
  return document.exit_status;
}

Show Declare(CLI::App&, const api::Context&) { return JsonOr(ShowAnswer); }

}  // namespace

extern const ViewSpec kView;
constinit const ViewSpec kView = {.operation = "publish", .declare = Declare};

}  // namespace xsp::cli::publish_view
