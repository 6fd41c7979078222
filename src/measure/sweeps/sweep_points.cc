#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "core/json_text.h"
#include "measure/sweeps/sweep.h"

namespace xsp::sweeps {
namespace {

using nlohmann::json;

/// Names of files need not be UTF-8.
std::string JsonTextOf(const json& value) { return core::JsonText(value); }

/// The name of a model: of a file without its extension at first (0 parts), then the whole name
/// (1), then with so many parts of its path.
std::string EndOf(const std::string& model, int parts) {
  const std::filesystem::path path(model);
  const bool is_file = model.find('/') != std::string::npos || path.has_extension();
  if (!is_file) return model;
  if (parts == 0) return path.stem().string();
  std::string end = path.filename().string();
  for (auto folder = path.parent_path(); parts > 1 && folder.has_filename(); --parts) {
    end = folder.filename().string() + "/" + end;
    folder = folder.parent_path();
  }
  return end;
}

/// As short as it can be for no other model of the sweep to have the same.
std::string ShortName(const Sweep& sweep, const std::string& model) {
  constexpr int kMostParts = 64;
  for (int parts = 0; parts < kMostParts; ++parts) {
    const std::string name = EndOf(model, parts);
    const auto same = [&](const std::string& other) { return EndOf(other, parts) == name; };
    if (std::ranges::count_if(sweep.models, same) <= 1) return name;
  }
  return model;
}

std::string TextOfValue(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array()) return JsonTextOf(value);
  std::string text;
  for (const json& item : value) text += (text.empty() ? "" : ",") + TextOfValue(item);
  return text.empty() ? "none" : text;
}

/// What tells a point from the others of its sweep: model, batch size, and each list of several.
std::string NameOf(const Sweep& sweep, const Point& point) {
  std::string name = ShortName(sweep, point.model);
  if (!point.backend.empty()) name += "-" + point.backend;
  name += fmt::format("-b{}", point.batch);
  if (sweep.precisions.size() > 1) name += "-" + point.precision;
  for (const Setting& setting : sweep.settings)
    if (setting.values.size() > 1)
      name += fmt::format("-{}={}", setting.name, TextOfValue(point.settings[setting.name]));
  if (sweep.machines.size() > 1) name += "-" + point.machine;
  return name;
}

json ValueOf(const Point& point, const std::string& key) {
  if (key == "model") return point.model;
  if (key == "backend") return point.backend;
  if (key == "batch") return point.batch;
  if (key == "precision") return point.precision;
  if (key == "machine") return point.machine;
  return point.settings.value(key, json());
}

bool Matches(const Exclusion& exclusion, const Point& point) {
  return std::ranges::all_of(
      exclusion, [&](const auto& one) { return ValueOf(point, one.first) == one.second; });
}

/// The number of points before exclusions; beyond kMostPoints any number above it.
std::size_t CountOf(const Sweep& sweep) {
  std::size_t count = 1;
  const auto times = [&](std::size_t values) {
    count = std::min(count * std::max<std::size_t>(values, 1), kMostPoints + 1);
  };
  times(sweep.models.size());
  times(sweep.backends.size());
  times(sweep.batches.size());
  times(sweep.precisions.size());
  times(sweep.machines.size());
  for (const Setting& setting : sweep.settings) times(setting.values.size());
  return count;
}

/// Every point of `points` with each value of one list.
template <typename Values, typename Set>
std::vector<Point> TimesEach(const std::vector<Point>& points, const Values& values, Set set) {
  std::vector<Point> product;
  for (const Point& point : points) {
    for (const auto& value : values) {
      product.push_back(point);
      set(product.back(), value);
    }
  }
  return product;
}

std::vector<Point> Product(const Sweep& sweep) {
  std::vector<Point> points(1);
  points = TimesEach(points, sweep.models, [](Point& p, const auto& v) { p.model = v; });
  if (!sweep.backends.empty())
    points = TimesEach(points, sweep.backends, [](Point& p, const auto& v) { p.backend = v; });
  points = TimesEach(points, sweep.precisions, [](Point& p, const auto& v) { p.precision = v; });
  for (const Setting& setting : sweep.settings)
    points = TimesEach(points, setting.values,
                       [&](Point& p, const json& v) { p.settings[setting.name] = v; });
  if (!sweep.machines.empty())
    points = TimesEach(points, sweep.machines, [](Point& p, const auto& v) { p.machine = v.name; });
  return TimesEach(points, sweep.batches, [](Point& p, std::int64_t v) { p.batch = v; });
}

/// Different values may look the same in a name ("a,b" and the list of a and b).
void MakeUnique(std::vector<Point>& points) {
  std::set<std::string> taken;
  for (Point& point : points) {
    const std::string name = point.name;
    for (int n = 2; !taken.insert(point.name).second; ++n)
      point.name = fmt::format("{}-{}", name, n);
  }
}

}  // namespace

Result<std::vector<Point>> PointsOf(const Sweep& sweep) {
  if (CountOf(sweep) > kMostPoints)
    return Error{ErrorKind::kBadInput,
                 fmt::format("the sweep has more than {} points", kMostPoints),
                 "Shorten its lists, or write several sweeps."};
  std::vector<Point> points = Product(sweep);
  std::vector<bool> is_excluded(points.size());
  for (std::size_t i = 0; i < sweep.exclude.size(); ++i) {
    bool matches_one = false;
    for (std::size_t k = 0; k < points.size(); ++k) {
      if (!Matches(sweep.exclude[i], points[k])) continue;
      is_excluded[k] = matches_one = true;
    }
    if (!matches_one)
      return Error{
          ErrorKind::kBadInput,
          fmt::format("exclude[{}] excludes no point: {}", i, JsonTextOf(sweep.exclude[i])),
          "Its values must be those of the sweep's lists."};
  }
  std::vector<Point> left;
  for (std::size_t k = 0; k < points.size(); ++k) {
    if (is_excluded[k]) continue;
    points[k].name = NameOf(sweep, points[k]);
    left.push_back(std::move(points[k]));
  }
  if (left.empty())
    return Error{ErrorKind::kBadInput, "the sweep excludes all of its points",
                 "Shorten `exclude`."};
  MakeUnique(left);
  return left;
}

json RunRequestOf(const Sweep& sweep, const Point& point) {
  json request = {{"model", point.model}, {"precision", point.precision}, {"batch", {point.batch}}};
  if (!point.backend.empty()) request["backend"] = {point.backend};
  request.update(point.settings);
  request.update(sweep.load);
  return request;
}

}  // namespace xsp::sweeps
