#ifndef XSP_PIPELINE_BASE_TEXT_FILE_H_
#define XSP_PIPELINE_BASE_TEXT_FILE_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/base/errors.h"

namespace xsp::pipeline {

/// Reads the file whole. Errors: bad_input when it is missing, no regular file or larger than
/// `most` bytes (also when it grows meanwhile); environment when reading fails.
Status ReadFile(const std::string& path, std::size_t most, std::string& content);

/// The lines of a UTF-8 text: a byte order mark at the start and carriage returns before line ends
/// are left out, and so is the empty line after a last line end.
std::vector<std::string> LinesOf(std::string_view text);

/// Reads the lines of a labels file or a vocabulary: line i (from 0) belongs to class or token i.
/// At most 64 MiB. Errors: as ReadFile; bad_input when there is no line.
Status ReadLines(const std::string& path, std::vector<std::string>& lines);

/// `path`, from `folder` on unless it is absolute.
std::string Below(const std::string& folder, const std::string& path);

}  // namespace xsp::pipeline

#endif  // XSP_PIPELINE_BASE_TEXT_FILE_H_
