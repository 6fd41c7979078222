#include "ingest/trace_files/recognised_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <vector>

#include "ingest/importers/byte_stream.h"
#include "ingest/importers/importer.h"
#include "ingest/trace_files/foreign_files.h"

namespace xsp::trace_files {

namespace fs = std::filesystem;

namespace {

Result<std::string> ReadPrefix(const fs::path& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (!fs::exists(status))
    return Error{ErrorKind::kBadInput, fmt::format("no such file: {}", file.string()), ""};
  if (fs::is_directory(status)) {
    return Error{ErrorKind::kBadInput, fmt::format("is a directory: {}", file.string()),
                 "Name the files in it that belong to one execution."};
  }
  XSP_TRY(std::string prefix, importers::ReadPrefix(file, importers::kSniffBytes));
  if (prefix.empty()) {
    return Error{ErrorKind::kBadInput, fmt::format("file is empty: {}", file.string()),
                 "It may be incomplete."};
  }
  return prefix;
}

/// A word on what a file of no known format looks like.
std::string LooksLike(std::string_view prefix) {
  const std::size_t start = prefix.find_first_not_of(" \t\r\n");
  const std::size_t binary = prefix.substr(0, 512).find('\0');
  std::string_view like = "text";
  if (binary != std::string_view::npos) {
    like = "a binary file";
  } else if (start != std::string_view::npos && (prefix[start] == '{' || prefix[start] == '[')) {
    like = "JSON, but no trace events";
  } else if (prefix.substr(0, prefix.find('\n')).find(',') != std::string_view::npos) {
    like = "CSV";
  }
  return fmt::format(
      "It looks like {}. Most profilers export Chrome trace events (JSON), which can be imported.",
      like);
}

}  // namespace

std::string FormatNames() {
  std::vector<std::string_view> names;
  for (const ImporterSpec* spec : importers::AllImporters()) names.push_back(spec->name);
  return fmt::format("{}", fmt::join(names, ", "));
}

Result<RecognisedFile> Recognise(const fs::path& file) {
  XSP_TRY(const std::string prefix, ReadPrefix(file));
  const importers::SniffInput input(prefix, file);
  std::vector<std::string_view> certain, generic;
  for (const ImporterSpec* spec : importers::AllImporters()) {
    const importers::Sniff answer = spec->sniff(input);
    if (answer == importers::Sniff::kCertain) certain.push_back(spec->name);
    if (answer == importers::Sniff::kGeneric) generic.push_back(spec->name);
  }
  const std::vector<std::string_view>& sure = certain.empty() ? generic : certain;
  if (certain.empty()) {
    if (const auto foreign = ForeignFileOf(input))
      return Error{ErrorKind::kBadInput,
                   fmt::format("no importer reads {}: {}", foreign->what, file.string()),
                   std::string(foreign->advice)};
  }
  if (sure.empty()) {
    return Error{ErrorKind::kBadInput, fmt::format("file has no known format: {}", file.string()),
                 fmt::format("Known formats are {}. {}", FormatNames(), LooksLike(prefix))};
  }
  if (sure.size() > 1) {
    return Error{
        ErrorKind::kBadInput,
        fmt::format("file could be of {} formats ({}): {}", sure.size(), fmt::join(sure, ", "),
                    file.string()),
        "XSP should distinguish these formats: please report it with the first lines of the file."};
  }
  return RecognisedFile{file, std::string(sure.front())};
}

}  // namespace xsp::trace_files
