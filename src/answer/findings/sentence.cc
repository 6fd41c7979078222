#include "answer/findings/sentence.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <kainjow/mustache.hpp>
#include <string_view>
#include <variant>
#include <vector>

#include "answer/wording/quantity.h"
#include "answer/wording/shape_text.h"
#include "answer/wording/short_name.h"
#include "core/nearest_word.h"

namespace xsp::findings {
namespace {

using kainjow::mustache::data;
using kainjow::mustache::mustache;

/// What a template may name besides the columns.
constexpr std::string_view kAdded[] = {"rows", "rest", "first", "last", "where", "of", "backend"};

constexpr std::string_view kTemplateHint =
    "findings/README.md describes the template; a mustache tag is {{column}} or {{#column}} ... "
    "{{/column}}.";

std::string NumberText(double value, const std::string& unit) {
  if (unit == "1") return wording::Format(value, {});
  if (unit == "share") return wording::Percent(value);
  if (unit == "count") return fmt::format("{:.0f}", value);
  return wording::FormatQuantity(value, unit);
}

std::string TextOf(const std::string& text, const std::string& unit) {
  if (unit == "name") return wording::ShortName(text);
  if (unit == "shape") return wording::ShapeText(text);
  return text;
}

data DataOf(const store::Cell& cell, const std::string& unit) {
  if (const auto* flag = std::get_if<bool>(&cell)) return data(*flag);
  if (const auto* integer = std::get_if<std::int64_t>(&cell)) {
    if (unit == "count") return data(fmt::to_string(*integer));
    return data(NumberText(static_cast<double>(*integer), unit));
  }
  if (const auto* real = std::get_if<double>(&cell)) return data(NumberText(*real, unit));
  if (const auto* text = std::get_if<std::string>(&cell)) {
    const std::string shown = TextOf(*text, unit);
    return shown.empty() ? data(false) : data(shown);
  }
  return data(false);
}

data RowData(const Rule& rule, const std::vector<store::Cell>& row) {
  data columns(data::type::object);
  for (std::size_t i = 0; i < rule.columns.size(); ++i)
    columns.set(rule.columns[i].name, DataOf(row.at(i), rule.columns[i].unit));
  return columns;
}

/// The rows from `begin` on, with the ends marked.
data ListOf(const Rule& rule, const store::Table& evidence, std::size_t begin) {
  data list(data::type::list);
  for (std::size_t i = begin; i < evidence.rows.size(); ++i) {
    data row = RowData(rule, evidence.rows[i]);
    row.set("first", data(i == begin));
    row.set("last", data(i + 1 == evidence.rows.size()));
    list.push_back(row);
  }
  return list;
}

/// The names in the tags of a template, without their '#', '^', '/' or '&'.
std::vector<std::string> NamesIn(std::string_view text) {
  std::vector<std::string> names;
  for (std::size_t open = text.find("{{"); open != std::string_view::npos;
       open = text.find("{{", open)) {
    const std::size_t close = text.find("}}", open);
    if (close == std::string_view::npos) break;
    std::string name(text.substr(open + 2, close - open - 2));
    std::erase_if(
        name, [](char c) { return std::string_view(" #^/&{").find(c) != std::string_view::npos; });
    names.push_back(std::move(name));
    open = close + 2;
  }
  return names;
}

}  // namespace

const std::vector<std::string_view>& KnownUnits() {
  static const std::vector<std::string_view> units = {
      "",      "ns", "byte", "byte/s", "flop",    "flop/s", "flop/byte", "op/s", "1/s",  "watt",
      "joule", "W",  "J",    "1",      "items/s", "share",  "count",     "name", "shape"};
  return units;
}

Status CheckSentence(const Rule& rule) {
  const mustache parsed(rule.sentence);
  if (!parsed.is_valid()) {
    return Error{ErrorKind::kBadInput,
                 fmt::format("'sentence' is not a template: {}", parsed.error_message()),
                 std::string(kTemplateHint)};
  }
  std::vector<std::string_view> known(std::begin(kAdded), std::end(kAdded));
  for (const Column& column : rule.columns) known.push_back(column.name);
  for (const std::string& name : NamesIn(rule.sentence)) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string_view meant = core::NearestWord(name, known);
    return Error{ErrorKind::kBadInput,
                 fmt::format("'sentence' names what is no column: {}{}", name,
                             meant.empty() ? "" : fmt::format(" (did you mean {}?)", meant)),
                 std::string(kTemplateHint)};
  }
  return Ok{};
}

Result<std::string> MakeSentence(const Rule& rule, const store::Table& evidence,
                                 const Focus& focus) {
  XSP_RETURN_IF_ERROR(CheckSentence(rule));
  const auto text_or_false = [](const std::string& text) {
    return text.empty() ? data(false) : data(text);
  };
  data context = RowData(rule, evidence.rows.at(0));
  context.set("rows", ListOf(rule, evidence, 0));
  context.set("rest", ListOf(rule, evidence, 1));
  context.set("where", text_or_false(focus.where));
  context.set("of", text_or_false(focus.of));
  context.set("backend", text_or_false(focus.backend));
  mustache sentence(rule.sentence);
  sentence.set_custom_escape([](const std::string& text) { return text; });
  return sentence.render(context);
}

}  // namespace xsp::findings
