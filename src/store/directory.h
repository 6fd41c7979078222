#ifndef XSP_STORE_DIRECTORY_H_
#define XSP_STORE_DIRECTORY_H_

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/result.h"

namespace xsp::store {

/// Marks folders that are being written; hidden, so that readers pass them by.
inline constexpr std::string_view kTemporaryMark = ".tmp-";

struct RunFolder {
  std::string name;  ///< The folder's name in the experiment.
  std::filesystem::path path;
};

/// What a directory of the store is, as far as its JSON tells.
struct Directory {
  enum class Kind { kRun, kExperiment };
  Kind kind;
  std::filesystem::path path;
  nlohmann::json json;          ///< run.json, or experiment.json (null: not committed yet).
  std::vector<RunFolder> runs;  ///< Of an experiment, in order of name.
};

/// Looks at `path`: a run, or an experiment (also one that is still being written). In a mirror its
/// JSON is fetched. Errors: kBadInput: no such directory, not one of XSP's, damaged JSON, or a
/// newer format version; as Fetch().
Result<Directory> Inspect(const std::filesystem::path& path);

}  // namespace xsp::store

#endif  // XSP_STORE_DIRECTORY_H_
