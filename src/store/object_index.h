#ifndef XSP_STORE_OBJECT_INDEX_H_
#define XSP_STORE_OBJECT_INDEX_H_

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace xsp::store {

/// One file of an experiment, as an object.
struct IndexedFile {
  std::string path;  ///< Relative to the experiment's folder, with slashes.
  std::uint64_t bytes = 0;
  std::string sha256;  ///< Hexadecimal; empty: not known.

  bool is_json() const { return path.ends_with(".json"); }
  bool operator==(const IndexedFile&) const = default;
};

/// What a store in object storage says of an experiment in one object, so that it is listed without
/// reading it: `.index/NAME.json` (docs/store.md).
struct ObjectIndex {
  enum class State {
    kWriting,    ///< Claims the name; the files are on their way.
    kPublished,  ///< All files are there.
    kRemoving,
  };
  State state = State::kWriting;
  std::string writer = {};  ///< Host and process of a claim; any text.
  std::string time = {};    ///< When this was written: RFC 3339, UTC.
  nlohmann::json summary =
      {};  ///< Of kPublished: model, backend, status, runs, as `xsp list` shows them.
  std::string experiment = {};          ///< Of kPublished: experiment.json, byte for byte.
  std::vector<IndexedFile> files = {};  ///< Of kPublished: all.
};

/// ".index/NAME.json".
std::string IndexKeyOf(std::string_view experiment);

std::string IndexText(const ObjectIndex& index);

/// Errors: kBadInput (damaged, or of a newer format). Paths of files that lead elsewhere are
/// damage.
Result<ObjectIndex> ReadIndex(std::string_view text);

/// Whether a file of this path lies within its folder, and is not hidden.
bool IsPlainPath(std::string_view path);

/// The files of an experiment's folder without their checksums, by path; hidden ones are none.
/// Errors: kEnvironment.
Result<std::vector<IndexedFile>> ListFiles(const std::filesystem::path& folder);

/// The files of an experiment's folder with their checksums, by path; hidden ones are none.
/// Errors: kEnvironment.
Result<std::vector<IndexedFile>> FilesBelow(const std::filesystem::path& folder);

}  // namespace xsp::store

#endif  // XSP_STORE_OBJECT_INDEX_H_
