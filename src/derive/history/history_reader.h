#ifndef XSP_DERIVE_HISTORY_HISTORY_READER_H_
#define XSP_DERIVE_HISTORY_HISTORY_READER_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/result.h"
#include "derive/history/series.h"

namespace xsp::history {

/// Which experiments are wanted. Empty: any.
struct Selection {
  std::string model;
  Metric metric = {};
  std::vector<std::string> backends;  ///< Each a part of a backend's name, in any case.
  std::vector<std::string> devices;
  std::vector<std::string> precisions;
  std::vector<std::int64_t> batches;
  std::string since;              ///< The beginning of an RFC 3339 date in UTC: "2026-11-01".
  std::vector<std::string> tags;  ///< KEY or KEY=VALUE; all of them.
  std::string now;                ///< RFC 3339; empty: the current time.
};

/// Every point of `selection` in `store`, by series. Reads one JSON file of each experiment and
/// one more of each point, and the tables of all by one statement each. What cannot be read, or
/// vanishes meanwhile, is left out with the reason. Errors: kBadInput (no such model, layer or
/// selection, with what there is), kEnvironment (the store cannot be read).
Result<History> ReadHistory(const std::filesystem::path& store, const Selection& selection);

}  // namespace xsp::history

#endif  // XSP_DERIVE_HISTORY_HISTORY_READER_H_
