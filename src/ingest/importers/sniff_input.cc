#include "ingest/importers/sniff_input.h"

#include "ingest/importers/sqlite_tables.h"
#include "ingest/importers/zip_members.h"

namespace xsp::importers {

const std::vector<std::string>& SniffInput::tables() const {
  if (!tables_) {
    tables_.emplace();
    if (first_bytes_.starts_with(kSqliteMagic)) tables_ = SqliteTables(file_);
  }
  return *tables_;
}

const std::vector<std::string>& SniffInput::members() const {
  if (!members_) {
    members_.emplace();
    if (first_bytes_.starts_with(kZipMagic)) members_ = ZipMembers(file_);
  }
  return *members_;
}

}  // namespace xsp::importers
