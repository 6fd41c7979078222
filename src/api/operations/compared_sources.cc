#include "api/operations/compared_sources.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "core/nearest_word.h"
#include "derive/compare/measured_points.h"
#include "derive/compare/measured_tables.h"
#include "derive/experiments/imported_files.h"
#include "store/catalogue.h"
#include "store/database.h"
#include "store/directory.h"
#include "store/staging_folder.h"

namespace xsp::api {
namespace {

namespace fs = std::filesystem;
using compare::MeasuredTables;
using compare::SideSource;

constexpr std::array<std::string_view, 6> kSelectors = {"batch",     "backend", "device",
                                                        "precision", "model",   "point"};

using Selectors = std::vector<std::pair<std::string, std::string>>;

/// What the user named, with the points that fit.
struct FoundSide {
  std::string name;
  fs::path experiment;
  std::optional<std::int64_t> run_id;
  MeasuredTables tables;
  std::vector<store::PointRow> points;  ///< Not empty.
  bool is_selected = false;             ///< By selectors, or by a run.
};

Result<Selectors> ParseSelectors(std::string_view text) {
  Selectors selectors;
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), one.size() + 1));
    const std::size_t equal = one.find('=');
    const std::string_view name = one.substr(0, equal);
    if (equal == std::string_view::npos || equal + 1 == one.size())
      return Error{ErrorKind::kUsage, fmt::format("not of the form NAME=VALUE: {}", one),
                   "For example: before#batch=8,backend=torch"};
    if (std::find(kSelectors.begin(), kSelectors.end(), name) == kSelectors.end()) {
      const std::string_view meant = core::NearestWord(
          name, std::vector<std::string_view>(kSelectors.begin(), kSelectors.end()));
      return Error{ErrorKind::kUsage, fmt::format("no such selector of points: {}", name),
                   fmt::format("{}There are: {}",
                               meant.empty() ? "" : fmt::format("Did you mean {}? ", meant),
                               fmt::join(kSelectors, ", "))};
    }
    selectors.emplace_back(name, one.substr(equal + 1));
  }
  return selectors;
}

/// Without case and spaces: "ONNX Runtime 1.22" has "onnxruntime".
std::string Plain(std::string_view text) {
  std::string plain;
  for (const char c : text)
    if (c != ' ') plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return plain;
}

bool Fits(const store::PointRow& point, const std::pair<std::string, std::string>& selector) {
  const auto& [name, value] = selector;
  if (name == "batch") return point.batch && std::to_string(*point.batch) == value;
  if (name == "point") return std::to_string(point.point_id) == value;
  if (name == "device") return point.device == value;
  if (name == "precision") return point.precision == value;
  if (name == "model") return point.model == value;
  return Plain(point.backend).find(Plain(value)) != std::string::npos;
}

std::string TextOf(const store::PointRow& point) {
  return fmt::format("#point={} ({}, {}, batch {}, {}, {})", point.point_id, point.model,
                     point.backend, point.batch ? std::to_string(*point.batch) : "unknown",
                     point.device, point.precision);
}

std::string TextOf(const std::vector<store::PointRow>& points) {
  std::vector<std::string> texts;
  for (const store::PointRow& point : points) texts.push_back(TextOf(point));
  return fmt::format("{}", fmt::join(texts, "; "));
}

/// Whether a path is what a profiler wrote rather than a part of a store.
bool IsForeign(const fs::path& path) {
  std::error_code error;
  if (fs::is_regular_file(path, error)) return true;
  return fs::is_directory(path, error) && !fs::exists(path / "experiment.json", error) &&
         !fs::exists(path / "run.json", error);
}

/// Whether it is the name of a folder of the store, which comes before one of the working
/// directory.
bool IsStored(const Context& context, const std::string& name) {
  std::error_code error;
  return !name.empty() && store::SafeName(name) == name &&
         fs::is_directory(context.store / name, error);
}

/// Imports a file, or a folder of files of one execution, which is the side of this number.
Result<fs::path> ImportOne(const Context& context, const fs::path& file, std::size_t number,
                           std::optional<os::ScratchFolder>& imported) {
  if (!imported) {
    XSP_TRY(os::ScratchFolder folder, os::ScratchFolder::Create());
    imported.emplace(std::move(folder));
  }
  experiments::ImportRequest request;
  request.files = {file};
  // A store of its own: another side's operators do not explain its graphs.
  request.store = imported->path() / fmt::format("{}", number);
  request.command = context.command_line;
  request.progress = context.progress;
  XSP_TRY(const experiments::ImportOutcome outcome, experiments::ImportFiles(request));
  return outcome.path;
}

