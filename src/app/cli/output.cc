#include "app/cli/output.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <map>

#include "store/export.h"

namespace xsp::cli {

void AddFormatOption(CLI::App& app, Format* format) {
  static const std::map<std::string, Format> kNames = {
      {"table", Format::kTable}, {"csv", Format::kCsv}, {"json", Format::kJson}};
  const auto named = [](std::string& text) -> std::string {
    const auto found = kNames.find(CLI::detail::to_lower(text));
    if (found == kNames.end()) return fmt::format("not table, csv or json: {}", text);
    text = std::to_string(static_cast<int>(found->second));
    return {};
  };
  app.add_option("--format", *format, "table, csv or json")
      ->transform(CLI::Validator(named, ""))
      ->type_name("FORMAT")
      ->default_str("table");
}

void Print(const store::Table& table, std::vector<xsp::report::TerminalColumn> columns,
           Format format) {
  if (format == Format::kCsv) return PrintLine(store::ToCsv(table));
  if (format == Format::kJson) return PrintLine(store::ToJson(table));
  if (columns.empty())
    for (const std::string& name : table.columns) columns.push_back({name, ""});
  PrintLine(xsp::report::RenderTable(columns, table, xsp::report::StyleOfStandardOutput()));
}

void PrintRows(const Rows& rows) {
  std::size_t widest = 0;
  for (const auto& [name, text] : rows) widest = std::max(widest, name.size());
  const std::size_t indent = widest + 4;
  const int width = xsp::report::StyleOfStandardOutput().width - static_cast<int>(indent);
  for (const auto& [name, text] : rows) {
    std::string wrapped = xsp::report::Wrap(text, width, 0);
    for (std::size_t at = wrapped.find('\n'); at != std::string::npos;
         at = wrapped.find('\n', at + indent))
      wrapped.insert(at + 1, indent, ' ');
    PrintLine(fmt::format("  {:<{}}  {}", name, widest, wrapped));
  }
}

void PrintLine(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (!text.ends_with('\n')) std::fputc('\n', stdout);
}

void Say(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  if (!text.ends_with('\n')) std::fputc('\n', stderr);
}

void SayWhereNameWasTaken(const std::string& asked, const std::filesystem::path& kept) {
  const std::string name = kept.filename().string();
  if (!asked.empty() && name != asked)
    Say(fmt::format("the name {} is taken, or cannot be one: stored as {}", asked, name));
}

}  // namespace xsp::cli
