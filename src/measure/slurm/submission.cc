#include "measure/slurm/submission.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <system_error>
#include <utility>

#include "core/json_text.h"
#include "measure/slurm/batch_job.h"
#include "measure/sweeps/file_claim.h"
#include "os/files.h"

namespace xsp::slurm {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kJobsFolder = ".sweep-jobs";

/// A path as JSON has it: bytes that are no UTF-8 must survive.
json BytesOf(const fs::path& path) {
  json bytes = json::array();
  for (const char c : path.string()) bytes.push_back(static_cast<unsigned char>(c));
  return bytes;
}

fs::path PathOf(const json& bytes) {
  std::string path;
  for (const json& byte : bytes) path += static_cast<char>(byte.get<unsigned char>());
  return path;
}

/// 0: it is no number.
std::int64_t FolderNumber(const fs::path& folder) {
  const std::string name = folder.filename().string();
  std::int64_t number = 0;
  const auto read = std::from_chars(name.data(), name.data() + name.size(), number);
  return read.ec == std::errc() && read.ptr == name.data() + name.size() ? number : 0;
}

std::vector<fs::path> NumberedFolders(const fs::path& folder) {
  std::vector<fs::path> folders;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error))
    if (FolderNumber(entry->path()) > 0) folders.push_back(entry->path());
  std::ranges::sort(folders, {}, FolderNumber);
  return folders;
}

/// A new folder in `parent`, which is made.
Result<fs::path> MakeNumberedFolder(const fs::path& parent) {
  XSP_RETURN_IF_ERROR(sweeps::MakeClaimFolder(parent, kOtherStore));
  const std::vector<fs::path> folders = NumberedFolders(parent);
  std::int64_t number = folders.empty() ? 1 : FolderNumber(folders.back()) + 1;
  for (;; ++number) {
    const fs::path folder = parent / std::to_string(number);
    std::error_code error;
    if (fs::create_directory(folder, error)) return folder;
    if (error)
      return Error{ErrorKind::kEnvironment,
                   fmt::format("cannot make {}: {}", folder.string(), error.message()),
                   "Free space on its disk, or choose another store with --store."};
  }
}

Error NotReadable(const fs::path& description) {
  return {ErrorKind::kBadInput, "not the description of a submitted sweep: " + description.string(),
          "`xsp sweep FILE --executor slurm` writes it."};
}

}  // namespace

fs::path SubmissionsFolder(const fs::path& store, const std::string& sweep) {
  return store / kJobsFolder / sweep;
}

Status WriteSubmission(const Submission& submission, const std::string& text) {
  json points = json::array();
  for (const SubmittedPoint& point : submission.points)
    points.push_back({{"index", point.index}, {"name", point.name}, {"request", point.request}});
  const json document = {{"sweep", submission.sweep},
                         {"file", submission.file.string()},
                         {"file_bytes", BytesOf(submission.file)},
                         {"machine", submission.machine},
                         {"again", submission.again},
                         {"points", std::move(points)}};
  XSP_RETURN_IF_ERROR(os::WriteFileAtomically(submission.folder / kSweepFile, text));
  return os::WriteFileAtomically(submission.folder / kDescriptionFile,
                                 core::JsonText(document, 2) + "\n");
}

Result<Submission> ReadSubmission(const fs::path& description) {
  XSP_TRY(const std::string text, os::ReadFile(description));
  const json document = core::ParseJson(text);
  if (!document.is_object()) return NotReadable(description);
  Submission submission;
  submission.folder = description.parent_path();
  try {
    submission.sweep = document.at("sweep").get<std::string>();
    submission.file = PathOf(document.at("file_bytes"));
    submission.machine = document.at("machine").get<std::string>();
    submission.again = document.value("again", false);
    for (const json& point : document.at("points"))
      submission.points.push_back({point.at("index").get<std::size_t>(),
                                   point.at("name").get<std::string>(), point.at("request")});
  } catch (const json::exception&) {
    return NotReadable(description);
  }
  return submission;
}

std::vector<Submission> ReadSubmissions(const fs::path& store, const std::string& sweep) {
  std::vector<Submission> submissions;
  for (const fs::path& folder : NumberedFolders(SubmissionsFolder(store, sweep))) {
    auto read = ReadSubmission(folder / kDescriptionFile);
    if (read.ok()) submissions.push_back(std::move(read).value());
  }
  return submissions;
}

Result<fs::path> MakeJobFolder(const fs::path& store) {
  return MakeNumberedFolder(store / ".slurm-jobs");
}

Result<fs::path> MakeSubmissionFolder(const fs::path& store, const std::string& sweep) {
  XSP_RETURN_IF_ERROR(sweeps::MakeClaimFolder(store / kJobsFolder, kOtherStore));
  return MakeNumberedFolder(SubmissionsFolder(store, sweep));
}

}  // namespace xsp::slurm
