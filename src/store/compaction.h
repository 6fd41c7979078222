#ifndef XSP_STORE_COMPACTION_H_
#define XSP_STORE_COMPACTION_H_

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>

#include "core/result.h"

namespace xsp::store {

/// What compaction found in an experiment, and did.
struct Compaction {
  std::size_t tables = 0;     ///< Files of tables that can become smaller.
  std::uint64_t bytes = 0;    ///< Of these.
  std::size_t rewritten = 0;  ///< Of these, how many take less room now.
  std::uint64_t saved_bytes = 0;
};

struct CompactionRequest {
  bool plan = false;                                  ///< Only counts.
  std::function<bool()> stop = [] { return false; };  ///< Asked before each table.
};

/// Writes the tables of an experiment of `store` anew where they take less room so: the same rows
/// in the same order and row groups, with the encodings of Parquet's second version and stronger
/// compression. A new file takes the place of the old one in one step, after it was read back and
/// compared row by row; readers see the one or the other. Files that were written by this before,
/// and those of less than 8 KiB, are passed by. In a mirror the experiment is fetched, and is then
/// for the next push. Two at once do no harm. Errors: as FindExperiment(); kBadInput (a table is
/// damaged), kEnvironment (disk full, not writable).
Result<Compaction> CompactExperiment(const std::filesystem::path& store, std::string_view name,
                                     const CompactionRequest& request = {});

}  // namespace xsp::store

#endif  // XSP_STORE_COMPACTION_H_
