#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <variant>

#include "app/cli/view.h"
#include "core/counted.h"

namespace xsp::cli::export_view {
namespace {

using nlohmann::json;

Result<int> ShowAnswer(const api::Document& document, Format) {
  const json& body = std::get<json>(document.content);
  if (body.contains("folder")) {
    PrintLine(body["folder"].get<std::string>());
  } else {
    PrintLine(fmt::format("{}: {} of {}, {} bytes", body["file"].get<std::string>(),
                          core::Counted(body["spans"].get<std::int64_t>(), "span"),
                          body["run"].get<std::string>(), body["bytes"].get<std::int64_t>()));
  }
  return document.exit_status;
}

Show Declare(CLI::App&, const api::Context&) { return ShowAnswer; }

}  // namespace

extern const ViewSpec kView;
constinit const ViewSpec kView = {.operation = "export", .declare = Declare};

}  // namespace xsp::cli::export_view
