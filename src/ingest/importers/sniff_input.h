#ifndef XSP_INGEST_IMPORTERS_SNIFF_INPUT_H_
#define XSP_INGEST_IMPORTERS_SNIFF_INPUT_H_

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace xsp::importers {

inline constexpr std::size_t kSniffBytes = std::size_t{256} << 10;

/// What may be known of a file before an importer reads it. Lists are read from the file when they
/// are first asked for, once, and only if its first bytes are of such a file; they are bounded, and
/// what is damaged is left out. One thread.
class SniffInput {
 public:
  /// `first_bytes`: at most kSniffBytes of the file, unpacked if it is gzip; borrowed. Without
  /// `file` there are no lists.
  explicit SniffInput(std::string_view first_bytes, std::filesystem::path file = {})
      : first_bytes_(first_bytes), file_(std::move(file)) {}

  std::string_view first_bytes() const { return first_bytes_; }
  std::string file_name() const { return file_.filename().string(); }

  /// Tables and views of an SQLite database (SqliteTables()); empty: it is none.
  const std::vector<std::string>& tables() const;
  /// Members of a ZIP archive (ZipMembers()); empty: it is none.
  const std::vector<std::string>& members() const;

 private:
  std::string_view first_bytes_;
  std::filesystem::path file_;
  mutable std::optional<std::vector<std::string>> tables_, members_;
};

}  // namespace xsp::importers

#endif  // XSP_INGEST_IMPORTERS_SNIFF_INPUT_H_
