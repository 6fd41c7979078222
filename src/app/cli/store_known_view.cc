#include "app/cli/survey_output.h"
#include "app/cli/view.h"

namespace xsp::cli::store_known_view {
namespace {

Show Declare(CLI::App&, const api::Context&) { return JsonOr(ShowSurvey); }

}  // namespace

extern const ViewSpec kView;
constinit const ViewSpec kView = {.operation = "store/known", .declare = Declare};

}  // namespace xsp::cli::store_known_view
