#ifndef XSP_ANSWER_SUITE_KERNELS_CLASSES_H_
#define XSP_ANSWER_SUITE_KERNELS_CLASSES_H_

#include <string>
#include <utility>
#include <vector>

#include "answer/suite/data_frame.h"
#include "answer/suite/kernels/rules.h"

namespace xsp::suite::kernels {

/// A DRAM transaction, the unit in which the published tables count traffic, in bytes.
inline constexpr double kTransactionBytes = 32;

/// Sums over kernels. Each rate rests on the kernels that have what it needs, never on zeros that
/// stand for what is not known. kMissing: known of none.
struct Sums {
  double time_ms = 0;
  double calls = 0;
  double unique_kernels = 0;  ///< Kernels of different names.
  double flops = kMissing;
  double bytes = kMissing;
  double flops_time_ms = 0;  ///< Time of the kernels whose FLOPs are known.
  double paired_flops = 0;   ///< FLOPs of the kernels whose bytes are known too,
  double paired_bytes = 0;   ///< and their bytes.

  void Add(const Sums& other);
  /// FLOPs per byte; kMissing where no kernel has both, or no bytes were moved.
  double FlopsPerByte() const;
  /// FLOPs / time, in Gflop/s.
  double GflopsPerSecond() const;
  double Transactions() const { return bytes / kTransactionBytes; }
};

/// All calls of one kernel in one workload.
struct Observed {
  std::string workload;
  std::string name;
  std::string type;  ///< As kernel.type; empty: not known.
  Sums sums;         ///< unique_kernels is 1.
};

struct ClassSums {
  std::string kernel_class;  ///< kNotClassed for what no rule fits.
  std::string kind;          ///< Empty: not known.
  Sums sums;
  double percent = 0;  ///< Of all kernel time.
};

struct ClassInWorkload {
  std::string kernel_class;
  std::string kind;
  std::string workload;
  double time_ms = kMissing;
  double percent = 0;  ///< Of the workload's kernel time; kMissing: a table does not say it.
  double calls = 0;
  double unique_kernels = kMissing;  ///< Kernels of different names, as below.
};

struct WorkloadSums {
  std::string workload;
  double time_ms = kMissing;
  double calls = 0;
  double unique_kernels = kMissing;
  double classed_percent = 0;
};

struct NamedKernel {
  std::string workload;  ///< Empty: of several.
  std::string kernel_class;
  std::string name;
  std::string library;
  double time_ms = 0;
  double calls = 0;
  double percent = 0;  ///< Of all kernel time.
};

inline constexpr const char* kNotClassed = "(not classed)";

/// Kernels of many workloads, in classes. Longest first, but what is not classed last.
struct Summary {
  double time_ms = 0;  ///< All kernels, also those of no class.
  std::vector<ClassSums> classes;
  std::vector<std::pair<std::string, Sums>> libraries;  ///< Empty name: no rule tells it.
  std::vector<ClassInWorkload> in_workloads;
  std::vector<WorkloadSums> workloads;  ///< In the order of input.
  std::vector<NamedKernel> not_classed;
  std::vector<NamedKernel> only_in_one;  ///< Kernels, or classes, that one workload alone has.
};

/// Classes what was observed. A kernel (name and type) that several workloads have counts as one in
/// unique_kernels of a class.
Summary Summarise(const std::vector<Observed>& observed, const RuleBook& book);

/// The total of which the times are best these shares, in per cent: least squares of share - 100
/// time / total, so that the largest times, whose rounded shares say most, decide. Rows whose share
/// is missing count nothing; without any share the sum of the times.
double ImpliedTotal(const std::vector<std::pair<double, double>>& time_and_percent);

/// The kind of the first rule whose class can be called `kernel_class`; empty: none.
std::string KindOf(const RuleBook& book, const std::string& kernel_class);

}  // namespace xsp::suite::kernels

#endif  // XSP_ANSWER_SUITE_KERNELS_CLASSES_H_
