#ifndef XSP_DERIVE_COMPARE_COMPARABILITY_H_
#define XSP_DERIVE_COMPARE_COMPARABILITY_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "derive/compare/comparison.h"
#include "derive/compare/side_trees.h"
#include "store/rows/point_row.h"

namespace xsp::compare {

/// Something that one side was measured with.
struct SideFact {
  std::string what;      ///< "batch", "device", ...
  std::string value;     ///< Empty: not known.
  bool matters = false;  ///< A difference in it can by itself explain a difference in time.
};

/// Model, batch size, precision, device, number of devices, cores, clocks, framework, driver.
/// Always the same facts in the same order. `run`: run.json, with the stack of the machine.
std::vector<SideFact> FactsOf(const store::PointRow& point, const nlohmann::json& run,
                              const SideTrees& trees);

struct SideDifference {
  std::string what, a, b;
  bool matters = false;
};

enum class Comparable : std::uint8_t { kFully, kPartly, kNot };

/// "yes", "partly" or "no".
std::string_view ToString(Comparable comparable);

struct Comparability {
  Comparable verdict = Comparable::kFully;
  std::vector<SideDifference> differences;  ///< Of facts that both sides know, and of shapes.
  std::string reason;                       ///< Why it is `no`; else empty.
  /// Which side lacks layers that the other has, and how to get them; else empty. Whole calls can
  /// be compared all the same.
  std::string without_layers;
};

/// One side as CompareFacts() takes it.
struct SideParts {
  std::string name;  ///< As the user wrote it.
  const std::vector<SideFact>& facts;
  const ComparisonTree& tree;
  bool is_imported = false;  ///< From a file of another profiler.
};

/// What two sides differ in before their times are looked at. `no`: the batch sizes or the shapes
/// of most operators differ, or both sides have layers or device work and none has a counterpart in
/// the other. `partly`: a difference matters, or one side has no layers.
Comparability CompareFacts(const SideParts& a, const SideParts& b, const ComparedTrees& compared);

}  // namespace xsp::compare

#endif  // XSP_DERIVE_COMPARE_COMPARABILITY_H_
