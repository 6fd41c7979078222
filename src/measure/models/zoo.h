#ifndef XSP_MEASURE_MODELS_ZOO_H_
#define XSP_MEASURE_MODELS_ZOO_H_

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/progress.h"
#include "core/result.h"
#include "measure/manifest/manifest.h"

namespace xsp::models {

/// A zoo model in one format: a file (or folder) in the cache, once it is made.
struct ZooFile {
  std::string format;
  std::filesystem::path maker;   ///< `make_FORMAT.py` of the model, else `zoo/makers/FORMAT.py`.
  bool own_maker = false;        ///< The former: it is run without the model's folder.
  std::filesystem::path folder;  ///< CacheFolder()/zoo/NAME/KEY; KEY hashes all that makes it.
  /// What a worker is given: `folder`/FILE of the manifest; where a maker wrote several files
  /// beginning with that name and `.` or `-`, the `.json` among them (the graph), else the first.
  std::filesystem::path path;
  bool made = false;
};

/// A model of the zoo: `<DataRoot>/zoo/<name>/` with manifest.yaml and model.py (zoo/README.md).
struct ZooModel {
  manifest::Manifest manifest;
  std::filesystem::path folder;
  std::vector<ZooFile> files;  ///< In the order of the manifest.

  const ZooFile* Find(std::string_view format) const;
};

struct ZooList {
  std::vector<ZooModel> models;  ///< By name.
  std::vector<Error> broken;     ///< Folders whose manifest cannot be read.
};

/// Every model of the zoo.
ZooList ListZoo();

/// The zoo model called `name`, if there is one. Errors: kBadInput (damaged manifest).
Result<std::optional<ZooModel>> FindInZoo(std::string_view name);

/// The error that there is no `what` ("zoo model") called `name`: kBadInput, with the model that
/// was most likely meant, else those that there are.
Error NoSuchZooModel(const std::string& name, std::string_view what);

/// The formats that zoo/makers can write, by name.
std::vector<std::string> FormatsWithMaker();

/// Makes a zoo model in a format, unless it is made, and returns the file with its path. Runs the
/// maker with the first of $XSP_PYTHON, python3 and `<DataRoot>/.deps/*/bin/python` that can import
/// what its line `# needs:` names. Two at once are fine: each writes into a folder of its own and
/// renames it into place. Errors: kBadInput (no maker; one that cannot be read), kNotPossible (no
/// Python with these modules; hint: how to get one), kEnvironment (the maker failed or wrote
/// nothing, the cache is not writable), kInterrupted (`wake_fd` became readable).
Result<ZooFile> MakeZooFile(const ZooModel& model, const ZooFile& file, core::Progress& progress,
                            int wake_fd = -1);

}  // namespace xsp::models

#endif  // XSP_MEASURE_MODELS_ZOO_H_
