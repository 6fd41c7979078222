#include "api/operations/ideal_alternatives.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <string_view>
#include <utility>

#include "derive/compare/kernel_role.h"
#include "measure/alternatives/alternatives_program.h"

namespace xsp::api {
namespace {

using alternatives::Alternative;
using alternatives::Measured;
using nlohmann::json;

// One primitive has a dozen alternatives, each measured for a tenth of a second.
constexpr double kLimitOfOneSeconds = 30;

bool IsOnGpu(const compare::LayerKernel& kernel) {
  return kernel.type != "primitive" && kernel.type != "native";
}

/// "reorder", "convolution"; of a GPU's kernels the kind follows from the problem.
std::string KindOfKernel(const compare::LayerKernel& kernel) {
  if (IsOnGpu(kernel))
    return kernel.problem.find("ic") != std::string::npos ? "convolution" : "matmul";
  if (kernel.type != "primitive") return {};
  return kernel.name.substr(0, kernel.name.find(' '));
}

/// As the library names it, else the function; CUTLASS has one, whose first argument is the name.
std::string ImplementationOf(const compare::LayerKernel& kernel) {
  if (!kernel.implementation.empty()) return kernel.implementation;
  const std::string_view function = compare::FunctionOf(kernel.name);
  const std::size_t open = kernel.name.find('<');
  if (!function.starts_with("cutlass") || open == std::string::npos) return std::string(function);
  return kernel.name.substr(open + 1, kernel.name.find_first_of("<>,", open + 1) - open - 1);
}

/// Of a GPU, a kernel that multiplies and does not state its problem has alternatives that are not
/// known; every other kernel without a problem has none.
alternatives::WorkOrReason WorkOfKernel(const compare::LayerKernel& kernel) {
  if (IsOnGpu(kernel) && kernel.problem.empty())
    return {std::nullopt, compare::KernelRole(kernel.name) == "product"
                              ? "shapes or attributes are not recorded"
                              : ""};
  return alternatives::WorkOf({IsOnGpu(kernel), KindOfKernel(kernel), kernel.problem, kernel.dtype,
                               kernel.layer_type, kernel.flops, kernel.read_bytes,
                               kernel.write_bytes, kernel.precision});
}

json AlternativeJson(const Alternative& one, double ran_ns) {
  return {{"dtype", one.dtype},
          {"format", one.format},
          {"algorithm", one.algorithm},
          {"implementation", one.implementation},
          {"source_layout", one.source_layout},
          {"weights_layout", one.weights_layout},
          {"result_layout", one.result_layout},
          {"best_ns", one.best_ns},
          {"median_ns", one.median_ns},
          {"repeats", one.repeats},
          {"speedup", ran_ns / one.median_ns}};
}

}  // namespace

PointAlternatives::PointAlternatives(const std::vector<compare::LayerKernel>& kernels,
                                     const alternatives::Processor& processor)
    : processor_(processor), cache_(alternatives::AlternativesCache::Read(processor)) {
  std::vector<const compare::LayerKernel*> helpers;
  for (const compare::LayerKernel& kernel : kernels) {
    // What computes on the other processor is no primitive of this one.
    if (IsOnGpu(kernel) != processor.is_gpu)
      layers_[kernel.layer_index].others_ns += kernel.duration_ns;
    else if (processor.is_gpu && !kernel.problem.empty() && !kernel.flops)
      helpers.push_back(&kernel);
    else
      AddKernel(kernel);
  }
  AddHelpers(helpers);
}

void PointAlternatives::AddKernel(const compare::LayerKernel& kernel) {
  LayerParts& layer = layers_[kernel.layer_index];
  const std::string kind = KindOfKernel(kernel);
  const alternatives::WorkOrReason found = WorkOfKernel(kernel);
  if (!found.work && found.reason.empty()) {
    (kind == "reorder" ? layer.reorders_ns : layer.others_ns) += kernel.duration_ns;
    return;
  }
  LayerParts::Calls& calls = layer.primitives[AddCall(kernel, kind, found)];
  ++calls.count;
  calls.total_ns += kernel.duration_ns;
}

std::size_t PointAlternatives::AddCall(const compare::LayerKernel& kernel, const std::string& kind,
                                       const alternatives::WorkOrReason& found) {
  const std::string key =
      found.work ? alternatives::KeyOf(*found.work, processor_)
                 : fmt::format("{} {} {}: {}", kind, kernel.problem, kernel.dtype, found.reason);
  const auto [at, is_new] = index_.try_emplace(key, all_.size());
  if (is_new) {
    Distinct& added = all_.emplace_back();
    added.work = found.work;
    added.reason = found.reason;
    added.kind = kind;
    added.problem = kernel.problem;
    added.dtype = found.work ? found.work->dtype : kernel.dtype;
  }
  Distinct& distinct = all_[at->second];
  ++distinct.kernels;
  distinct.total_ns += kernel.duration_ns;
  if (kernel.duration_ns > distinct.longest_ns) {
    distinct.longest_ns = kernel.duration_ns;
    distinct.layer = kernel.layer;
    distinct.implementation = ImplementationOf(kernel);
  }
  return at->second;
}

void PointAlternatives::AddHelpers(const std::vector<const compare::LayerKernel*>& helpers) {
  for (const compare::LayerKernel* helper : helpers) {
    LayerParts& layer = layers_[helper->layer_index];
    const auto helped = std::ranges::find_if(layer.primitives, [&](const auto& entry) {
      return all_[entry.first].problem == helper->problem;
    });
    if (helped == layer.primitives.end()) {
      AddKernel(*helper);
      continue;
    }
    helped->second.total_ns += helper->duration_ns;
    all_[helped->first].total_ns += helper->duration_ns;
  }
}

bool PointAlternatives::has_work() const {
  return std::ranges::any_of(all_, [](const Distinct& one) { return one.work.has_value(); });
}

const Measured* PointAlternatives::Known(const Distinct& distinct) const {
  return distinct.work ? cache_.Find(alternatives::KeyOf(*distinct.work, processor_)) : nullptr;
}

Status PointAlternatives::Measure(const AlternativesOptions& options, core::Progress& progress) {
  const int wake_fd = options.interrupts != nullptr ? options.interrupts->wake_fd() : -1;
  XSP_TRY(const auto program, alternatives::AlternativesProgram::Find(processor_.is_gpu));
  XSP_TRY(const int unit, program.UnitOf(processor_, wake_fd));
  std::vector<const Distinct*> missing;
  for (const Distinct& one : all_) {
    if (!one.work) continue;
    const Measured* known = Known(one);
    if (options.again || known == nullptr || !known->complete ||
        known->library != program.library())
      missing.push_back(&one);
  }
  std::ranges::stable_sort(missing, std::greater<>(), &Distinct::total_ns);
  const auto now = [] { return std::chrono::steady_clock::now(); };
  const auto start = now();
  bool is_cached = true;
  for (std::size_t i = 0; i < missing.size(); ++i) {
    const double spent_s = std::chrono::duration<double>(now() - start).count();
    const double left_s = options.time_limit_s - spent_s;
    if (left_s <= 0 || (options.interrupts != nullptr && options.interrupts->stop())) break;
    const Distinct& one = *missing[i];
    const double fraction = static_cast<double>(i) / static_cast<double>(missing.size());
    progress.Step(fmt::format("alternatives of {} {}", one.work->kind, one.work->problem), fraction,
                  i == 0 ? -1 : std::min(left_s, spent_s / fraction - spent_s));
    auto measured = program.Measure(*one.work, unit, std::min(left_s, kLimitOfOneSeconds), wake_fd);
    if (!measured.ok()) {
      if (measured.error().kind == ErrorKind::kInterrupted) break;
      if (measured.error().kind != ErrorKind::kNotPossible) return measured.error();
      ++refused_;
      continue;
    }
    const Status added =
        cache_.Add(alternatives::KeyOf(*one.work, processor_), std::move(measured).value());
    if (!added.ok() && std::exchange(is_cached, false))
      progress.Note("alternatives are not cached: " + added.error().what);
    ++measured_now_;
  }
  return Ok{};
}

std::optional<LayerAlternative> PointAlternatives::TimeOfLayer(std::int64_t layer_index,
                                                               double layer_ns) const {
  const auto found = layers_.find(layer_index);
  if (found == layers_.end()) return std::nullopt;
  LayerAlternative layer;
  const LayerParts& parts = found->second;
  double saved_ns = parts.reorders_ns, least_ns = parts.others_ns, longest_ns = 0;
  for (const auto& [index, calls] : parts.primitives) {
    const Measured* known = Known(all_[index]);
    const Alternative* fastest =
        known != nullptr ? alternatives::FastestOf(*known, all_[index].work->dtype) : nullptr;
    const double time_ns =
        fastest != nullptr
            ? std::min(fastest->median_ns * static_cast<double>(calls.count), calls.total_ns)
            : calls.total_ns;
    saved_ns += calls.total_ns - time_ns;
    least_ns += time_ns;
    if (fastest == nullptr || calls.total_ns <= longest_ns) continue;
    longest_ns = calls.total_ns;
    layer.main = fastest;
    layer.library = known->library;
  }
  if (layer.main == nullptr) return std::nullopt;
  // Kernels and layers were timed in different runs: the difference must not undercut the parts.
  layer.time_ns = std::max(layer_ns - saved_ns, least_ns);
  return layer;
}

json PointAlternatives::DistinctJson(const Distinct& distinct, const Measured* measured) {
  const double ran_ns = distinct.total_ns / static_cast<double>(distinct.kernels);
  json object = {{"kind", distinct.kind},
                 {"problem", distinct.problem},
                 {"dtype", distinct.dtype},
                 {"layer", distinct.layer},
                 {"kernels", distinct.kernels},
                 {"implementation", distinct.implementation},
                 {"measured_ns", ran_ns},
                 {"total_ns", distinct.total_ns},
                 {"post_ops", distinct.work ? json(distinct.work->post_ops) : json()},
                 {"reason", distinct.reason.empty() ? json() : json(distinct.reason)},
                 {"library", nullptr},
                 {"measured_at", nullptr},
                 {"complete", nullptr},
                 {"fastest", nullptr},
                 {"alternatives", nullptr}};
  if (measured == nullptr) return object;
  object["library"] = measured->library;
  object["measured_at"] = measured->measured_at;
  object["complete"] = measured->complete;
  if (const Alternative* fastest = alternatives::FastestOf(*measured, distinct.dtype))
    object["fastest"] = AlternativeJson(*fastest, ran_ns);
  object["alternatives"] = json::array();
  for (const Alternative& one : measured->alternatives)
    object["alternatives"].push_back(AlternativeJson(one, ran_ns));
  return object;
}

json PointAlternatives::PrimitivesJson() const {
  std::vector<const Distinct*> sorted;
  for (const Distinct& one : all_) sorted.push_back(&one);
  std::ranges::stable_sort(sorted, std::greater<>(), &Distinct::total_ns);
  json array = json::array();
  for (const Distinct* one : sorted) array.push_back(DistinctJson(*one, Known(*one)));
  return array;
}

json PointAlternatives::SummaryJson() const {
  std::int64_t known = 0, left = 0;
  for (const Distinct& one : all_)
    if (one.work) ++(Known(one) != nullptr ? known : left);
  return {{"known", known},
          {"measured_now", measured_now_},
          {"left", left - refused_},
          {"refused", refused_}};
}

}  // namespace xsp::api
