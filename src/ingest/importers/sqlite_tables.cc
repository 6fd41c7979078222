#include "ingest/importers/sqlite_tables.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <optional>

namespace xsp::importers {
namespace {

constexpr std::size_t kMostPages = 256;
constexpr std::size_t kMostTables = 4096;
constexpr std::size_t kHeaderBytes = 100;

/// Big-endian numbers and variable-length ones, none beyond the end.
class PageBytes {
 public:
  explicit PageBytes(std::string_view bytes) : bytes_(bytes) {}

  std::optional<std::uint32_t> Number(std::size_t at, std::size_t size) const {
    if (at > bytes_.size() || size > bytes_.size() - at) return std::nullopt;
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < size; ++i)
      value = (value << 8) | static_cast<unsigned char>(bytes_[at + i]);
    return value;
  }

  /// The number at `at`, which moves behind it.
  std::optional<std::uint64_t> TakeVarint(std::size_t& at) const {
    std::uint64_t value = 0;
    for (int i = 0; i < 9; ++i) {
      const auto byte = Number(at, 1);
      if (!byte) return std::nullopt;
      ++at;
      if (i == 8) return (value << 8) | *byte;
      value = (value << 7) | (*byte & 0x7f);
      if ((*byte & 0x80) == 0) return value;
    }
    return std::nullopt;
  }

  /// As much as there is.
  std::string_view Part(std::size_t at, std::uint64_t size) const {
    return at < bytes_.size() ? bytes_.substr(at, size) : std::string_view();
  }

 private:
  std::string_view bytes_;
};

/// The size of a column of that serial type; nothing: it is reserved.
std::optional<std::uint64_t> SizeOf(std::uint64_t type) {
  constexpr std::array<std::uint64_t, 10> kSizes = {0, 1, 2, 3, 4, 6, 8, 8, 0, 0};
  if (type < kSizes.size()) return kSizes[type];
  if (type < 12) return std::nullopt;
  return (type - 12) / 2;
}

/// The name in a row of the schema table: type, name, tbl_name, rootpage, sql. Empty: it is no
/// table or view, or its beginning is not on this page.
std::string_view NameOf(std::string_view row) {
  const PageBytes bytes(row);
  std::size_t at = 0;
  const auto header_size = bytes.TakeVarint(at);
  const auto kind = bytes.TakeVarint(at);
  const auto name = bytes.TakeVarint(at);
  if (!header_size || *header_size > row.size() || !kind || !name || *name % 2 == 0) return {};
  const auto kind_size = SizeOf(*kind), name_size = SizeOf(*name);
  if (!kind_size || !name_size || *kind_size > row.size()) return {};
  const std::string_view what = bytes.Part(*header_size, *kind_size);
  if (what != "table" && what != "view") return {};
  const std::string_view found = bytes.Part(*header_size + *kind_size, *name_size);
  return found.size() == *name_size ? found : std::string_view();
}

class SchemaReader {
 public:
  explicit SchemaReader(const std::filesystem::path& file) : file_(file, std::ios::binary) {}

  std::vector<std::string> Read() {
    std::string header(kHeaderBytes, '\0');
    constexpr std::uint32_t kUtf8 = 1;
    if (!file_.read(header.data(), kHeaderBytes) || !header.starts_with(kSqliteMagic) ||
        PageBytes(header).Number(56, 4) != kUtf8)
      return {};
    page_bytes_ = *PageBytes(header).Number(16, 2);
    if (page_bytes_ == 1) page_bytes_ = 65536;
    if (page_bytes_ < 512 || !std::has_single_bit(page_bytes_)) return {};
    usable_bytes_ = page_bytes_ - *PageBytes(header).Number(20, 1);
    if (usable_bytes_ < 480) return {};
    // Pages that were named and not read yet; a loop ends at the most that are read.
    pages_ = {1};
    for (std::size_t i = 0; i < pages_.size() && i < kMostPages; ++i) ReadPage(pages_[i]);
    return std::move(names_);
  }

 private:
  void ReadPage(std::uint32_t number) {
    if (number == 0) return;
    page_.assign(page_bytes_, '\0');
    file_.clear();
    file_.seekg(static_cast<std::streamoff>((std::uint64_t{number} - 1) * page_bytes_));
    if (!file_.read(page_.data(), page_bytes_)) return;
    const PageBytes bytes(page_);
    const std::size_t start = number == 1 ? kHeaderBytes : 0;
    const std::uint32_t kind = *bytes.Number(start, 1);
    constexpr std::uint32_t kLeaf = 0x0d, kInterior = 0x05;
    if (kind != kLeaf && kind != kInterior) return;
    const std::uint32_t cells = *bytes.Number(start + 3, 2);
    const std::size_t pointers = start + (kind == kLeaf ? 8 : 12);
    for (std::size_t i = 0; i < cells; ++i) {
      const auto cell = bytes.Number(pointers + 2 * i, 2);
      if (!cell) return;
      if (kind == kLeaf) {
        AddRow(bytes, *cell);
      } else if (const auto child = bytes.Number(*cell, 4)) {
        AddPage(*child);
      }
    }
    if (kind == kInterior) AddPage(*bytes.Number(start + 8, 4));
  }

  void AddPage(std::uint32_t number) {
    if (pages_.size() < kMostPages) pages_.push_back(number);
  }

  void AddRow(const PageBytes& bytes, std::size_t at) {
    const auto size = bytes.TakeVarint(at);
    if (!size || !bytes.TakeVarint(at) || names_.size() >= kMostTables) return;
    const std::string_view name = NameOf(bytes.Part(at, LocalBytes(*size)));
    if (!name.empty() && !name.starts_with("sqlite_")) names_.emplace_back(name);
  }

  /// How much of a row of that size lies on its page; the rest is on others.
  std::uint64_t LocalBytes(std::uint64_t size) const {
    const std::uint64_t most = usable_bytes_ - 35;
    if (size <= most) return size;
    const std::uint64_t least = (usable_bytes_ - 12) * 32 / 255 - 23;
    const std::uint64_t local = least + (size - least) % (usable_bytes_ - 4);
    return local <= most ? local : least;
  }

  std::ifstream file_;
  std::uint32_t page_bytes_ = 0, usable_bytes_ = 0;
  std::string page_;
  std::vector<std::uint32_t> pages_;
  std::vector<std::string> names_;
};

}  // namespace

std::vector<std::string> SqliteTables(const std::filesystem::path& file) {
  return SchemaReader(file).Read();
}

}  // namespace xsp::importers
