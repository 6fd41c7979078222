#include "app/serve/uploads.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>

#include "app/serve/secrets.h"

namespace xsp::serve {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "upload:";
constexpr std::size_t kIdBytes = 12;
constexpr std::size_t kLongestName = 120;
constexpr std::chrono::hours kLongestStay(24);

/// A name without folders, control characters and a leading dot. Importers know files by their
/// content, but names tell ranks and formats apart.
std::string SafeFileName(std::string_view name) {
  std::string safe;
  for (const char c : name.substr(name.find_last_of("/\\") + 1)) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                          std::string_view("._-+=@,").find(c) != std::string_view::npos;
    safe += is_plain ? c : '-';
  }
  // The end of a name is its format.
  if (safe.size() > kLongestName) safe.erase(0, safe.size() - kLongestName);
  safe.erase(0, safe.find_first_not_of(".-"));
  return safe.empty() ? "file" : safe;
}

std::int64_t BytesBelow(const fs::path& folder) {
  std::int64_t bytes = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error))
    if (it->is_regular_file(error)) bytes += static_cast<std::int64_t>(it->file_size(error));
  return bytes;
}

}  // namespace

bool IsUploadReference(std::string_view text) {
  if (!text.starts_with(kPrefix)) return false;
  text.remove_prefix(kPrefix.size());
  return text.size() == 2 * kIdBytes && std::ranges::all_of(text, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

Uploads::Uploads(fs::path folder, std::int64_t most_bytes, std::function<Clock::time_point()> now)
    : folder_(std::move(folder)), most_bytes_(most_bytes), now_(std::move(now)) {
  RemoveOld();
  bytes_ = BytesBelow(folder_);
}

/// Of an upload that an earlier server received, only the file's time is known.
bool Uploads::IsOld(const fs::path& folder) {
  {
    const std::lock_guard lock(mutex_);
    const auto received = received_.find(folder.filename().string());
    if (received != received_.end()) return now_() - received->second > kLongestStay;
  }
  std::error_code error;
  const auto written = fs::last_write_time(folder, error);
  return !error && fs::file_time_type::clock::now() - written > kLongestStay;
}

void Uploads::RemoveOld() {
  std::error_code error;
  for (fs::directory_iterator it(folder_, error), end; !error && it != end; it.increment(error))
    if (IsOld(it->path())) Remove(std::string(kPrefix) + it->path().filename().string());
}

Status Uploads::Reserve(std::int64_t bytes) {
  const std::lock_guard lock(mutex_);
  if (bytes > most_bytes_ - bytes_)
    return Error{ErrorKind::kEnvironment,
                 fmt::format("uploads may have {} bytes together", most_bytes_),
                 "Import or wait: files that were imported are removed, others after a day."};
  bytes_ += bytes;
  return Ok{};
}

void Uploads::Release(std::int64_t bytes) {
  const std::lock_guard lock(mutex_);
  bytes_ -= std::min(bytes, bytes_);
}

Result<std::int64_t> Uploads::Write(const fs::path& file, const Request& request) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> out(std::fopen(file.c_str(), "wbx"),
                                                            &std::fclose);
  if (out == nullptr)
    return Error{ErrorKind::kEnvironment,
                 fmt::format("cannot write the upload: {}", std::strerror(errno)), ""};
  std::int64_t written = 0;
  Status status = Ok{};
  const bool is_whole = request.read_body([&](std::string_view piece) {
    const auto bytes = static_cast<std::int64_t>(piece.size());
    status = Reserve(bytes);
    if (!status.ok()) return false;
    written += bytes;
    if (std::fwrite(piece.data(), 1, piece.size(), out.get()) == piece.size()) return true;
    status = Error{ErrorKind::kEnvironment,
                   fmt::format("cannot write the upload: {}", std::strerror(errno)),
                   "Free space on the store's disk."};
    return false;
  });
  if (status.ok() && std::fflush(out.get()) != 0)
    status = Error{ErrorKind::kEnvironment,
                   fmt::format("cannot write the upload: {}", std::strerror(errno)),
                   "Free space on the store's disk."};
  if (status.ok() && !is_whole)
    status =
        Error{ErrorKind::kBadInput, fmt::format("the upload ended early, after {} bytes", written),
              "Send it again."};
  if (status.ok()) return written;
  Release(written);
  return status.error();
}

Result<std::int64_t> Uploads::WriteInto(const fs::path& folder, const std::string& name,
                                        const Request& request) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    return Error{ErrorKind::kEnvironment,
                 fmt::format("cannot write the upload: {}", error.message()),
                 "Free space on the store's disk, or check its permissions."};
  auto bytes = Write(folder / name, request);
  if (!bytes.ok()) fs::remove_all(folder, error);
  return bytes;
}

void Uploads::SetReceived(const std::string& id, std::optional<Clock::time_point> when) {
  const std::lock_guard lock(mutex_);
  if (when) {
    received_[id] = *when;
  } else {
    received_.erase(id);
  }
}

Result<Uploads::Upload> Uploads::Receive(const std::string& name, const Request& request,
                                         std::int64_t length) {
  RemoveOld();
  // What cannot fit is refused before it arrives.
  XSP_RETURN_IF_ERROR(Reserve(length));
  Release(length);
  const std::string id = RandomToken(kIdBytes);
  const std::string safe = SafeFileName(name);
  SetReceived(id, Clock::time_point::max());
  const auto bytes = WriteInto(folder_ / id, safe, request);
  if (!bytes.ok()) {
    SetReceived(id, std::nullopt);
    return bytes.error();
  }
  SetReceived(id, now_());
  return Upload{std::string(kPrefix) + id, safe, bytes.value()};
}

Result<Uploads::Upload> Uploads::Adopt(const fs::path& file) {
  const std::string id = RandomToken(kIdBytes);
  const std::string safe = SafeFileName(file.filename().string());
  std::error_code error;
  const auto bytes = static_cast<std::int64_t>(fs::file_size(file, error));
  if (!error) fs::create_directories(folder_ / id, error);
  if (!error) fs::rename(file, folder_ / id / safe, error);
  if (error)
    return Error{ErrorKind::kEnvironment,
                 fmt::format("cannot move {} to the uploads: {}", file.string(), error.message()),
                 "Free space on the store's disk, or check its permissions."};
  const std::lock_guard lock(mutex_);
  bytes_ += bytes;
  received_[id] = now_();
  return Upload{std::string(kPrefix) + id, safe, bytes};
}

Result<fs::path> Uploads::FileOf(std::string_view reference) const {
  const Error missing{ErrorKind::kBadInput, fmt::format("no such upload: {}", reference),
                      "Uploads are removed when they were imported, and after a day. Send the file "
                      "again."};
  if (!IsUploadReference(reference)) return missing;
  std::error_code error;
  const fs::path folder = folder_ / reference.substr(kPrefix.size());
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    return it->path();
  return missing;
}

void Uploads::Remove(std::string_view reference) {
  if (!IsUploadReference(reference)) return;
  const fs::path folder = folder_ / reference.substr(kPrefix.size());
  // Locked: of several that remove one upload at once, one releases its bytes.
  const std::lock_guard lock(mutex_);
  const std::int64_t bytes = BytesBelow(folder);
  std::error_code error;
  fs::remove_all(folder, error);
  received_.erase(std::string(reference.substr(kPrefix.size())));
  if (!error) bytes_ -= std::min(bytes, bytes_);
}

}  // namespace xsp::serve
