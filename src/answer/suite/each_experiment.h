#ifndef XSP_ANSWER_SUITE_EACH_EXPERIMENT_H_
#define XSP_ANSWER_SUITE_EACH_EXPERIMENT_H_

#include <cstddef>
#include <functional>

#include "core/progress.h"
#include "core/result.h"

namespace xsp::suite {

/// Calls `work` with 0 ... count - 1, for several experiments at once, and tells `progress` how
/// many are done, from one thread at a time. Errors: the first of `work`; no new call begins then.
Status ForEachExperiment(std::size_t count, core::Progress& progress,
                         const std::function<Status(std::size_t)>& work);

}  // namespace xsp::suite

#endif  // XSP_ANSWER_SUITE_EACH_EXPERIMENT_H_
