#ifndef XSP_STORE_INCOMING_EXPERIMENT_H_
#define XSP_STORE_INCOMING_EXPERIMENT_H_

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "store/object_index.h"

namespace xsp::store {

/// What became of an experiment that came from elsewhere.
struct Arrival {
  std::string name;        ///< In the store where it is now.
  bool was_there = false;  ///< An experiment with the same data: nothing was written.
};

/// An experiment that comes into a store file by file, from another store or out of an archive. It
/// lies in a hidden folder until it is whole. Destroyed before, it leaves nothing.
class IncomingExperiment {
 public:
  /// `files` are all that will come, with the checksums that they must have. Errors: kBadInput (a
  /// name or path that leads elsewhere, a path twice, no experiment.json), kEnvironment (not
  /// writable, less space than the files need).
  static Result<IncomingExperiment> Begin(const std::filesystem::path& store, std::string name,
                                          std::vector<IndexedFile> files);

  IncomingExperiment(IncomingExperiment&& other) noexcept;
  IncomingExperiment& operator=(IncomingExperiment&&) = delete;
  ~IncomingExperiment();

  const std::string& name() const { return name_; }
  const std::vector<IndexedFile>& files() const { return files_; }

  /// Where a file has to be written; its folder exists.
  std::filesystem::path PlaceOf(const IndexedFile& file) const { return folder_ / file.path; }

  /// Once all files are there: checks their sizes and checksums and publishes the experiment. Where
  /// its name is taken by another, it becomes NAME-2 and so on. Errors: kBadInput (a file is not
  /// what its checksum says), kEnvironment.
  Result<Arrival> Finish();

 private:
  IncomingExperiment(std::filesystem::path store, std::string name, std::vector<IndexedFile> files);

  std::filesystem::path store_, folder_;
  std::string name_;
  std::vector<IndexedFile> files_;
};

/// The name under which `store` has an experiment with the data of `files` already: `name`, or one
/// that Finish() would give it. experiment.json, in which tags change, is not compared. Empty:
/// there is none. Errors: as Fetch().
Result<std::string> NameOfSame(const std::filesystem::path& store, std::string_view name,
                               const std::vector<IndexedFile>& files);

}  // namespace xsp::store

#endif  // XSP_STORE_INCOMING_EXPERIMENT_H_
