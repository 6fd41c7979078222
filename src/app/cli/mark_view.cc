#include "app/cli/view.h"

namespace xsp::cli::mark_view {
namespace {

using nlohmann::json;

/// Programs mark their progress: to say so each time would disturb their output.
Result<int> ShowAnswer(const api::Document& document, Format) { return document.exit_status; }

Show Declare(CLI::App&, const api::Context&) { return JsonOr(ShowAnswer); }

}  // namespace

extern const ViewSpec kView;
constinit const ViewSpec kView = {.operation = "mark", .declare = Declare};

}  // namespace xsp::cli::mark_view
