#ifndef XSP_STORE_MIRROR_H_
#define XSP_STORE_MIRROR_H_

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "objects/s3_address.h"

namespace xsp::store {

// A store in object storage is used through a folder on this machine, its mirror, which is a store
// like any other (docs/adr/0048-stores-in-object-storage.md):
//
// - RefreshMirror() brings the list of experiments: of each the folder with experiment.json.
// - Fetch() brings files of an experiment when they are read; they are kept.
// - What is written lies in the mirror first; PushMirror() publishes it.
//
// All of this does nothing in a store that is no mirror. Several processes may use one mirror.
// Errors: as objects::S3Client. Threading: any thread.

/// The mirror of `address`, made where there is none yet; asks no server. Below $XSP_MIRRORS, else
/// $XDG_DATA_HOME/xsp/stores, else ~/.local/share/xsp/stores. Errors: kUsage, kEnvironment.
Result<std::filesystem::path> OpenMirror(const objects::S3Address& address);

/// The folder of the store that a user names: a folder, or an address, whose mirror it is then.
/// Errors: as OpenMirror() and ParseS3Address().
Result<std::filesystem::path> OpenStore(const std::string& place);

/// "s3://bucket/prefix"; nothing: the store is no mirror.
std::optional<std::string> MirroredUrl(const std::filesystem::path& store);

/// Makes the list of experiments and the baselines what the server has, unless that was done within
/// five seconds. What an experiment lacks in its index is made from its objects.
Status RefreshMirror(const std::filesystem::path& store);

/// Which files of an experiment are read: by their path in it, "point.parquet" or "RUN/run.json".
using WantedFiles = std::function<bool(std::string_view path)>;

/// Brings the wanted files of the experiment that `folder` is, or is a run of. Each is checked
/// against its checksum. Errors also: kBadInput (removed meanwhile), kEnvironment (damaged).
Status Fetch(const std::filesystem::path& folder, const WantedFiles& wanted);

/// All files of `folder`: an experiment, or a run with the tables of its experiment.
Status FetchFolder(const std::filesystem::path& folder);

/// Remembers that the user removed an experiment, which PushMirror() then does.
Status RemoveFromMirror(const std::filesystem::path& store, std::string_view name);

/// What a push did, in sentences for the user.
struct Pushed {
  std::vector<std::string> notes;
};

/// Publishes experiments, tags, baselines and removals that only the mirror has. An experiment
/// whose name was taken meanwhile gets another, and a note. An error leaves everything in the
/// mirror, for the next push.
Result<Pushed> PushMirror(const std::filesystem::path& store);

/// Names of the experiments that only the mirror has.
std::vector<std::string> UnpushedExperiments(const std::filesystem::path& store);

}  // namespace xsp::store

#endif  // XSP_STORE_MIRROR_H_
