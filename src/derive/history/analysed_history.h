#ifndef XSP_DERIVE_HISTORY_ANALYSED_HISTORY_H_
#define XSP_DERIVE_HISTORY_ANALYSED_HISTORY_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/result.h"
#include "derive/history/changes.h"
#include "derive/history/last_two.h"
#include "derive/history/series.h"

namespace xsp::history {

/// A history with what was found in it: by series, in their order.
struct AnalysedHistory {
  History history;
  std::vector<Changes> changes;
  std::vector<std::optional<LastTwo>> last_two;
};

/// Errors: as CompareLastTwo().
Result<AnalysedHistory> Analyse(History history, std::span<const CollectorSpec* const> collectors);

/// The segment of experiment `entry`.
std::size_t SegmentOf(const Changes& changes, std::size_t entry);

/// "xsp compare before after", of the points of two experiments.
std::string CompareCommand(const Entry& older, const Entry& newer);

/// "PyTorch, cpu, float32, batch 1, {"threads":2}, AMD EPYC, 2 threads", without what is the
/// default.
std::string TitleOf(const SeriesKey& key);

}  // namespace xsp::history

#endif  // XSP_DERIVE_HISTORY_ANALYSED_HISTORY_H_
