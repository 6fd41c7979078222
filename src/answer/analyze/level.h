#ifndef XSP_ANSWER_ANALYZE_LEVEL_H_
#define XSP_ANSWER_ANALYZE_LEVEL_H_

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace xsp::analyze {

/// Something that an experiment may have or lack and analyses may need: layers, FLOPs, roofs. One
/// file of levels/ (levels/README.md says what each key means).
///
/// In `measure`, `recorded` and `import`, "{command}" stands for the command that measures the
/// model, "{model}" for the model's name.
struct Level {
  std::string name = {};         ///< The file's name, without .yaml.
  bool of_experiment = false;    ///< Else each point has it or lacks it.
  bool seen_by_monitor = false;  ///< An experiment of `xsp monitor` alone can have it.
  std::string rests_on = {};     ///< A level without which this one cannot be; empty: none.
  std::string rung = {};         ///< The rung whose failed run explains the absence; empty: none.
  std::string what = {};         ///< "There are no layers"; empty: the texts below say so.
  /// One SELECT over the tables of one experiment. Of points: the point_id of each that has the
  /// level. Of an experiment: a row if it has the level.
  std::string probe = {};
  std::string measure = {};   ///< How to get it where XSP measured.
  std::string recorded = {};  ///< Likewise for an unchanged program; empty: the text of all levels.
  std::string import = {};    ///< Likewise for an imported file, of any format.
};

/// The levels of `folder`, by name. Errors: kBadInput naming file and line of a broken file, or a
/// folder without levels; kEnvironment.
Result<std::vector<Level>> LoadLevels(const std::filesystem::path& folder);

/// The levels of this installation (DataRoot()/levels), read once in a process. From any thread.
/// Owned by the process. Errors: as LoadLevels().
Result<const std::vector<Level>*> KnownLevels();

/// The level of this name; null: none. Points into `levels`.
const Level* FindLevel(const std::vector<Level>& levels, std::string_view name);

/// Those of `levels` that `needs` names and those that these rest on, in the order of `levels`: a
/// probe takes a millisecond, and few are needed at a time.
std::vector<Level> NeededLevels(const std::vector<Level>& levels,
                                const std::vector<std::string>& needs);

}  // namespace xsp::analyze

#endif  // XSP_ANSWER_ANALYZE_LEVEL_H_
