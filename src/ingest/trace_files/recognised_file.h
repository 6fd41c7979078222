#ifndef XSP_INGEST_TRACE_FILES_RECOGNISED_FILE_H_
#define XSP_INGEST_TRACE_FILES_RECOGNISED_FILE_H_

#include <filesystem>
#include <string>

#include "core/result.h"

namespace xsp::trace_files {

/// A file and the importer that reads it.
struct RecognisedFile {
  std::filesystem::path file;
  std::string format;  ///< The importer's name.
};

/// Finds the importer of a file by its content: the one that is certain, else the one that
/// recognises it in general. Errors: kBadInput (no such file, a directory, an empty file, a format
/// that no importer knows, with the list of those that are known; two that are equally sure).
Result<RecognisedFile> Recognise(const std::filesystem::path& file);

/// Names of the formats that are known, for people: "chrome, kineto".
std::string FormatNames();

}  // namespace xsp::trace_files

#endif  // XSP_INGEST_TRACE_FILES_RECOGNISED_FILE_H_
