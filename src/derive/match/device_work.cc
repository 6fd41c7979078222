// FLOPs and traffic of device kernels from the shapes of the operators that launched them.
#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "derive/match/operator_work.h"
#include "ingest/primitives/device_kernels.h"
#include "ingest/primitives/operators.h"

namespace xsp::match {
namespace {

using Kernels = std::vector<const KernelOfOperator*>;

/// What is known of a part of an operator's work.
struct Done {
  double flops = 0, read_bytes = 0, write_bytes = 0;

  void Add(const Done& other) {
    flops += other.flops;
    read_bytes += other.read_bytes;
    write_bytes += other.write_bytes;
  }
};

/// What is known of the work inside an operator, at any depth.
struct DoneInside {
  Done products, others;

  /// What of it is part of the operator's own cost: that of a product holds no other operators that
  /// are called on the way, as a bias that is added or copied.
  Done PartOf(bool is_product) const {
    Done part = products;
    if (!is_product) part.Add(others);
    return part;
  }
};

}  // namespace

bool OperatorWork::IsOnDevice(trace::SpanId kernel) const {
  const std::string_view type = kernel_run_.TypeOf(kernel);
  return type != trace::type::kNative && type != trace::type::kPrimitive;
}

primitives::Cost OperatorWork::Share(bool is_product, bool is_rest, primitives::Cost cost,
                                     const std::vector<const KernelOfOperator*>& kernels,
                                     std::vector<SharedWork>& shared) const {
  std::vector<primitives::DeviceKernel> named;
  named.reserve(kernels.size());
  for (const KernelOfOperator* kernel : kernels)
    named.push_back({kernel_run_.NameOf(kernel->span), kernel_run_.TypeOf(kernel->span)});
  const auto set_unit = [&](const primitives::DeviceKernel& kernel) {
    const bool multiplies =
        is_product && (!is_rest || primitives::PartOf(kernel) == primitives::KernelPart::kProduct);
    primitives::SetDeviceUnit(kernel.name, multiplies, cost);
  };
  if (const auto owner = primitives::OwnerOf(named, is_product)) {
    set_unit(named[*owner]);
    TakeEstimate(cost, *kernels[*owner]->work);
    return cost;
  }
  // The type and unit are those of the longest kernel that took part.
  SharedWork together{kernels.front()->layer, {}, {}};
  std::optional<std::size_t> longest;
  for (const std::size_t i : primitives::Participants(named, is_product)) {
    together.kernels.push_back(kernels[i]->work);
    if (!longest ||
        kernel_run_.DurationOf(kernels[i]->span) > kernel_run_.DurationOf(kernels[*longest]->span))
      longest = i;
  }
  if (!longest) return {};
  set_unit(named[*longest]);
  for (KernelWork* work : together.kernels) {
    work->dtype = cost.dtype;
    work->unit = cost.unit;
  }
  together.cost = cost;
  shared.push_back(std::move(together));
  return cost;
}

void OperatorWork::SetProblem(const std::string& problem, const Kernels& kernels) const {
  for (const KernelOfOperator* kernel : kernels) {
    const primitives::KernelPart part =
        primitives::PartOf({kernel_run_.NameOf(kernel->span), kernel_run_.TypeOf(kernel->span)});
    const bool is_its_own = kernel->work->flops || !kernel->work->unit.empty();
    if (is_its_own || part == primitives::KernelPart::kHelper) kernel->work->problem = problem;
  }
}

std::vector<SharedWork> OperatorWork::CompleteOnDevice(
    const std::vector<KernelOfOperator>& kernels) const {
  std::unordered_map<trace::SpanId, DoneInside> done;
  const auto add = [&](const std::vector<trace::SpanId>& around, bool is_product,
                       const Done& work) {
    for (const trace::SpanId at : around)
      (is_product ? done[at].products : done[at].others).Add(work);
  };
  // By depth and operator, the deepest first: what operators inside another did is known before it.
  std::map<std::pair<std::size_t, trace::SpanId>, Kernels, std::greater<>> lacking;
  for (const KernelOfOperator& kernel : kernels) {
    if (kernel.operator_span == 0) continue;
    const std::vector<trace::SpanId> around = OperatorsAround(kernel.operator_span);
    if (const KernelWork& work = *kernel.work; work.flops) {
      const primitives::KernelPart part =
          primitives::PartOf({kernel_run_.NameOf(kernel.span), kernel_run_.TypeOf(kernel.span)});
      add(around, part == primitives::KernelPart::kProduct,
          {*work.flops, work.read_bytes.value_or(0), work.write_bytes.value_or(0)});
    } else if (IsOnDevice(kernel.span)) {
      lacking[{around.size(), kernel.operator_span}].push_back(&kernel);
    }
  }
  std::vector<SharedWork> shared;
  while (!lacking.empty()) {
    const auto first = lacking.extract(lacking.begin());
    const auto [depth, at] = first.key();
    const Kernels& inside = first.mapped();
    const std::vector<trace::SpanId> around = OperatorsAround(at);
    const auto whole = WorkOf(at, inside.front()->layer);
    if (whole && whole->cost.status == primitives::CostStatus::kKnown) {
      const bool is_product = primitives::IsProduct(kernel_run_.TypeOf(at));
      const Done known = done[at].PartOf(is_product);
      const primitives::Cost cost = Share(
          is_product, known.flops > 0,
          primitives::WithoutKnown(whole->cost, known.flops, known.read_bytes, known.write_bytes),
          inside, shared);
      if (known.flops == 0) SetProblem(whole->problem, inside);
      add(around, is_product, {cost.flops, cost.read_bytes, cost.write_bytes});
    } else if (around.size() > 1) {
      Kernels& of_parent = lacking[{depth - 1, around[1]}];
      of_parent.insert(of_parent.end(), inside.begin(), inside.end());
    }
  }
  return shared;
}

}  // namespace xsp::match
