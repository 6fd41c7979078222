#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "app/cli/started_program.h"
#include "app/cli/view.h"

namespace xsp::cli::record_view {
namespace {

using nlohmann::json;

std::string SummaryText(const json& body) {
  std::string spans;
  for (const char* level : {"application", "model", "layer", "library", "kernel"})
    if (const std::int64_t count = body["spans"].value(level, std::int64_t{0}); count > 0)
      spans += fmt::format("{}{} {}", spans.empty() ? "" : ", ", count, level);
  const int processes = body["processes"];
  std::string text = fmt::format("\nrecorded    {:.3g} s, {} process{}, spans: {}\n",
                                 body["seconds"].get<double>(), processes,
                                 processes == 1 ? "" : "es", spans.empty() ? "none" : spans);
  const int width = xsp::report::StyleOfStandardOutput().width;
  for (const json& note : body["notes"])
    text += xsp::report::Wrap(note.get<std::string>(), width, 0) + "\n";
  if (body["experiment"].is_null()) return text;
  text += fmt::format("experiment  {}\n", body["experiment"].get<std::string>());
  return text + fmt::format("report      {}\n", body.value("report", "xsp report"));
}

Show Declare(CLI::App& app, const api::Context&) {
  auto summary = std::make_shared<std::filesystem::path>();
  app.add_option("--summary", *summary, "Write the summary to this file (default: standard error)")
      ->type_name("FILE");
  return [summary](const api::Document& document, Format format) {
    const json& body = std::get<json>(document.content);
    const Status written = DeliverBeside(
        *summary, format == Format::kJson ? api::JsonText(document) : SummaryText(body));
    return EndAsTheProgram(document, written);
  };
}

}  // namespace

extern const ViewSpec kView;
constinit const ViewSpec kView = {.operation = "record", .declare = Declare};

}  // namespace xsp::cli::record_view
