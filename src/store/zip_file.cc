#include "store/zip_file.h"

#include <fmt/format.h>
#include <zip.h>

#include <fstream>
#include <utility>

#include "os/special_file.h"
#include "store/staging_folder.h"

namespace xsp::store {

namespace fs = std::filesystem;

namespace {

std::string TextOf(zip_error_t* error) {
  std::string text = zip_error_strerror(error);
  zip_error_fini(error);
  return text;
}

std::string TextOf(int code) {
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  return TextOf(&error);
}

void Report(zip_t*, double share, void* progress) {
  (void)(*static_cast<const ZipProgress*>(progress))(share);
}

/// Called more often than Report().
int IsStopped(zip_t*, void* stop) {
  return (*static_cast<const std::function<bool()>*>(stop))() ? 1 : 0;
}

}  // namespace

ZipWriter::ZipWriter(zip* archive, fs::path file) : archive_(archive), file_(std::move(file)) {}

ZipWriter::ZipWriter(ZipWriter&& other) noexcept
    : archive_(std::exchange(other.archive_, nullptr)),
      file_(std::move(other.file_)),
      texts_(std::move(other.texts_)) {}

ZipWriter::~ZipWriter() {
  if (archive_ != nullptr) zip_discard(archive_);
}

Error ZipWriter::Failure(std::string_view what) const {
  return {ErrorKind::kEnvironment,
          fmt::format("cannot write {}: {}{}", file_.string(), what, zip_strerror(archive_)),
          SpaceHint(file_)};
}

Result<ZipWriter> ZipWriter::Create(const fs::path& file) {
  if (os::IsSpecialFile(file))
    return Error{ErrorKind::kUsage, fmt::format("not a regular file: {}", file.string()),
                 "An archive is written into a file of its own."};
  int code = 0;
  zip_t* const archive = zip_open(file.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code);
  if (archive != nullptr) return ZipWriter(archive, file);
  return Error{ErrorKind::kEnvironment,
               fmt::format("cannot create {}: {}", file.string(), TextOf(code)), ""};
}

Status ZipWriter::Add(const std::string& name, void* source, bool compresses) {
  auto* const of = static_cast<zip_source_t*>(source);
  if (of == nullptr) return Failure(name + ": ");
  const zip_int64_t index = zip_file_add(archive_, name.c_str(), of, ZIP_FL_ENC_UTF_8);
  if (index < 0) {
    zip_source_free(of);
    return Failure(name + ": ");
  }
  const zip_int32_t method = compresses ? ZIP_CM_DEFLATE : ZIP_CM_STORE;
  if (zip_set_file_compression(archive_, static_cast<zip_uint64_t>(index), method, 0) != 0)
    return Failure(name + ": ");
  return Ok{};
}

Status ZipWriter::AddText(const std::string& name, std::string_view text) {
  texts_.push_back(std::make_unique<std::string>(text));
  return Add(name, zip_source_buffer(archive_, texts_.back()->data(), texts_.back()->size(), 0),
             true);
}

Status ZipWriter::AddFile(const std::string& name, const fs::path& from, bool compresses) {
  return Add(name, zip_source_file(archive_, from.c_str(), 0, -1), compresses);
}

Status ZipWriter::Finish(const ZipProgress& progress) {
  bool is_stopped = false;
  double share = 0;
  ZipProgress report = [&](double now) {
    share = now;
    return is_stopped = progress(now);
  };
  std::function<bool()> stop = [&] { return is_stopped || (is_stopped = progress(share)); };
  zip_register_progress_callback_with_state(archive_, 0.001, Report, nullptr, &report);
  zip_register_cancel_callback_with_state(archive_, IsStopped, nullptr, &stop);
  if (zip_close(archive_) == 0) {
    archive_ = nullptr;
    return Ok{};
  }
  if (is_stopped)
    return Error{ErrorKind::kInterrupted, fmt::format("{} was not written", file_.string()), ""};
  return Failure("");
}

ZipReader::ZipReader(zip* archive, fs::path file) : archive_(archive), file_(std::move(file)) {}

ZipReader::ZipReader(ZipReader&& other) noexcept
    : archive_(std::exchange(other.archive_, nullptr)), file_(std::move(other.file_)) {}

ZipReader::~ZipReader() {
  if (archive_ != nullptr) zip_discard(archive_);
}

Result<ZipReader> ZipReader::Open(const fs::path& file) {
  int code = 0;
  zip_t* const archive = zip_open(file.c_str(), ZIP_RDONLY, &code);
  if (archive != nullptr) return ZipReader(archive, file);
  return Error{ErrorKind::kBadInput, fmt::format("cannot read {}: {}", file.string(), TextOf(code)),
               code == ZIP_ER_NOENT ? "" : "Is it whole, and a file of `xsp store export`?"};
}

bool ZipReader::Has(const std::string& name) const {
  return zip_name_locate(archive_, name.c_str(), 0) >= 0;
}

Status ZipReader::Read(const std::string& name, std::uint64_t limit_bytes, const Sink& sink) const {
  const auto damaged = [&](std::string_view why) {
    return Error{ErrorKind::kBadInput, fmt::format("{} in {}: {}", name, file_.string(), why), ""};
  };
  zip_file_t* const opened = zip_fopen(archive_, name.c_str(), 0);
  if (opened == nullptr) return damaged(zip_strerror(archive_));
  const std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> member(opened, zip_fclose);
  std::string piece(std::size_t{1} << 20, '\0');
  for (std::uint64_t taken = 0;;) {
    const zip_int64_t got = zip_fread(member.get(), piece.data(), piece.size());
    if (got < 0) return damaged(zip_file_strerror(member.get()));
    if (got == 0) return Ok{};
    taken += static_cast<std::uint64_t>(got);
    if (taken > limit_bytes) return damaged(fmt::format("larger than {} bytes", limit_bytes));
    XSP_RETURN_IF_ERROR(sink(std::string_view(piece).substr(0, static_cast<std::size_t>(got))));
  }
}

Result<std::string> ZipReader::ReadText(const std::string& name, std::uint64_t limit_bytes) const {
  std::string text;
  XSP_RETURN_IF_ERROR(Read(name, limit_bytes, [&](std::string_view piece) -> Status {
    text += piece;
    return Ok{};
  }));
  return text;
}

Status ZipReader::Extract(const std::string& name, std::uint64_t bytes, const fs::path& to) const {
  const auto unwritten = [&] {
    return Error{ErrorKind::kEnvironment, fmt::format("cannot write {}", to.string()),
                 SpaceHint(to)};
  };
  std::ofstream file(to, std::ios::binary | std::ios::trunc);
  if (!file) return unwritten();
  std::uint64_t taken = 0;
  XSP_RETURN_IF_ERROR(Read(name, bytes, [&](std::string_view piece) -> Status {
    taken += piece.size();
    if (file.write(piece.data(), static_cast<std::streamsize>(piece.size()))) return Ok{};
    return unwritten();
  }));
  file.close();
  if (!file) return unwritten();
  if (taken == bytes) return Ok{};
  return Error{ErrorKind::kBadInput,
               fmt::format("{} in {}: {} bytes instead of {}", name, file_.string(), taken, bytes),
               ""};
}

}  // namespace xsp::store
