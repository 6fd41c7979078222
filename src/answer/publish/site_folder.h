#ifndef XSP_ANSWER_PUBLISH_SITE_FOLDER_H_
#define XSP_ANSWER_PUBLISH_SITE_FOLDER_H_

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>

#include "core/result.h"

namespace xsp::publish {

/// The folder of a site, locked against other publishers while the object lives. Files are written
/// under names that the present index.html does not refer to; Switch() then replaces index.html by
/// one rename. What a killed publisher left is removed by the next Sweep().
///
/// Layout: index.html; site.json, which marks the folder and holds the manifest; feed.xml; assets/,
/// data/ and experiments/, where every entry belongs to the site.
class SiteFolder {
 public:
  /// Creates `directory` and marks it. Errors: kUsage when it holds files and no site, kBadInput
  /// when a newer XSP wrote it or the marker is damaged, kEnvironment when another process
  /// publishes into it or the disk refuses.
  static Result<SiteFolder> Open(const std::filesystem::path& directory);

  const std::filesystem::path& path() const { return path_; }
  /// What the previous publication stored by Switch(); {} of a new site.
  const nlohmann::json& manifest() const { return manifest_; }
  /// Files that were written or linked since Open(). Any thread.
  std::size_t written() const { return *written_; }

  /// Writes `text` to `name`, a path relative to the folder; a reader sees all of it or what was
  /// there. Not synced before Switch(). Any thread; one at a time for one name. Errors:
  /// kEnvironment.
  Status Write(const std::filesystem::path& name, std::string_view text) const;

  /// The same, unless the file exists: for names that hold the hash of their content.
  Status WriteOnce(const std::filesystem::path& name, std::string_view text) const;

  /// Makes `name` another name of `file`, or a copy on another file system. Threads and errors: as
  /// Write().
  Status Link(const std::filesystem::path& file, const std::filesystem::path& name) const;

  /// Removes the file `name`, if there is one. Errors: kEnvironment.
  Status Remove(const std::filesystem::path& name) const;

  /// Syncs all files, then makes `page` the index.html and `manifest` the manifest. An error before
  /// the rename leaves the old site.
  Status Switch(std::string_view page, nlohmann::json manifest);

  /// Removes the entries of assets/, data/ and experiments/ that are not in `keep`, paths such as
  /// "data/a.js" and "experiments/b". Returns their number.
  std::size_t Sweep(const std::set<std::string>& keep) const;

 private:
  SiteFolder(std::filesystem::path path, std::shared_ptr<const int> lock)
      : path_(std::move(path)), lock_(std::move(lock)) {}

  std::filesystem::path path_;
  std::shared_ptr<const int> lock_;  ///< Descriptor of the folder.
  nlohmann::json manifest_ = nlohmann::json::object();
  std::shared_ptr<std::atomic<std::size_t>> written_ =
      std::make_shared<std::atomic<std::size_t>>(0);
};

}  // namespace xsp::publish

#endif  // XSP_ANSWER_PUBLISH_SITE_FOLDER_H_
