#include <fmt/format.h>

#include "app/cli/view.h"

namespace xsp::cli::store_export_view {
namespace {

using nlohmann::json;

Result<int> ShowAnswer(const api::Document& document, Format) {
  const json& body = std::get<json>(document.content);
  const std::size_t experiments = body["experiments"].size();
  PrintLine(fmt::format("{}: {} experiment{}, {} files, {:.1f} MB", body["file"].get<std::string>(),
                        experiments, experiments == 1 ? "" : "s", body["files"].get<std::size_t>(),
                        body["bytes"].get<double>() / 1e6));
  return document.exit_status;
}

Show Declare(CLI::App&, const api::Context&) { return JsonOr(ShowAnswer); }

}  // namespace

extern const ViewSpec kView;
constinit const ViewSpec kView = {.operation = "store/export", .declare = Declare};

}  // namespace xsp::cli::store_export_view
