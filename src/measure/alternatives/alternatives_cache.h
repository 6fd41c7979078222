#ifndef XSP_MEASURE_ALTERNATIVES_ALTERNATIVES_CACHE_H_
#define XSP_MEASURE_ALTERNATIVES_ALTERNATIVES_CACHE_H_

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "measure/alternatives/processor.h"

namespace xsp::alternatives {

/// One way to compute a primitive, and its time.
struct Alternative {
  std::string dtype;           ///< Others than that of the primitive give other results.
  std::string format;          ///< Of source and result: plain, channels_last, transposed, any.
  std::string algorithm;       ///< auto, direct, winograd; of devices as their library names it.
  std::string implementation;  ///< As the library names it.
  std::string source_layout, weights_layout, result_layout;  ///< Format tags: "aBcd16b".
  double best_ns = 0, median_ns = 0;
  std::int64_t repeats = 0;
};

/// What was measured of one primitive.
struct Measured {
  std::string library;      ///< "oneDNN 3.2.0"
  std::string measured_at;  ///< RFC 3339, UTC.
  bool complete = false;    ///< False: the time did not suffice for every alternative.
  std::vector<Alternative> alternatives;
};

nlohmann::json ToJson(const Measured& measured);

/// Nothing where it is damaged or has a time that cannot be.
std::optional<Measured> MeasuredFromJson(const nlohmann::json& object);

/// The fastest of a data type by its median; null: there is none.
const Alternative* FastestOf(const Measured& measured, const std::string& dtype);

/// What was measured on one kind of machine, by KeyOf(): a file in os::CacheFolder()/alternatives.
class AlternativesCache {
 public:
  /// Reads the file of a CPU model with so many cores, or of a GPU's name. A missing, damaged or
  /// older file is empty; damaged entries are left out.
  static AlternativesCache Read(const Processor& processor);

  /// Null: not there.
  const Measured* Find(const std::string& key) const;

  /// Adds it to what the file has by now (another process may have added to it) and writes the
  /// file. Errors: as os::WriteFileAtomically; it is found all the same.
  Status Add(const std::string& key, Measured measured);

  const std::filesystem::path& file() const { return file_; }

 private:
  void Load();

  nlohmann::json head_;  ///< What the file says besides the primitives.
  std::filesystem::path file_;
  std::map<std::string, Measured> entries_;
};

}  // namespace xsp::alternatives

#endif  // XSP_MEASURE_ALTERNATIVES_ALTERNATIVES_CACHE_H_
