#ifndef XSP_ANSWER_SUITE_ROOFLINES_CHART_H_
#define XSP_ANSWER_SUITE_ROOFLINES_CHART_H_

#include "answer/suite/answer.h"
#include "answer/suite/rooflines/workloads.h"

namespace xsp::suite::rooflines {

/// True when the workload has a place on logarithmic axes.
bool CanBeDrawn(const Workload& workload);

/// The workloads, which are the rows of the table "workloads", under their roofs. At least one can
/// be drawn.
Chart ChartOf(const Suite& suite);

}  // namespace xsp::suite::rooflines

#endif  // XSP_ANSWER_SUITE_ROOFLINES_CHART_H_
