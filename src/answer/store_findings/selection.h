#ifndef XSP_ANSWER_STORE_FINDINGS_SELECTION_H_
#define XSP_ANSWER_STORE_FINDINGS_SELECTION_H_

#include <filesystem>
#include <string>
#include <vector>

#include "core/result.h"
#include "store/catalogue.h"

namespace xsp::store_findings {

/// Which experiments of a store are wanted: those that fit all members. Empty: any.
struct Selection {
  std::string model;
  std::string backend;            ///< A part of a backend's name, in any case.
  std::string machine;            ///< As history::StoredPoint::machine; of one of its points.
  std::vector<std::string> tags;  ///< KEY or KEY=VALUE; all of them.
  std::string since, until;       ///< Beginnings of RFC 3339 dates, UTC; both included.
  std::string text;  ///< Words, each a part of name, model, backend, status or tags, in any case.
};

/// The experiments of `store`, newest first, also those that cannot be read. A machine is looked up
/// in the runs of the whole store. Errors: kEnvironment.
Result<std::vector<store::CatalogueEntry>> Select(const std::filesystem::path& store,
                                                  const Selection& selection);

}  // namespace xsp::store_findings

#endif  // XSP_ANSWER_STORE_FINDINGS_SELECTION_H_
