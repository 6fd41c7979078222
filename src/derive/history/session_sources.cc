#include "derive/history/session_sources.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "derive/history/history_reader.h"

namespace xsp::history {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kFewestProcesses = 2;

bool IsOneFolder(const fs::path& a, const fs::path& b) {
  std::error_code error;
  return a == b || fs::equivalent(a, b, error);
}

/// What runs: another model file or framework may have another latency.
std::string ProgramOf(const Entry& entry) {
  std::string program;
  for (const collect::Fact& fact : entry.facts)
    if (fact.key == "model.sha256" || fact.key.ends_with("framework.version"))
      program += fact.key + "=" + fact.value + "\n";
  return program;
}

using Programs = std::map<std::string, std::vector<double>>;

void AddPrograms(const Series& series, std::span<const fs::path> but, std::size_t number,
                 Programs& programs) {
  std::set<std::string> seen;  // Experiments that alternated are one session.
  for (const Entry& entry : series.entries) {
    const bool is_left_out = std::ranges::any_of(
        but, [&](const fs::path& path) { return IsOneFolder(path, entry.path); });
    if (is_left_out || entry.was_busy.value_or(false) || entry.processes < kFewestProcesses)
      continue;
    const std::string program = std::to_string(number) + "\n" + ProgramOf(entry);
    if (!entry.session.empty() && !seen.insert(program + entry.session).second) continue;
    programs[program].push_back(entry.value);
  }
}

compare::SessionNoise NoiseOf(const Programs& programs) {
  std::vector<std::vector<double>> latencies;
  for (const auto& [program, of_program] : programs) latencies.push_back(of_program);
  return compare::SessionNoiseOf(latencies);
}

bool Contains(const Series& series, const compare::Side& side) {
  return std::ranges::any_of(series.entries, [&](const Entry& entry) {
    return entry.point_id == side.source.point_id &&
           IsOneFolder(entry.path, side.source.experiment);
  });
}

}  // namespace

compare::SessionNoise NoiseOfSeries(const Series& series, std::span<const fs::path> but) {
  Programs programs;
  AddPrograms(series, but, 0, programs);
  return NoiseOf(programs);
}

Result<compare::SessionNoise> ReadSessionNoise(const fs::path& store, const compare::Sides& sides) {
  const std::array<fs::path, 2> own = {sides.a.source.experiment, sides.b.source.experiment};
  Programs programs;
  std::size_t number = 0;
  for (const std::string& model : std::set{sides.a.point.model, sides.b.point.model}) {
    Selection selection;
    selection.model = model;
    XSP_TRY(const History history, ReadHistory(store, selection));
    for (const Series& series : history.series)
      if (Contains(series, sides.a) || Contains(series, sides.b))
        AddPrograms(series, own, number++, programs);
  }
  return NoiseOf(programs);
}

}  // namespace xsp::history
