#ifndef XSP_OS_SHA256_H_
#define XSP_OS_SHA256_H_

#include <filesystem>
#include <string>
#include <string_view>

#include "core/result.h"

namespace xsp::os {

/// SHA-256 (FIPS 180-4) of `text`, as 64 lower-case hexadecimal digits: what `sha256sum` prints.
std::string Sha256(std::string_view text);

/// SHA-256 of a file's content, read in pieces. Errors: kBadInput when it does not exist or is a
/// directory, kEnvironment when it cannot be read.
Result<std::string> Sha256OfFile(const std::filesystem::path& path);

}  // namespace xsp::os

#endif  // XSP_OS_SHA256_H_
