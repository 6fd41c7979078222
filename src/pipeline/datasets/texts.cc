#include <algorithm>
#include <charconv>
#include <istream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/csv.h"
#include "core/json_text.h"
#include "pipeline/base/text_file.h"
#include "pipeline/datasets/dataset_kinds.h"

namespace xsp::pipeline {
namespace {

using nlohmann::json;

constexpr std::size_t kMostTextBytes = std::size_t{1} << 30;

/// Which columns (CSV) or keys (JSON) hold what; empty: none does.
struct Columns {
  std::string text, second_text, reference, label;
};

class Texts : public Dataset {
 public:
  Columns columns;
  std::vector<Sample> samples;

  std::size_t size() const override { return samples.size(); }

  Status Read(std::size_t index, Sample& sample) const override {
    sample = samples[index];
    return Ok{};
  }

  void SetLabels(std::vector<std::string> labels) { labels_ = std::move(labels); }
  Status TakeCsv(std::istream& content, char separator);
  void TakeJsonLines(std::string_view content);

 private:
  void Take(std::size_t line, const std::string& text, const std::string& second_text,
            const std::optional<std::string>& reference, const std::optional<std::string>& label);
  std::optional<std::int64_t> LabelNamed(const std::string& text) const;
};

/// A class by its number, or by its name in the labels file.
std::optional<std::int64_t> Texts::LabelNamed(const std::string& text) const {
  const auto named = std::find(labels_.begin(), labels_.end(), text);
  if (named != labels_.end()) return named - labels_.begin();
  std::int64_t label = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, label);
  if (parsed.ec != std::errc() || parsed.ptr != end || label < 0) return std::nullopt;
  return label;
}

void Texts::Take(std::size_t line, const std::string& text, const std::string& second_text,
                 const std::optional<std::string>& reference,
                 const std::optional<std::string>& label) {
  Sample sample;
  sample.name = "line " + std::to_string(line);
  sample.text = text;
  sample.second_text = second_text;
  sample.truth.text = reference;
  if (label) {
    sample.truth.label = LabelNamed(*label);
    if (!sample.truth.label) {
      return AddDamage(sample.name, "the label is no number and not among the labels: " + *label);
    }
  }
  samples.push_back(std::move(sample));
}

Status Texts::TakeCsv(std::istream& content, char separator) {
  core::CsvReader reader(content, separator);
  core::CsvReader::Row row;
  if (!reader.Next(row) || row.damaged) return BadInput("the file has no line of column names");
  const std::vector<std::string> header = row.fields;
  std::string names;
  for (const std::string& name : header) names += (names.empty() ? "" : ", ") + name;
  std::ptrdiff_t places[4] = {-1, -1, -1, -1};
  const std::string* wanted[4] = {&columns.text, &columns.second_text, &columns.reference,
                                  &columns.label};
  for (int i = 0; i < 4; ++i) {
    if (wanted[i]->empty()) continue;
    places[i] = std::find(header.begin(), header.end(), *wanted[i]) - header.begin();
    if (places[i] == static_cast<std::ptrdiff_t>(header.size())) {
      return BadInput("there is no column of this name: " + *wanted[i], "there are " + names);
    }
  }
  while (reader.Next(row)) {
    const std::string where = "line " + std::to_string(row.line);
    if (row.damaged) {
      AddDamage(where, "a quote is not closed, or text follows it");
      continue;
    }
    if (row.fields.size() != header.size()) {
      AddDamage(where, "it has another number of columns than the first line: " +
                           std::to_string(row.fields.size()) + " instead of " +
                           std::to_string(header.size()));
      continue;
    }
    const auto at = [&](int i) -> std::optional<std::string> {
      if (places[i] < 0) return std::nullopt;
      return row.fields[static_cast<std::size_t>(places[i])];
    };
    Take(row.line, at(0).value_or(""), at(1).value_or(""), at(2), at(3));
  }
  return Ok{};
}

void Texts::TakeJsonLines(std::string_view content) {
  const std::vector<std::string> lines = LinesOf(content);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].empty()) continue;
    const std::string where = "line " + std::to_string(i + 1);
    const json object = core::ParseJson(lines[i]);
    if (!object.is_object()) {
      AddDamage(where, "it is no JSON object");
      continue;
    }
    const char* missing = nullptr;
    const auto at = [&](const std::string& key) -> std::optional<std::string> {
      if (key.empty()) return std::nullopt;
      const auto field = object.find(key);
      if (field != object.end() && field->is_string()) return field->get<std::string>();
      if (field != object.end() && field->is_number_integer()) return field->dump();
      missing = key.c_str();
      return std::nullopt;
    };
    const auto text = at(columns.text);
    const auto second_text = at(columns.second_text);
    const auto reference = at(columns.reference);
    const auto label = at(columns.label);
    if (missing) {
      AddDamage(where, std::string("it has no text or integer of this name: ") + missing);
      continue;
    }
    Take(i + 1, text.value_or(""), second_text.value_or(""), reference, label);
  }
}

}  // namespace

Status OpenTexts(Parameters& parameters, const std::string& folder,
                 std::unique_ptr<Dataset>& dataset) {
  enum class Format { kByName, kCsv, kTsv, kJsonLines };
  auto made = std::make_unique<Texts>();
  std::string name, labels_path;
  Format format = Format::kByName;
  parameters.Text("path", name, true);
  parameters.Text("text", made->columns.text, true);
  parameters.Text("second_text", made->columns.second_text);
  parameters.Text("reference", made->columns.reference);
  parameters.Text("label", made->columns.label);
  parameters.Text("labels", labels_path);
  parameters.Choice<Format>(
      "format", format,
      {{"csv", Format::kCsv}, {"tsv", Format::kTsv}, {"jsonl", Format::kJsonLines}});
  const std::string path = Below(folder, name);
  if (format == Format::kByName) {
    const std::string extension = path.substr(std::min(path.rfind('.'), path.size()));
    format = extension == ".csv"     ? Format::kCsv
             : extension == ".tsv"   ? Format::kTsv
             : extension == ".jsonl" ? Format::kJsonLines
                                     : Format::kByName;
    if (format == Format::kByName) {
      parameters.Fail("the name does not tell the format: " + name,
                      "say format: csv, tsv or jsonl");
    }
  }
  XSP_RETURN_IF_ERROR(parameters.Finish());
  std::vector<std::string> labels;
  if (!labels_path.empty()) {
    XSP_RETURN_IF_ERROR(ReadLines(Below(folder, labels_path), labels));
  }
  made->SetLabels(std::move(labels));
  std::string content;
  XSP_RETURN_IF_ERROR(ReadFile(path, kMostTextBytes, content));
  if (format == Format::kJsonLines) {
    made->TakeJsonLines(content);
  } else {
    std::istringstream lines(std::move(content));
    const Status taken = made->TakeCsv(lines, format == Format::kCsv ? ',' : '\t');
    if (!taken.ok()) {
      Error error = taken.error();
      error.what += ": " + path;
      return error;
    }
  }
  dataset = std::move(made);
  return Ok{};
}

}  // namespace xsp::pipeline
