#ifndef XSP_MEASURE_LIVE_LEVEL_SUMS_H_
#define XSP_MEASURE_LIVE_LEVEL_SUMS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_map>

#include "measure/live/live_batch.h"

namespace xsp::live {

/// Spans of each run and level, summed by name while they come. One thread.
class LevelSums {
 public:
  static constexpr std::size_t kShownNames = 8;     ///< Of a level: those of the most time.
  static constexpr std::size_t kKeptNames = 2'000;  ///< Of a level; later names are summed as one.
  /// Parents that have not ended: of later ones the time has that of their children, too.
  static constexpr std::size_t kKeptParents = 100'000;

  /// Children that come in a later batch than their parent are not taken from its time.
  void Add(const LiveBatch& batch);

  /// {"runs": [{"run", "levels": [{"level", "spans", "time_ns", "names": [{"name", "spans",
  /// "time_ns"}], "other_names"}]}]}: runs by name, levels from the application to kernels, names
  /// by time. `time_ns` is a span's own: without that of its children of the same level.
  /// `other_names`: names that are not listed; of more than kKeptNames only as many are known.
  nlohmann::json ToJson() const;

 private:
  struct Sum {
    std::int64_t spans = 0, time_ns = 0;
  };
  struct Level {
    Sum all;
    std::map<std::string, Sum> names;
    Sum later;  // Of names beyond kKeptNames.
  };
  void Add(const LiveSpan& span);
  static nlohmann::json ToJson(const std::string& name, const Level& level);

  std::map<std::string, std::map<std::string, Level>> runs_;  // By run and level.
  // By parent and level: the time of its children.
  std::unordered_map<std::int64_t, std::map<std::string, std::int64_t>> children_;
};

}  // namespace xsp::live

#endif  // XSP_MEASURE_LIVE_LEVEL_SUMS_H_
