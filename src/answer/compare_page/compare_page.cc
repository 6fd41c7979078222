#include "answer/compare_page/compare_page.h"

#include <algorithm>
#include <utility>

#include "answer/compare_page/page_rows.h"
#include "answer/compare_page/page_sums.h"
#include "answer/compare_page/side_details.h"
#include "answer/report/html.h"
#include "core/clock_text.h"
#include "core/json_text.h"
#include "os/files.h"

namespace xsp::compare_page {
namespace {

using nlohmann::json;

constexpr int kFormatVersion = 1;  // web/src/compare_data.ts: kFormatVersion
// Together with the script of the page these keep it below 4 MB however large the sides are.
constexpr std::size_t kMostRows = 20000;
constexpr std::size_t kMostNameBytes = 600'000;
constexpr std::size_t kMostSpans = 12000;
constexpr std::size_t kMostWork = 6000;
constexpr std::size_t kMostSums = 300;  // Of each list of a pair.
/// Of each pair and side there is room for at least so much; further sides have no details.
constexpr std::size_t kLeastOfEach = 400;
constexpr std::size_t kMostDetailedSides = 16;

std::size_t ShareOf(std::size_t most, std::size_t parts, std::size_t of_one) {
  return std::clamp(most / std::max<std::size_t>(1, parts), kLeastOfEach, of_one);
}

}  // namespace

Result<std::size_t> ComparePage::NumberOf(const compare::Side& side) {
  compare::SideSource source = side.source;
  source.run_id = side.run.run_id;
  for (std::size_t i = 0; i < sources_.size(); ++i)
    if (sources_[i] == source) return i;
  auto database = experiments_.find(source.experiment);
  if (database == experiments_.end()) {
    XSP_TRY(store::Database opened, store::Database::Open({source.experiment}));
    database = experiments_.emplace(source.experiment, std::move(opened)).first;
  }
  json entry = {{"name", source.name}, {"details", nullptr}};
  if (sources_.size() < kMostDetailedSides) {
    const std::size_t expected = std::min(pairs_expected_ + 1, kMostDetailedSides);
    XSP_TRY(entry["details"], SideDetails(database->second, source.point_id, side.run.run_id,
                                          {.spans = ShareOf(kMostSpans, expected, 4000),
                                           .work = ShareOf(kMostWork, expected, 1500)}));
  }
  entry["facts"] = json::array();
  for (const compare::SideFact& fact : side.facts)
    if (!fact.value.empty()) entry["facts"].push_back({{"name", fact.what}, {"value", fact.value}});
  entry["was_busy"] = side.was_busy;
  sides_.push_back(std::move(entry));
  sources_.push_back(std::move(source));
  return sources_.size() - 1;
}

Status ComparePage::Add(const compare::Sides& sides, const compare::ComparedSides& compared,
                        const json& document) {
  json pair = json::object();
  for (const auto& [name, value] : document.items())
    if (name != "rows") pair[name] = value;
  pair["rows"] =
      PageRows(sides, compared.trees, document.at("rows"),
               {.rows = ShareOf(kMostRows, pairs_expected_, kMostRows),
                .name_bytes = kMostNameBytes / std::max<std::size_t>(1, pairs_expected_)});
  pair["sums"] =
      PageSums(sides, compared.trees,
               std::max<std::size_t>(40, kMostSums / std::max<std::size_t>(1, pairs_expected_)));
  XSP_TRY(pair["sides"][0]["side"], NumberOf(sides.a));
  XSP_TRY(pair["sides"][1]["side"], NumberOf(sides.b));
  pairs_.push_back(std::move(pair));
  return Ok{};
}

Result<json> ComparePage::Data(const std::vector<std::string>& notes) {
  XSP_TRY(json data, BatchSeries(sources_, experiments_));
  data["format_version"] = kFormatVersion;
  data["generated_at"] = core::NowRfc3339();
  data["xsp_version"] = XSP_VERSION;
  data["command"] = command_line_;
  data["notes"] = notes;
  data["sides"] = sides_;
  data["pairs"] = pairs_;
  return data;
}

Status ComparePage::Write(const std::vector<std::string>& notes,
                          const std::filesystem::path& file) {
  XSP_TRY(const json data, Data(notes));
  // Foreign names may not be UTF-8; a replacement character is better than no page.
  XSP_TRY(const std::string page, report::ComparisonPage(core::JsonText(data)));
  return os::WriteFileAtomically(file, page);
}

}  // namespace xsp::compare_page
