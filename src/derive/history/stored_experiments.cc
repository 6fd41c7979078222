#include "derive/history/stored_experiments.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <nlohmann/json.hpp>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/clock_text.h"
#include "store/catalogue.h"
#include "store/directory.h"

namespace xsp::history {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::string TextOf(const json& object, const char* key) {
  const auto it = object.find(key);
  return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

/// Whether it begins as "2026-01-31T12:00:59".
bool IsDate(std::string_view text) {
  constexpr std::string_view kForm = "0000-00-00T00:00:00";
  if (text.size() < kForm.size()) return false;
  for (std::size_t i = 0; i < kForm.size(); ++i) {
    const bool is_digit = text[i] >= '0' && text[i] <= '9';
    if (kForm[i] == '0' ? !is_digit : text[i] != kForm[i]) return false;
  }
  return true;
}

std::string DateOf(fs::file_time_type time) {
  const auto there = std::chrono::file_clock::to_sys(time);
  return core::Rfc3339(std::chrono::system_clock::to_time_t(
      std::chrono::time_point_cast<std::chrono::system_clock::duration>(there)));
}

/// Whether it has all of `tags`.
bool HasTags(const json& experiment, const std::vector<std::string>& tags) {
  const auto own = experiment.find("tags");
  return std::all_of(tags.begin(), tags.end(), [&](const std::string& text) {
    if (own == experiment.end() || !own->is_object()) return false;
    const std::size_t equals = text.find('=');
    const auto found = own->find(text.substr(0, equals));
    return found != own->end() &&
           (equals == std::string::npos || *found == text.substr(equals + 1));
  });
}

std::optional<bool> BusyOf(const json& document) {
  const auto disturbance = document.find("disturbance");
  if (disturbance == document.end() || !disturbance->is_object()) return std::nullopt;
  const auto busy = disturbance->find("busy");
  if (busy == disturbance->end() || !busy->is_boolean()) return std::nullopt;
  return busy->get<bool>();
}

struct Dated {
  StoredExperiment experiment;
  fs::file_time_type written;
};

/// Digits alone decide: "12:00:59Z" is before "12:00:59.1Z".
std::string SortKey(std::string created) {
  if (created.ends_with('Z')) created.pop_back();
  return created;
}

}  // namespace

Result<StoredExperiments> ListExperiments(const fs::path& store, const std::string& since,
                                          const std::vector<std::string>& tags) {
  StoredExperiments found;
  XSP_TRY(const std::vector<fs::path> folders, store::ExperimentFolders(store));
  std::vector<Dated> dated;
  for (const fs::path& path : folders) {
    const std::string name = path.filename().string();
    ++found.all;
    const auto inspected = store::Inspect(path);
    if (!inspected.ok()) {
      found.unreadable.push_back({name, "", inspected.error().what});
      continue;
    }
    const json& document = inspected.value().json;
    if (inspected.value().kind == store::Directory::Kind::kRun) continue;
    if (!document.is_object()) {
      found.unreadable.push_back({name, "", "experiment.json is missing"});
      continue;
    }
    std::error_code error;
    Dated one{
        {name, path, TextOf(document, "created"), true, BusyOf(document),
         TextOf(document, "xsp_version"), TextOf(document, "model"), TextOf(document, "session")},
        fs::last_write_time(path / "experiment.json", error)};
    if (error) one.written = fs::file_time_type::min();
    if (!IsDate(one.experiment.created)) {
      one.experiment.created = DateOf(one.written);
      one.experiment.has_own_date = false;
    }
    if (one.experiment.created >= since && HasTags(document, tags)) dated.push_back(std::move(one));
  }
  std::sort(dated.begin(), dated.end(), [](const Dated& a, const Dated& b) {
    return std::tuple(SortKey(a.experiment.created), a.written, a.experiment.name) <
           std::tuple(SortKey(b.experiment.created), b.written, b.experiment.name);
  });
  for (Dated& one : dated) found.wanted.push_back(std::move(one.experiment));
  return found;
}

}  // namespace xsp::history
