#ifndef XSP_STORE_METADATA_H_
#define XSP_STORE_METADATA_H_

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace xsp::store {

/// What experiment.json says of an experiment besides what the store adds (name, created,
/// format_version, xsp_version). Text need not be UTF-8.
struct ExperimentMetadata {
  std::string kind = {};                     ///< import, monitor, record or run
  std::string model = {};                    ///< What was measured, as people call it.
  std::string backend = {};                  ///< Frameworks, with their versions.
  std::string status = {};                   ///< done, partial or interrupted
  std::string command = {};                  ///< The command line.
  std::vector<std::string> conditions = {};  ///< Sentences on what else the machine did.
  nlohmann::json details = {};               ///< An object: what only this kind of experiment has.
};

/// What run.json says of a run besides what the store adds (format_version, clock.origin, facts,
/// spans, diagnostics). Text need not be UTF-8.
struct RunMetadata {
  std::string rung = {};
  std::string status = {};                   ///< done, interrupted or failed
  std::string message = {};                  ///< What went wrong; empty: nothing.
  std::string started = {};                  ///< RFC 3339, UTC; empty: not known.
  std::vector<std::string> conditions = {};  ///< Sentences on what else the machine did.
  nlohmann::json stack = {};    ///< Facts of the hardware and software; null: another machine's.
  nlohmann::json details = {};  ///< An object: what only this kind of run has.
};

/// JSON objects, without what is empty; bytes that are no UTF-8 become U+FFFD.
std::string ToJson(const ExperimentMetadata& metadata);
std::string ToJson(const RunMetadata& metadata);

}  // namespace xsp::store

#endif  // XSP_STORE_METADATA_H_
