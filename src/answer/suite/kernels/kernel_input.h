#ifndef XSP_ANSWER_SUITE_KERNELS_KERNEL_INPUT_H_
#define XSP_ANSWER_SUITE_KERNELS_KERNEL_INPUT_H_

#include <string>
#include <vector>

#include "answer/suite/kernels/classes.h"
#include "answer/suite/suite_command.h"
#include "core/result.h"

namespace xsp::suite::kernels {

/// What the sources hold: kernels by name, or tables of classes that somebody made.
struct KernelInput {
  std::vector<Observed> observed;
  Summary published;  ///< Of tables of classes; empty where there are none.
  bool is_published = false;
  std::string provenance;            ///< Of the columns.
  std::vector<std::string> methods;  ///< Where it is from, and what was done with it.
};

/// Reads `names`: files of tables, data sets, experiments and runs of the store; none: every
/// experiment of the store. `book` tells the kinds of published classes. Errors: kBadInput (no such
/// source; a table without the columns that it needs, numbers that are text or below zero, shares
/// above 100 % together, a class that stands twice; tables of classes beside kernels, which cannot
/// be joined; an empty store).
Result<KernelInput> ReadSources(const CommandContext& context,
                                const std::vector<std::string>& names, const RuleBook& book);

}  // namespace xsp::suite::kernels

#endif  // XSP_ANSWER_SUITE_KERNELS_KERNEL_INPUT_H_
