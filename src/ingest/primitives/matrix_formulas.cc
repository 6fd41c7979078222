// Convolution, deconvolution, inner product, matmul and recurrent layers.
#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <utility>

#include "ingest/primitives/eltwise.h"
#include "ingest/primitives/formulas.h"

namespace xsp::primitives {
namespace {

// Product of what the keys name; a dimension that the problem lacks (1-d, 2-d) counts as 1.
double Product(const KeyedProblem& problem, std::initializer_list<std::string_view> keys) {
  double product = 1;
  for (const std::string_view key : keys) product *= problem.Get(key, 1);
  return product;
}

bool HasAll(const KeyedProblem& problem, std::initializer_list<std::string_view> keys) {
  return std::all_of(keys.begin(), keys.end(),
                     [&](std::string_view key) { return problem.Find(key).has_value(); });
}

// The spatial dimensions that exist: prefix 'i' or 'o' and d, h, w.
void AppendOutputSpatial(const KeyedProblem& problem, char prefix, Dims& dims) {
  for (const char axis : {'d', 'h', 'w'}) {
    const char key[2] = {prefix, axis};
    if (const auto size = problem.Find(std::string_view(key, 2))) dims.push_back(*size);
  }
}

// Role without what tells gradients and fused parts apart: "diff_wei_layer" -> "wei_layer".
std::string_view BaseRole(std::string_view role) {
  if (role.starts_with("diff_")) role.remove_prefix(5);
  return role;
}

std::optional<Work> ConvolutionLike(const Announcement& announcement, bool transposed) {
  const auto problem = KeyedProblem::Parse(announcement.problem);
  if (!problem.has_value() || !HasAll(*problem, {"mb", "ic", "oc", "iw", "ow", "kw"}))
    return std::nullopt;
  const double groups = std::max(1.0, problem->Get("g", 1));
  const double mb = problem->Get("mb", 1);
  const double ic = problem->Get("ic", 1);
  const double oc = problem->Get("oc", 1);
  const double kernel = Product(*problem, {"kd", "kh", "kw"});
  const double input = Product(*problem, {"id", "ih", "iw"});
  const double output = Product(*problem, {"od", "oh", "ow"});
  Work work;
  // Each output (transposed: each input) point meets the whole kernel.
  work.flops = 2 * mb * oc * (ic / groups) * kernel * (transposed ? input : output);
  for (const Descriptor& descriptor : announcement.descriptors) {
    const std::string_view role = BaseRole(descriptor.role);
    double elements = 0;
    if (role == "src") elements = mb * ic * input;
    if (role == "wei") elements = oc * (ic / groups) * kernel;
    if (role == "bia") elements = oc;
    if (role == "dst") elements = mb * oc * output;
    work.elements.push_back(elements);
  }
  work.output = {mb, oc};
  AppendOutputSpatial(*problem, 'o', work.output);
  return work;
}

std::optional<Work> Convolution(const Announcement& a) { return ConvolutionLike(a, false); }
std::optional<Work> Deconvolution(const Announcement& a) { return ConvolutionLike(a, true); }

std::optional<Work> InnerProduct(const Announcement& announcement) {
  const auto problem = KeyedProblem::Parse(announcement.problem);
  if (!problem.has_value() || !HasAll(*problem, {"mb", "ic", "oc"})) return std::nullopt;
  const double mb = problem->Get("mb", 1);
  const double oc = problem->Get("oc", 1);
  const double inner = Product(*problem, {"ic", "id", "ih", "iw"});
  Work work;
  work.flops = 2 * mb * oc * inner;
  for (const Descriptor& descriptor : announcement.descriptors) {
    const std::string_view role = BaseRole(descriptor.role);
    double elements = 0;
    if (role == "src") elements = mb * inner;
    if (role == "wei") elements = oc * inner;
    if (role == "bia") elements = oc;
    if (role == "dst") elements = mb * oc;
    work.elements.push_back(elements);
  }
  work.output = {mb, oc};
  return work;
}

// Elements of a bias "f0_mask2" over the output; without a mask the last dimension's.
double BiasElements(const Descriptor& descriptor, const Dims& output) {
  const std::size_t at = descriptor.extra.find("_mask");
  const auto mask = at == std::string::npos
                        ? std::nullopt
                        : ParseDimension(std::string_view(descriptor.extra).substr(at + 5));
  if (!mask.has_value()) return output.back();
  double elements = 1;
  for (std::size_t i = 0; i < output.size(); ++i)
    if (std::fmod(std::floor(*mask / std::exp2(static_cast<double>(i))), 2) == 1)
      elements *= output[i];
  return elements;
}

std::optional<Work> Matmul(const Announcement& announcement) {
  const auto lists = ParseDimsList(announcement.problem);
  if (!lists.has_value() || lists->size() < 2) return std::nullopt;
  const Dims& source = (*lists)[0];
  const Dims& weights = (*lists)[1];
  const std::size_t rank = source.size();
  if (rank < 2 || weights.size() != rank || source[rank - 1] != weights[rank - 2])
    return std::nullopt;
  Work work;
  // Batch dimensions of 1 are broadcast.
  for (std::size_t i = 0; i + 2 < rank; ++i) {
    if (source[i] != weights[i] && source[i] != 1 && weights[i] != 1) return std::nullopt;
    work.output.push_back(source[i] == 1 ? weights[i] : source[i]);
  }
  work.output.push_back(source[rank - 2]);
  work.output.push_back(weights[rank - 1]);
  work.flops = 2 * Elements(work.output) * source[rank - 1];
  for (const Descriptor& descriptor : announcement.descriptors) {
    double elements = 0;
    if (descriptor.role == "src" || descriptor.role == "src_a") elements = Elements(source);
    if (descriptor.role == "wei" || descriptor.role == "src_b") elements = Elements(weights);
    if (descriptor.role == "bia") elements = BiasElements(descriptor, work.output);
    if (descriptor.role == "dst") elements = Elements(work.output);
    work.elements.push_back(elements);
  }
  return work;
}

struct Cell {
  std::string_view algorithm;
  double gates;
  double biases;             // Bias vectors per cell.
  double elementwise_flops;  // Per hidden unit and step, biases included.
};

// oneDNN developer guide, "RNN". Logistic counts 4 FLOP, tanh and relu 1, as in eltwise.cc.
//   rnn:  h = act(W x + U h + b)                        : bias 1, activation 1
//   lstm: 4 biases, 3 logistic, 2 tanh, c = f*c + i*g 3, h = o * tanh(c) 1
//   gru:  3 biases, 2 logistic, 1 tanh, r*h 1, u*h + (1-u)*c 4
//   lbr:  as gru and the inner bias 1;  augru: as gru and u = (1 - a) * u 2
constexpr std::array<Cell, 6> kCells = {{{"vanilla_rnn", 1, 1, 2},
                                         {"vanilla_lstm", 4, 4, 22},
                                         {"vanilla_gru", 3, 3, 17},
                                         {"lbr_gru", 3, 4, 18},
                                         {"vanilla_augru", 3, 3, 19},
                                         {"lbr_augru", 3, 4, 20}}};

struct Recurrent {
  double layers, steps, mb, sic, slc, dhc, dic, directions, outputs;
};

double RecurrentElements(std::string_view role, const Cell& cell, const Recurrent& r) {
  const double stacks = r.layers * r.directions;
  if (role == "src_layer") return r.steps * r.mb * r.slc;
  if (role == "src_iter") return stacks * r.mb * r.sic;
  if (role == "src_iter_c" || role == "dst_iter_c") return stacks * r.mb * r.dhc;
  if (role == "wei_layer") return stacks * r.slc * cell.gates * r.dhc;
  if (role == "wei_iter") return stacks * r.sic * cell.gates * r.dhc;
  if (role == "wei_peephole") return stacks * 3 * r.dhc;
  if (role == "wei_proj") return stacks * r.dhc * r.dic;
  if (role == "bias" || role == "bia") return stacks * cell.biases * r.dhc;
  if (role == "dst_layer") return r.steps * r.mb * r.dic * r.outputs;
  if (role == "dst_iter") return stacks * r.mb * r.dic;
  return 0;
}

std::optional<Work> RecurrentLayer(const Announcement& announcement) {
  const auto problem = KeyedProblem::Parse(announcement.problem);
  const std::string_view algorithm = FindOption(announcement.auxiliary, "alg");
  const auto cell = std::find_if(kCells.begin(), kCells.end(),
                                 [&](const Cell& c) { return c.algorithm == algorithm; });
  if (!problem.has_value() || !HasAll(*problem, {"l", "t", "mb", "sic", "slc", "dhc"}) ||
      cell == kCells.end())
    return std::nullopt;
  const std::string_view direction = FindOption(announcement.auxiliary, "direction");
  const bool both = direction.starts_with("bidirectional");
  Recurrent r{};
  r.layers = problem->Get("l", 1);
  r.steps = problem->Get("t", 1);
  r.mb = problem->Get("mb", 1);
  r.sic = problem->Get("sic", 1);
  r.slc = problem->Get("slc", 1);
  r.dhc = problem->Get("dhc", 1);
  r.dic = problem->Get("dic", r.dhc);
  r.directions = both ? 2 : 1;
  r.outputs = direction == "bidirectional_concat" ? 2 : 1;
  const bool projected =
      std::any_of(announcement.descriptors.begin(), announcement.descriptors.end(),
                  [](const Descriptor& d) { return d.role == "wei_proj"; });
  double matrix = 2 * cell->gates * r.dhc * (r.slc + r.sic);
  if (projected) matrix += 2 * r.dhc * r.dic;
  // Backward: the gradients of the data and of the weights are a product each.
  const double passes = IsBackward(announcement) ? 2 : 1;
  Work work;
  work.flops = r.layers * r.directions * r.steps * r.mb *
               (passes * matrix + cell->elementwise_flops * r.dhc);
  for (const Descriptor& descriptor : announcement.descriptors)
    work.elements.push_back(RecurrentElements(BaseRole(descriptor.role), *cell, r));
  work.output = {r.steps, r.mb, r.dic * r.outputs};
  return work;
}

constexpr std::array<std::pair<std::string_view, Formula>, 7> kMatrixFormulas = {
    {{"convolution", Convolution},
     {"deconvolution", Deconvolution},
     {"inner_product", InnerProduct},
     {"gemm_api", Matmul},  // dnnl_sgemm() and its like, as TensorFlow calls them.
     {"matmul", Matmul},
     {"gemm", Matmul},
     {"rnn", RecurrentLayer}}};

}  // namespace

Formula FindMatrixFormula(std::string_view kind) {
  for (const auto& [name, formula] : kMatrixFormulas)
    if (name == kind) return formula;
  return nullptr;
}

bool IsMatrixKind(std::string_view kind) { return FindMatrixFormula(kind) != nullptr; }

}  // namespace xsp::primitives
