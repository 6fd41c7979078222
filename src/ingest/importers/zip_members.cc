#include "ingest/importers/zip_members.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>

namespace xsp::importers {
namespace {

constexpr std::size_t kMostMembers = 4096;
constexpr std::uint64_t kMostDirectoryBytes = std::uint64_t{1} << 20;
constexpr std::size_t kEndBytes = 22, kLongestComment = 65535;  // Of the record at the end.
constexpr std::size_t kEntryBytes = 46;

/// Little-endian, of bytes that are there.
std::uint32_t NumberAt(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint32_t value = 0;
  for (std::size_t i = size; i-- > 0;)
    value = (value << 8) | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

std::string ReadAt(std::ifstream& file, std::uint64_t offset, std::uint64_t size) {
  std::string bytes(size, '\0');
  file.clear();
  file.seekg(static_cast<std::streamoff>(offset));
  file.read(bytes.data(), static_cast<std::streamsize>(size));
  bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  return bytes;
}

/// The beginning of the central directory; empty: there is none.
std::string ReadDirectory(std::ifstream& file, std::uint64_t file_bytes) {
  const std::uint64_t tail_bytes = std::min<std::uint64_t>(file_bytes, kEndBytes + kLongestComment);
  const std::string tail = ReadAt(file, file_bytes - tail_bytes, tail_bytes);
  constexpr std::string_view kEnd = "PK\5\6";
  // The last one: a comment may hold the same bytes, members more often.
  for (std::size_t at = tail.rfind(kEnd); at != std::string::npos;
       at = at == 0 ? std::string::npos : tail.rfind(kEnd, at - 1)) {
    if (tail.size() - at < kEndBytes) continue;
    const std::uint64_t size = NumberAt(tail, at + 12, 4), offset = NumberAt(tail, at + 16, 4);
    if (offset > file_bytes || size > file_bytes - offset) continue;
    return ReadAt(file, offset, std::min(size, kMostDirectoryBytes));
  }
  return {};
}

}  // namespace

std::vector<std::string> ZipMembers(const std::filesystem::path& path) {
  std::error_code error;
  const std::uint64_t file_bytes = std::filesystem::file_size(path, error);
  std::ifstream file(path, std::ios::binary);
  if (error || !file || ReadAt(file, 0, kZipMagic.size()) != kZipMagic) return {};
  const std::string directory = ReadDirectory(file, file_bytes);
  std::vector<std::string> names;
  constexpr std::string_view kEntry = "PK\1\2";
  std::string_view rest = directory;
  while (names.size() < kMostMembers && rest.size() >= kEntryBytes && rest.starts_with(kEntry)) {
    const std::size_t name_bytes = NumberAt(rest, 28, 2);
    const std::size_t other_bytes = NumberAt(rest, 30, 2) + NumberAt(rest, 32, 2);
    rest.remove_prefix(kEntryBytes);
    if (name_bytes > rest.size()) break;
    names.emplace_back(rest.substr(0, name_bytes));
    rest.remove_prefix(std::min(name_bytes + other_bytes, rest.size()));
  }
  return names;
}

}  // namespace xsp::importers
