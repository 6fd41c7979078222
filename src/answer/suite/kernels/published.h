#ifndef XSP_ANSWER_SUITE_KERNELS_PUBLISHED_H_
#define XSP_ANSWER_SUITE_KERNELS_PUBLISHED_H_

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "answer/suite/kernels/classes.h"
#include "answer/suite/kernels/columns.h"
#include "answer/suite/kernels/rules.h"
#include "core/result.h"

namespace xsp::suite::kernels {

/// Puts tables of classes that somebody made together: of all kernels, by workload, and of numbers
/// of kernels. What a table does not say is kMissing. Errors of all three: kBadInput (a class or
/// workload without a name, one that stands twice, shares that cannot be).
class PublishedClasses {
 public:
  /// `book` tells the kinds of classes; it is borrowed.
  explicit PublishedClasses(const RuleBook& book) : book_(book) {}

  /// Classes with their times. One such table: shares of several are of different totals.
  Status AddClasses(const Columns& columns);
  /// Shares and calls of classes in each workload.
  Status AddShares(const Columns& columns);
  /// Numbers of kernels of classes in each workload.
  Status AddUnique(const Columns& columns);

  bool empty() const { return !any_; }
  /// All of it, longest first; to be called once.
  Summary Take();

 private:
  using Pair = std::pair<std::string, std::string>;  ///< Class and workload.

  /// KindOf(), each class once: it tries every rule.
  const std::string& KindAt(const std::string& kernel_class);
  ClassInWorkload& PairAt(const Pair& key);
  WorkloadSums& WorkloadAt(const std::string& name);
  void AddRest(double time_ms);

  const RuleBook& book_;
  Summary summary_;
  bool any_ = false;
  std::string classes_from_;  ///< The table of classes; empty: none yet.
  std::map<std::string, std::string> kinds_;
  std::map<Pair, std::size_t> pairs_;
  std::map<std::string, std::size_t> workloads_;
  std::map<Pair, std::string> shares_at_;  ///< Where each was read.
  std::map<Pair, std::string> unique_at_;
  std::map<std::string, std::vector<std::pair<std::string, double>>> holders_;
};

}  // namespace xsp::suite::kernels

#endif  // XSP_ANSWER_SUITE_KERNELS_PUBLISHED_H_
