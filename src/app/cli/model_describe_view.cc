#include <CLI/CLI.hpp>
#include <map>
#include <memory>

#include "app/cli/view.h"

namespace xsp::cli::model_describe_view {
namespace {

using nlohmann::json;

/// YAML that `xsp run` takes; what was guessed goes before it as a comment.
void PrintYaml(const json& answer) {
  for (const json& guess : answer["guessed"])
    PrintLine("# guessed of input " + guess.get<std::string>());
  if (const std::string refused = answer["refused"]; !refused.empty())
    PrintLine("# the model rejects these, correct them: " + refused);
  PrintLine(answer["yaml"].get<std::string>());
}

Show Declare(CLI::App& app, const api::Context&) {
  auto format = std::make_shared<Format>(Format::kTable);
  app.add_option("--format", *format, "table (YAML) or json")
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, Format>{{"table", Format::kTable}, {"json", Format::kJson}}))
      ->type_name("FORMAT");
  return [format](const api::Document& document, Format) -> Result<int> {
    if (*format == Format::kJson) return ShowPlainly(document, *format);
    PrintYaml(std::get<json>(document.content));
    return document.exit_status;
  };
}

}  // namespace

extern const ViewSpec kView;
constinit const ViewSpec kView = {.operation = "model/describe", .declare = Declare};

}  // namespace xsp::cli::model_describe_view
