// Everything whose work grows with its elements: pooling, normalisation, element-wise kinds,
// copies.
#include <algorithm>
#include <array>
#include <utility>

#include "ingest/primitives/eltwise.h"
#include "ingest/primitives/formulas.h"

namespace xsp::primitives {
namespace {

constexpr double kFloatBytes = 4;  // Statistics and per-channel parameters are held as f32.

Work WithElements(const Announcement& announcement, Dims output, double per_descriptor) {
  Work work;
  work.output = std::move(output);
  work.elements.assign(announcement.descriptors.size(), per_descriptor);
  return work;
}

bool Has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

void AppendSpatial(const KeyedProblem& problem, char prefix, Dims& dims) {
  for (const char axis : {'d', 'h', 'w'}) {
    const char key[2] = {prefix, axis};
    if (const auto size = problem.Find(std::string_view(key, 2))) dims.push_back(*size);
  }
}

// Sets elements by role where source and destination differ in size.
void SetSourceAndOutput(const Announcement& announcement, double source, double output,
                        Work& work) {
  for (std::size_t i = 0; i < announcement.descriptors.size(); ++i) {
    const std::string& role = announcement.descriptors[i].role;
    work.elements[i] = role == "src" || role == "diff_src" ? source : output;
  }
}

// A window's work per output: one comparison or addition per element of it, padding included, and
// for an average one division. Backward scatters: the same additions for an average, one for a max.
std::optional<Work> Pooling(const Announcement& announcement) {
  const auto problem = KeyedProblem::Parse(announcement.problem);
  if (!problem.has_value() || !problem->Find("mb") || !problem->Find("ic") ||
      !problem->Find("iw") || !problem->Find("ow") || !problem->Find("kw"))
    return std::nullopt;
  Dims input = {problem->Get("mb", 1), problem->Get("ic", 1)};
  Dims output = input;
  AppendSpatial(*problem, 'i', input);
  AppendSpatial(*problem, 'o', output);
  const double window = problem->Get("kd", 1) * problem->Get("kh", 1) * problem->Get("kw", 1);
  const bool average = Has(announcement.auxiliary, "avg");
  Work work = WithElements(announcement, output, 0);
  SetSourceAndOutput(announcement, Elements(input), Elements(output), work);
  double per_output = window + (average ? 1 : 0);
  if (IsBackward(announcement) && !average) per_output = 1;
  work.flops = Elements(output) * per_output;
  return work;
}

// Linear interpolation between 2^d neighbours: a product each, and their sum.
std::optional<Work> Resampling(const Announcement& announcement) {
  const auto problem = KeyedProblem::Parse(announcement.problem);
  if (!problem.has_value() || !problem->Find("mb") || !problem->Find("ic") ||
      !problem->Find("iw") || !problem->Find("ow"))
    return std::nullopt;
  Dims input = {problem->Get("mb", 1), problem->Get("ic", 1)};
  Dims output = input;
  AppendSpatial(*problem, 'i', input);
  AppendSpatial(*problem, 'o', output);
  Work work = WithElements(announcement, output, 0);
  SetSourceAndOutput(announcement, Elements(input), Elements(output), work);
  double neighbours = 1;
  for (std::size_t i = 2; i < output.size(); ++i) neighbours *= 2;
  if (Has(announcement.auxiliary, "linear")) work.flops = Elements(output) * (2 * neighbours - 1);
  return work;
}

// "mb2ic32ih20iw20" (batch, group) or "2x20x32" (layer; older lines of all kinds).
std::optional<Dims> NormalisedDims(std::string_view problem_text) {
  if (auto dims = ParseDims(problem_text)) return dims;
  const auto problem = KeyedProblem::Parse(problem_text);
  if (!problem.has_value() || !problem->Find("mb") || !problem->Find("ic")) return std::nullopt;
  Dims dims = {problem->Get("mb", 1), problem->Get("ic", 1)};
  AppendSpatial(*problem, 'i', dims);
  return dims;
}

// Mean: 1 addition; variance: subtract, square, add.
constexpr double kStatisticsFlops = 4;

// Per element. Forward: scale and shift fold into one multiply-add per channel (2), and the
// statistics unless they are given. Backward: the sums of dy (1) and of dy * (x - mean) (3), and
// dx = a * (dy - b - (x - mean) * c) (4; a * dy where the statistics are given).
double ChannelNormFlops(bool backward, bool given_statistics) {
  if (backward) return given_statistics ? 5 : 8;
  return given_statistics ? 2 : 2 + kStatisticsFlops;
}

std::string_view Flags(const Announcement& announcement) {
  return FindOption(announcement.auxiliary, "flags");
}

std::optional<Work> ChannelNormalization(const Announcement& announcement) {
  const auto dims = NormalisedDims(announcement.problem);
  if (!dims.has_value() || dims->size() < 2) return std::nullopt;
  const std::string_view flags = Flags(announcement);
  const bool backward = IsBackward(announcement);
  const bool given = Has(flags, "G");
  const double elements = Elements(*dims);
  Work work = WithElements(announcement, *dims, elements);
  work.flops = elements * ChannelNormFlops(backward, given);
  if (Has(flags, "R")) work.flops += elements;      // Fused ReLU.
  if (Has(flags, "A")) work.flops += 2 * elements;  // Fused addition and ReLU.
  if (Has(flags, "A")) work.extra_read_bytes += elements * kFloatBytes;
  const double channels = (*dims)[1] * kFloatBytes;
  const double parameters =
      (Has(flags, "C") ? 1 : 0) + (Has(flags, "H") ? 1 : 0) + (Has(flags, "S") ? 2 : 0);
  work.extra_read_bytes += parameters * channels;
  if (backward) work.extra_write_bytes += parameters * channels;
  // Mean and variance: one per channel, or per group and image.
  double statistics = 2 * channels;
  if (announcement.kind == "group_normalization") {
    const auto problem = KeyedProblem::Parse(announcement.problem);
    const double groups = problem.has_value() ? problem->Get("g", 1) : 1;
    statistics = 2 * kFloatBytes * (*dims)[0] * groups;
  }
  if (given || backward)
    work.extra_read_bytes += statistics;
  else if (announcement.propagation == "forward_training")
    work.extra_write_bytes += statistics;
  return work;
}

// Rows of the last dimension. (x - mean) * r is 2, scale and shift 1 each; gradients as above.
std::optional<Work> LayerNormalization(const Announcement& announcement) {
  const auto dims = ParseDims(announcement.problem);
  if (!dims.has_value()) return std::nullopt;
  const std::string_view flags = Flags(announcement);
  const double elements = Elements(*dims);
  const double row = dims->back();
  const double rows = row > 0 ? elements / row : 0;
  const double parameters =
      (Has(flags, "C") ? 1 : 0) + (Has(flags, "H") ? 1 : 0) + (Has(flags, "S") ? 2 : 0);
  Work work = WithElements(announcement, *dims, elements);
  work.flops = elements * (2 + parameters + (Has(flags, "G") ? 0 : kStatisticsFlops));
  if (IsBackward(announcement)) work.flops = elements * ChannelNormFlops(true, Has(flags, "G"));
  for (std::size_t i = 0; i < announcement.descriptors.size(); ++i) {
    const std::string& role = announcement.descriptors[i].role;
    if (role == "stats") work.elements[i] = 2 * rows;
    if (role.ends_with("scale") || role.ends_with("shift")) work.elements[i] = row;
  }
  return work;
}

// Maximum, subtract, exp, sum, divide (log: subtract). Backward: y * (dy - sum(dy * y)).
std::optional<Work> Softmax(const Announcement& announcement) {
  const auto dims = ParseDims(announcement.problem);
  if (!dims.has_value()) return std::nullopt;
  Work work = WithElements(announcement, *dims, Elements(*dims));
  work.flops = Elements(*dims) * (IsBackward(announcement) ? 4 : 5);
  return work;
}

// y = x * (k + a/n * sum of squares over the window) ^ -b: square and add per window element, and
// 4 more. Backward needs the same sums twice.
std::optional<Work> LocalResponse(const Announcement& announcement) {
  const auto problem = KeyedProblem::Parse(announcement.problem);
  if (!problem.has_value() || !problem->Find("ls")) return std::nullopt;
  const auto dims = NormalisedDims(announcement.problem);
  if (!dims.has_value()) return std::nullopt;
  double window = problem->Get("ls", 1);
  if (Has(announcement.auxiliary, "within"))
    for (std::size_t i = 3; i < dims->size(); ++i) window *= problem->Get("ls", 1);
  Work work = WithElements(announcement, *dims, Elements(*dims));
  work.flops = Elements(*dims) * (2 * window + 4) * (IsBackward(announcement) ? 2 : 1);
  return work;
}

// "2x32x20x20", or in lines of 0.x and 1.x "mb2ic32ih20iw20".
std::optional<Work> Eltwise(const Announcement& announcement) {
  const auto dims = NormalisedDims(announcement.problem);
  const std::string_view algorithm = FindOption(announcement.auxiliary, "alg");
  const std::string_view alpha = FindOption(announcement.auxiliary, "alpha");
  const auto flops = EltwiseFlops(algorithm, !alpha.empty() && alpha != "0");
  if (!dims.has_value() || !flops.has_value()) return std::nullopt;
  Work work = WithElements(announcement, *dims, Elements(*dims));
  // Backward: the derivative costs about as much as the function; then times dy.
  work.flops = Elements(*dims) * (*flops + (IsBackward(announcement) ? 1 : 0));
  return work;
}

// Later lists of the problem are the operands in order; an operand that has none is as large as
// the output.
std::optional<Work> Binary(const Announcement& announcement) {
  const auto lists = ParseDimsList(announcement.problem);
  if (!lists.has_value()) return std::nullopt;
  Dims output = (*lists)[0];
  for (const Dims& dims : *lists) {
    if (dims.size() != output.size()) return std::nullopt;
    for (std::size_t i = 0; i < dims.size(); ++i) output[i] = std::max(output[i], dims[i]);
  }
  Work work = WithElements(announcement, output, Elements(output));
  work.flops = Elements(output);
  std::size_t source = 0;
  for (std::size_t i = 0; i < announcement.descriptors.size(); ++i)
    if (announcement.descriptors[i].role.starts_with("src") && source < lists->size())
      work.elements[i] = Elements((*lists)[source++]);
  return work;
}

std::optional<Work> PRelu(const Announcement& announcement) {
  const auto lists = ParseDimsList(announcement.problem);
  if (!lists.has_value() || lists->size() < 2) return std::nullopt;
  const double elements = Elements((*lists)[0]);
  Work work = WithElements(announcement, (*lists)[0], elements);
  // A comparison and a product; backward the gradients of data and weights.
  work.flops = elements * (IsBackward(announcement) ? 4 : 2);
  for (std::size_t i = 0; i < announcement.descriptors.size(); ++i)
    if (announcement.descriptors[i].role.ends_with("wei")) work.elements[i] = Elements((*lists)[1]);
  return work;
}

std::optional<Work> Sum(const Announcement& announcement) {
  const auto dims = ParseDims(
      std::string_view(announcement.problem).substr(0, announcement.problem.find_first_of(": ")));
  if (!dims.has_value()) return std::nullopt;
  const auto sources =
      std::count_if(announcement.descriptors.begin(), announcement.descriptors.end(),
                    [](const Descriptor& d) { return d.role.starts_with("src"); });
  Work work = WithElements(announcement, *dims, Elements(*dims));
  work.flops = Elements(*dims) * static_cast<double>(std::max<std::ptrdiff_t>(sources - 1, 0));
  return work;
}

std::optional<Work> Concat(const Announcement& announcement) {
  const auto lists = ParseDimsList(announcement.problem);
  if (!lists.has_value()) return std::nullopt;
  Work work = WithElements(announcement, {}, 0);
  const auto sources = static_cast<std::size_t>(
      std::count_if(announcement.descriptors.begin(), announcement.descriptors.end(),
                    [](const Descriptor& d) { return d.role.starts_with("src"); }));
  if (lists->size() < sources) return std::nullopt;
  double total = 0;
  for (std::size_t i = 0; i < sources; ++i) total += Elements((*lists)[i]);
  std::size_t source = 0;
  for (std::size_t i = 0; i < announcement.descriptors.size(); ++i)
    work.elements[i] =
        announcement.descriptors[i].role.starts_with("src") ? Elements((*lists)[source++]) : total;
  work.output = {total};
  return work;
}

// One operation per source element; a mean divides each result, a norm takes |x|^p and a root.
std::optional<Work> Reduction(const Announcement& announcement) {
  const auto lists = ParseDimsList(announcement.problem);
  if (!lists.has_value() || lists->size() < 2) return std::nullopt;
  const double source = Elements((*lists)[0]);
  const double output = Elements((*lists)[1]);
  Work work = WithElements(announcement, (*lists)[1], 0);
  SetSourceAndOutput(announcement, source, output, work);
  const bool norm = Has(announcement.auxiliary, "norm");
  const bool mean = Has(announcement.auxiliary, "mean");
  work.flops = source * (norm ? 2 : 1) + (norm || mean ? output : 0);
  return work;
}

// Moves data and converts types: no arithmetic.
std::optional<Work> Copy(const Announcement& announcement) {
  const auto dims = NormalisedDims(announcement.problem);
  if (!dims.has_value()) return std::nullopt;
  return WithElements(announcement, *dims, Elements(*dims));
}

constexpr std::array<std::pair<std::string_view, Formula>, 18> kElementFormulas = {
    {{"pooling", Pooling},
     {"pooling_v2", Pooling},
     {"resampling", Resampling},
     {"batch_normalization", ChannelNormalization},
     {"group_normalization", ChannelNormalization},
     {"layer_normalization", LayerNormalization},
     {"softmax", Softmax},
     {"softmax_v2", Softmax},
     {"logsoftmax", Softmax},
     {"lrn", LocalResponse},
     {"eltwise", Eltwise},
     {"binary", Binary},
     {"prelu", PRelu},
     {"sum", Sum},
     {"concat", Concat},
     {"reduction", Reduction},
     {"shuffle", Copy},
     {"reorder", Copy}}};

}  // namespace

Formula FindElementFormula(std::string_view kind) {
  for (const auto& [name, formula] : kElementFormulas)
    if (name == kind) return formula;
  return nullptr;
}

Formula FindFormula(std::string_view kind) {
  const Formula formula = FindMatrixFormula(kind);
  return formula != nullptr ? formula : FindElementFormula(kind);
}

}  // namespace xsp::primitives
