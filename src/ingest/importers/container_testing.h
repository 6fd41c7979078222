#ifndef XSP_INGEST_IMPORTERS_CONTAINER_TESTING_H_
#define XSP_INGEST_IMPORTERS_CONTAINER_TESTING_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ingest/importers/sqlite_tables.h"

namespace xsp::importers {

inline constexpr std::size_t kTestPageBytes = 512;

inline void PutBigEndian(std::string& bytes, std::size_t at, std::size_t size,
                         std::uint32_t value) {
  for (std::size_t i = size; i-- > 0; value >>= 8) bytes[at + i] = static_cast<char>(value);
}

/// A row of the schema table (type, name, tbl_name, rootpage, sql) as a cell of a leaf. Numbers
/// below 128 are varints of one byte.
inline std::string DatabaseCell(const std::string& type, const std::string& name, int row) {
  const auto text = [](const std::string& value) {
    return static_cast<char>(13 + 2 * value.size());
  };
  const std::string sql = "CREATE";
  const std::string header = {6, text(type), text(name), text(name), 1, text(sql)};
  const std::string payload = header + type + name + name + '\2' + sql;
  return std::string{static_cast<char>(payload.size()), static_cast<char>(row)} + payload;
}

/// A page of a table's B-tree; the first page has the file's header in front of it.
inline std::string DatabasePage(bool is_first, bool is_leaf, const std::vector<std::string>& cells,
                                std::uint32_t right_child = 0) {
  std::string page(kTestPageBytes, '\0');
  const std::size_t start = is_first ? 100 : 0;
  if (is_first) {
    page.replace(0, kSqliteMagic.size(), kSqliteMagic);
    PutBigEndian(page, 16, 2, kTestPageBytes);
    PutBigEndian(page, 56, 4, 1);  // UTF-8.
  }
  page[start] = is_leaf ? 0x0d : 0x05;
  PutBigEndian(page, start + 3, 2, static_cast<std::uint32_t>(cells.size()));
  if (!is_leaf) PutBigEndian(page, start + 8, 4, right_child);
  std::size_t end = kTestPageBytes;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    end -= cells[i].size();
    page.replace(end, cells[i].size(), cells[i]);
    PutBigEndian(page, start + (is_leaf ? 8 : 12) + 2 * i, 2, static_cast<std::uint32_t>(end));
  }
  return page;
}

inline void PutLittleEndian(std::string& bytes, std::size_t at, std::size_t size,
                            std::size_t value) {
  for (std::size_t i = 0; i < size; ++i, value >>= 8) bytes[at + i] = static_cast<char>(value);
}

/// An archive of these members; what they hold is not looked at.
inline std::string Archive(const std::vector<std::string>& names, const std::string& comment = "") {
  std::string archive = "PK\3\4 contents";
  const std::size_t start = archive.size();
  for (const std::string& name : names) {
    std::string entry(46, '\0');
    entry.replace(0, 4, "PK\1\2");
    PutLittleEndian(entry, 28, 2, name.size());
    PutLittleEndian(entry, 30, 2, 3);
    archive += entry + name + "xtr";
  }
  std::string end(22, '\0');
  end.replace(0, 4, "PK\5\6");
  PutLittleEndian(end, 12, 4, archive.size() - start);
  PutLittleEndian(end, 16, 4, start);
  PutLittleEndian(end, 20, 2, comment.size());
  return archive + end + comment;
}

}  // namespace xsp::importers

#endif  // XSP_INGEST_IMPORTERS_CONTAINER_TESTING_H_
