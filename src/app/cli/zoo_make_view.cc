#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "app/cli/view.h"

namespace xsp::cli::zoo_make_view {
namespace {

/// Sorts the words of --format into ways to print and formats of models, which are those of --as.
void Take(const std::vector<std::string>& words, CLI::App& app, std::optional<Format>& format) {
  CLI::Option& as = *app.get_option("--as");
  const bool every_format = app.count("--all") > 0;
  for (const std::string& word : words) {
    if (word == "json") {
      format = Format::kJson;
    } else if (word == "csv") {
      format = Format::kCsv;
    } else if (word == "table") {
      format = format.value_or(Format::kTable);
    } else if (!every_format) {
      as.add_result(word);
    }
  }
  // Its own turn may be over.
  if (as.count() > 0) as.run_callback();
}

Show Declare(CLI::App& app, const api::Context&) {
  auto chosen = std::make_shared<std::optional<Format>>();
  // Elsewhere --format chooses how results are printed; of a model it is also its format.
  app.add_option_function<std::vector<std::string>>(
         "--format",
         [&app, chosen](const std::vector<std::string>& words) { Take(words, app, *chosen); },
         "table, csv or json: output format; other values as --as")
      ->delimiter(',')
      ->type_name("FORMAT");
  return [chosen](const api::Document& document, Format format) -> Result<int> {
    Print(std::get<store::Table>(document.content), {}, chosen->value_or(format));
    return document.exit_status;
  };
}

}  // namespace

extern const ViewSpec kView;
constinit const ViewSpec kView = {.operation = "zoo/make", .declare = Declare};

}  // namespace xsp::cli::zoo_make_view
