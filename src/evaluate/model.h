#ifndef XSP_EVALUATE_MODEL_H_
#define XSP_EVALUATE_MODEL_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/result.h"
#include "evaluate/progress.h"

namespace xsp::evaluate {

/// What a manifest (YAML, zoo/README.md) says of a model. Keys that it does not know are left
/// alone.
struct Manifest {
  std::string name;
  std::string title;               ///< For people.
  std::string framework;           ///< A worker's name, "torch"; empty: not said.
  std::string file;                ///< File name of the model; empty in a manifest beside a model.
  std::vector<std::string> needs;  ///< Python packages that the maker imports.
  nlohmann::json inputs;           ///< As in a job file; null: not said.
};

/// Reads a manifest. Errors: kBadInput, with the line and the key.
Result<Manifest> ReadManifest(const std::filesystem::path& path);

/// A model file, ready to be measured.
struct Model {
  std::string name;
  std::filesystem::path path;  ///< Absolute.
  std::string framework;
  nlohmann::json inputs;
  std::int64_t size_bytes = 0;
  std::string sha256;
};

/// A model of the zoo: `<DataRoot>/zoo/<name>/` with manifest.yaml and make.py.
struct ZooModel {
  Manifest manifest;
  std::filesystem::path folder;
  std::filesystem::path file;  ///< Where it is or will be kept, below CacheFolder()/zoo.
  bool made = false;
};

/// Every model of the zoo by name. A folder whose manifest cannot be read is left out.
std::vector<ZooModel> ListZoo();

/// The zoo model called `name`, if there is one. Errors: kBadInput (damaged manifest).
Result<std::optional<ZooModel>> FindInZoo(std::string_view name);

/// Makes a zoo model that is not made yet: runs `make.py OUTPUT` with the first of $XSP_PYTHON,
/// python3 and `<DataRoot>/.deps/python/bin/python` that can import what it needs. Two at once are
/// fine: each writes a file of its own and renames it into place. Errors: kNotPossible (no Python
/// with these packages; hint: the command that installs it), kEnvironment (make.py failed, cache
/// not writable), kInterrupted (`wake_fd` became readable).
Status MakeZooModel(const ZooModel& model, Progress& progress, int wake_fd = -1);

/// The model that a user named: a file, else a name of the zoo, which is made on first use. Errors:
/// kBadInput (no such file or name, a directory, an empty file, a bad manifest), and as above.
Result<Model> ResolveModel(const std::string& text, const std::filesystem::path& manifest,
                           Progress& progress, int wake_fd = -1);

}  // namespace xsp::evaluate

#endif  // XSP_EVALUATE_MODEL_H_
