#ifndef XSP_ANSWER_SUITE_REPORT_WORKLOAD_PLACES_H_
#define XSP_ANSWER_SUITE_REPORT_WORKLOAD_PLACES_H_

#include <string>
#include <vector>

#include "answer/suite/answer.h"

namespace xsp::suite::report {

/// Where a workload lies among those of another suite.
struct Place {
  std::string workload;
  std::string nearest;              ///< Of the other suite.
  double distance = 0;              ///< To it, see PlacesAmong().
  std::vector<std::string> beyond;  ///< Metrics in which it lies outside the other suite's range.
};

/// Metrics that both tables of workload vectors (of `xsp suite vectors`: first a column `workload`)
/// have by one name and unit, with a value in at least one row of each.
std::vector<std::string> SharedMetrics(const Table& own, const Table& other);

/// The place of each workload of `own` among those of `other`: metrics are divided by the standard
/// deviation (n - 1) over `other`; the distance is the root mean square of the differences over the
/// metrics that both workloads have, so that one with gaps is not nearer for it. Workloads that
/// share no metric with any of `other` have no place.
std::vector<Place> PlacesAmong(const Table& own, const Table& other);

}  // namespace xsp::suite::report

#endif  // XSP_ANSWER_SUITE_REPORT_WORKLOAD_PLACES_H_