/// Splits a run's folder into its experiment and the run.
Status FindRun(const fs::path& folder, FoundSide& found) {
  const fs::path name = folder.filename();
  found.experiment = folder.parent_path();
  if (!fs::exists(found.experiment / "experiment.json"))
    return Error{ErrorKind::kBadInput,
                 fmt::format("a run outside of an experiment: {}", folder.string()),
                 "Compare experiments, or runs in them: NAME or NAME/RUN"};
  XSP_TRY(const store::Database database, store::Database::Open({found.experiment}));
  XSP_TRY(found.tables, compare::ReadMeasuredCalls(database));
  for (const store::RunRow& run : found.tables.run) {
    if (fs::path(run.path).filename() != name) continue;
    found.run_id = run.run_id;
    std::erase_if(found.points = found.tables.point,
                  [&](const store::PointRow& point) { return point.point_id != run.point_id; });
  }
  if (found.run_id && !found.points.empty()) return Ok{};
  return Error{ErrorKind::kBadInput, fmt::format("no such run: {}", folder.string()), ""};
}

Result<FoundSide> FindSide(const Context& context, const std::string& text, std::size_t number,
                           std::optional<os::ScratchFolder>& imported) {
  FoundSide found;
  found.name = text;
  // A file or folder may have a # in its name.
  const std::size_t hash = fs::exists(text) ? std::string::npos : text.rfind('#');
  const std::string named = text.substr(0, hash);
  Selectors selectors;
  if (hash != std::string::npos) {
    XSP_TRY(selectors, ParseSelectors(std::string_view(text).substr(hash + 1)));
  }
  std::error_code error;
  fs::path folder;
  if (!named.empty() && !IsStored(context, named) && IsForeign(named)) {
    XSP_TRY(folder, ImportOne(context, named, number, imported));
  } else {
    XSP_TRY(folder, store::Resolve(context.store, named));
  }
  folder = fs::weakly_canonical(folder, error);
  XSP_TRY(const store::Directory directory, store::Inspect(folder));
  if (directory.kind == store::Directory::Kind::kRun) {
    XSP_RETURN_IF_ERROR(FindRun(folder, found));
  } else {
    found.experiment = folder;
    XSP_TRY(const store::Database database, store::Database::Open({folder}));
    XSP_TRY(found.tables, compare::ReadMeasuredCalls(database));
    found.points = found.tables.point;
  }
  if (found.points.empty())
    return Error{ErrorKind::kBadInput, fmt::format("nothing to compare: {} has no point", text),
                 ""};
  const std::vector<store::PointRow> all = found.points;
  for (const auto& selector : selectors)
    std::erase_if(found.points,
                  [&](const store::PointRow& point) { return !Fits(point, selector); });
  if (found.points.empty())
    return Error{ErrorKind::kUsage, fmt::format("no such point: {}", text),
                 "There are: " + TextOf(all)};
  found.is_selected = !selectors.empty() || found.run_id.has_value();
  if (found.is_selected && found.points.size() > 1)
    return Error{ErrorKind::kUsage, fmt::format("{} points fit: {}", found.points.size(), text),
                 "Choose one: " + TextOf(found.points)};
  return found;
}

SideSource SourceOf(const FoundSide& side, std::int64_t point_id) {
  const bool is_only = side.points.size() == 1;
  return {is_only ? side.name : fmt::format("{}#point={}", side.name, point_id), side.experiment,
          point_id, side.run_id};
}

/// The tables with the points that fit alone.
MeasuredTables TablesOf(const FoundSide& side) {
  MeasuredTables tables = side.tables;
  tables.point = side.points;
  return tables;
}

Status AddPairs(const FoundSide& first, const FoundSide& other, ComparedSources& sources) {
  if (first.points.size() == 1 && other.points.size() == 1) {
    sources.pairs.emplace_back(SourceOf(first, first.points.front().point_id),
                               SourceOf(other, other.points.front().point_id));
    return Ok{};
  }
  const auto pairs = compare::PairedPoints(TablesOf(first), TablesOf(other));
  if (pairs.empty())
    return Error{ErrorKind::kBadInput,
                 fmt::format("no points of the same batch size, precision and device: {} and {}",
                             first.name, other.name),
                 fmt::format("Choose a point of each. There are: {}; and {}", TextOf(first.points),
                             TextOf(other.points))};
  for (const compare::Group& pair : pairs)
    sources.pairs.emplace_back(SourceOf(first, pair[0].point_id),
                               SourceOf(other, pair[1].point_id));
  return Ok{};
}

}  // namespace

Result<ComparedSources> FindSources(const Context& context, const std::vector<std::string>& sides) {
  if (sides.size() < 2)
    return Error{ErrorKind::kUsage, fmt::format("nothing to compare with: {} side", sides.size()),
                 "Name two or more: xsp compare before after"};
  ComparedSources sources;
  std::vector<FoundSide> found;
  for (const std::string& side : sides) {
    XSP_TRY(FoundSide one, FindSide(context, side, found.size(), sources.imported));
    found.push_back(std::move(one));
  }
  for (std::size_t i = 1; i < found.size(); ++i)
    XSP_RETURN_IF_ERROR(AddPairs(found.front(), found[i], sources));
  return sources;
}

Status CheckSide(const Context& context, const std::string& side) {
  std::optional<os::ScratchFolder> imported;
  XSP_TRY(const FoundSide found, FindSide(context, side, 0, imported));
  return Ok{};
}

}  // namespace xsp::api
