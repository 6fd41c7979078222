#ifndef XSP_INGEST_IMPORTERS_ZIP_MEMBERS_H_
#define XSP_INGEST_IMPORTERS_ZIP_MEMBERS_H_

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace xsp::importers {

inline constexpr std::string_view kZipMagic = "PK\3\4";

/// Names of the members of a ZIP archive, in its order
/// (https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, 4.3.12 and 4.3.16: the central
/// directory). Enough to tell what it is: at most 4096 names out of the first MiB of the directory;
/// none of an archive whose directory lies beyond 4 GiB (ZIP64), nor of a damaged one. Empty for
/// other files.
std::vector<std::string> ZipMembers(const std::filesystem::path& file);

}  // namespace xsp::importers

#endif  // XSP_INGEST_IMPORTERS_ZIP_MEMBERS_H_
