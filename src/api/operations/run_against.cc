#include "api/operations/run_against.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "answer/compare_page/compare_page.h"
#include "api/operations/compare_document.h"
#include "derive/compare/compared_sides.h"

namespace xsp::api {
namespace {

using nlohmann::json;
using requests::ExperimentRequest;

/// Sets one setting; false: not a value that it can have.
using Setter = std::function<bool(ExperimentRequest&, const std::string&)>;

bool SetThreads(ExperimentRequest& request, const std::string& text) {
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), request.threads);
  return error == std::errc() && end == text.data() + text.size() && request.threads >= 0;
}

template <std::string ExperimentRequest::*kField>
bool SetText(ExperimentRequest& request, const std::string& text) {
  request.*kField = text;
  return !text.empty();
}

bool SetBackend(ExperimentRequest& request, const std::string& text) {
  request.backends = {text};
  return !text.empty() && text != "all";
}

const std::map<std::string, Setter, std::less<>>& Setters() {
  static const std::map<std::string, Setter, std::less<>> kSetters = {
      {"backend", SetBackend},
      {"device", SetText<&ExperimentRequest::device>},
      {"graph", SetText<&ExperimentRequest::graph>},
      {"precision", SetText<&ExperimentRequest::precision>},
      {"threads", SetThreads}};
  return kSetters;
}

Status Apply(const std::string& setting, ExperimentRequest& request) {
  const std::size_t equals = setting.find('=');
  const auto setter = Setters().find(std::string_view(setting).substr(0, equals));
  if (equals == std::string::npos || setter == Setters().end()) {
    std::vector<std::string> names;
    for (const auto& [name, set] : Setters()) names.push_back(name);
    return Error{ErrorKind::kUsage, fmt::format("no such setting: {}", setting),
                 fmt::format("KEY=VALUE, where KEY is one of {}.", fmt::join(names, ", "))};
  }
  if (setter->second(request, setting.substr(equals + 1))) return Ok{};
  return Error{ErrorKind::kUsage, fmt::format("no value for {}: {}", setter->first, setting), ""};
}

template <typename Value>
json ResultOrNull(const std::optional<Value>& value) {
  return value ? json(*value) : json();
}
json NumberOrNull(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? json(*value) : json();
}

/// How far the results of a point agree, output by output.
json ResultsDocument(const std::vector<store::AgreementRow>& agreement, std::int64_t point_id) {
  json results = json::array();
  for (const store::AgreementRow& row : agreement) {
    if (row.point_id != point_id) continue;
    results.push_back({{"output", ResultOrNull(row.name)},
                       {"shape", ResultOrNull(row.shape)},
                       {"largest_difference", NumberOrNull(row.max_absolute_error)},
                       {"cosine", NumberOrNull(row.cosine_similarity)},
                       {"not_finite_in_one", ResultOrNull(row.non_finite_different)},
                       {"message", ResultOrNull(row.message)}});
  }
  return results;
}

std::vector<std::int64_t> EachOnce(const std::vector<std::int64_t>& values) {
  std::vector<std::int64_t> distinct;
  for (const std::int64_t value : values)
    if (std::find(distinct.begin(), distinct.end(), value) == distinct.end())
      distinct.push_back(value);
  return distinct;
}

}  // namespace

void DeclareAgainst(core::RequestFields& fields, AgainstRequest& request) {
  fields.Add("against", &request.model,
             {.help = "Another model, whose processes alternate with those of MODEL, so that what "
                      "the machine changes meanwhile is in both. It is stored as NAME-against, and "
                      "MODEL is compared with it",
              .value_name = "MODEL",
              .refers = core::Refers::kModel});
  fields.Add(
      "against_setting", &request.settings,
      {.help = "A setting in which the other side differs: backend, device, graph, precision "
               "or threads; may be repeated. Without --against both sides are MODEL",
       .value_name = "KEY=VALUE",
       .list = core::ListStyle::kRepeated});
}

Result<ExperimentRequest> OtherRequest(const ExperimentRequest& experiment,
                                       const AgainstRequest& against) {
  if (!experiment.scenario.kind.empty() || !experiment.dataset.text.empty())
    return Error{ErrorKind::kUsage,
                 "calls under a load, or of a data set, cannot alternate with others",
                 "Leave out --scenario and --dataset, or --against."};
  if (experiment.backends.size() > 1 ||
      (experiment.backends.size() == 1 && experiment.backends.front() == "all"))
    return Error{ErrorKind::kUsage, "--against compares one backend with one other",
                 "Name one with --backend, and the other's with --against-setting backend=NAME."};
  ExperimentRequest other = experiment;
  if (!against.model.empty()) {
    other.model = against.model;
    other.manifest.clear();
  }
  for (const std::string& setting : against.settings) XSP_RETURN_IF_ERROR(Apply(setting, other));
  if (!other.worker.empty() && other.backends != experiment.backends)
    return Error{ErrorKind::kUsage, "a worker program is measured whatever the backend",
                 "Leave out --worker, or --against-setting backend=NAME."};
  return other;
}

json OutcomeDocument(const sessions::ExperimentOutcome& outcome) {
  json runs = json::array();
  json failures = json::array();
  for (const sessions::RunOutcome& run : outcome.runs)
    if (!run.path.empty()) runs.push_back(run.path.string());
  for (const Error& failure : outcome.failures)
    failures.push_back({{"what", failure.what}, {"hint", failure.hint}});
  return {{"experiment", outcome.path.string()},
          {"runs", std::move(runs)},
          {"status", outcome.status},
          {"failures", std::move(failures)}};
}

void AddAgainst(const ExperimentRequest& request, const sessions::AlternationOutcome& outcome,
                const std::filesystem::path& page, json& body, Document& document) {
  const std::vector<std::int64_t> batches = EachOnce(request.batches);
  std::vector<std::string> notes;
  json pairs = json::array();
  compare_page::ComparePage written(batches.size(), request.command);
  for (std::size_t i = 0; i < batches.size(); ++i) {
    // Both have one point for each batch size, in this order.
    const auto point_id = static_cast<std::int64_t>(i + 1);
    const std::string selector = batches.size() > 1 ? fmt::format("#batch={}", batches[i]) : "";
    const auto side = [&](const sessions::ExperimentOutcome& of) {
      return compare::SideSource{of.path.filename().string() + selector, of.path, point_id, {}};
    };
    const auto sides =
        compare::ReadSides(side(outcome.experiments[1]), side(outcome.experiments[0]));
    if (!sides.ok()) {
      notes.push_back("not compared: " + sides.error().what);
      continue;
    }
    const compare::ComparedSides compared = compare::CompareSides(sides.value(), std::nullopt);
    pairs.push_back(CompareDocument(sides.value(), compared));
    NoteComparison(sides.value(), compared, notes);
    if (!page.empty())
      if (const Status added = written.Add(sides.value(), compared, pairs.back()); !added.ok())
        notes.push_back("not on the page: " + added.error().what);
    pairs.back()["results"] = ResultsDocument(outcome.agreement, point_id);
  }
  body["against"] = OutcomeDocument(outcome.experiments[1]);
  body["comparison"] = {{"pairs", std::move(pairs)}};
  if (!page.empty() && !body["comparison"]["pairs"].empty()) {
    const Status is_written = written.Write(notes, page);
    if (is_written.ok()) {
      body["comparison"]["page"] = page.string();
    } else {
      notes.push_back("no page about the comparison: " + is_written.error().what);
    }
  }
  document.notes.insert(document.notes.end(), notes.begin(), notes.end());
}

}  // namespace xsp::api
