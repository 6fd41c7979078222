#include "alternatives.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <oneapi/dnnl/dnnl.hpp>
#include <set>
#include <stdexcept>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "ingest/primitives/problem.h"
#include "memory_layout.h"
#include "stopwatch.h"

namespace xsp::onednn_alternatives {
namespace {

using dnnl::algorithm;
using dnnl::memory;
using nlohmann::json;
using Sizes = memory::dims;
using DataType = memory::data_type;

constexpr int kMostImplementations = 6;  // The library orders them, usually the fastest first.
constexpr double kHopeless = 4;          // So many times slower than the best is measured briefly.
constexpr std::int64_t kWeightsBytes = 64 << 20;  // More than the caches of a few cores.

/// The operands of a primitive of any kind.
struct Operands {
  Sizes source, weights, bias, result;
  Sizes strides, dilations, padding, padding_end;  ///< Of convolutions.
};

std::invalid_argument NoProblem(const Primitive& primitive) {
  return std::invalid_argument(
      fmt::format("the problem cannot be read: {} {}", primitive.kind, primitive.problem));
}

Operands ConvolutionOperands(const Primitive& primitive) {
  const auto keys = primitives::KeyedProblem::Parse(primitive.problem);
  if (!keys) throw NoProblem(primitive);
  const auto get = [&](std::string_view key, double otherwise) {
    return static_cast<memory::dim>(keys->Get(key, otherwise));
  };
  Operands all;
  const memory::dim groups = get("g", 1), ic = get("ic", 0), oc = get("oc", 0);
  all.source = {get("mb", 1), ic};
  all.result = {get("mb", 1), oc};
  all.bias = {oc};
  if (groups < 1 || ic < 1 || oc < 1 || ic % groups != 0 || oc % groups != 0)
    throw NoProblem(primitive);
  if (groups > 1) all.weights.push_back(groups);
  all.weights.push_back(oc / groups);
  all.weights.push_back(ic / groups);
  for (const std::string dimension : {"d", "h", "w"}) {
    if (!keys->Find("i" + dimension)) continue;
    const memory::dim in = get("i" + dimension, 0), out = get("o" + dimension, 0);
    const memory::dim kernel = get("k" + dimension, 1), stride = get("s" + dimension, 1);
    const memory::dim dilation = get("d" + dimension, 0), pad = get("p" + dimension, 0);
    if (in < 1 || out < 1 || kernel < 1 || stride < 1) throw NoProblem(primitive);
    all.source.push_back(in);
    all.result.push_back(out);
    all.weights.push_back(kernel);
    all.strides.push_back(stride);
    all.dilations.push_back(dilation);
    all.padding.push_back(pad);
    all.padding_end.push_back((out - 1) * stride + (kernel - 1) * (dilation + 1) + 1 - in - pad);
  }
  if (all.strides.empty()) throw NoProblem(primitive);
  return all;
}

Operands InnerProductOperands(const Primitive& primitive) {
  const auto keys = primitives::KeyedProblem::Parse(primitive.problem);
  if (!keys || !keys->Find("ic") || !keys->Find("oc")) throw NoProblem(primitive);
  const auto get = [&](std::string_view key) {
    return static_cast<memory::dim>(keys->Get(key, 1));
  };
  Operands all;
  all.source = {get("mb"), get("ic")};
  all.weights = {get("oc"), get("ic")};
  all.bias = {get("oc")};
  all.result = {get("mb"), get("oc")};
  for (const std::string_view key : {"id", "ih", "iw"}) {
    if (!keys->Find(key)) continue;
    all.source.push_back(get(key));
    all.weights.push_back(get(key));
  }
  return all;
}

Operands ProductOperands(const Primitive& primitive) {
  const auto lists = primitives::ParseDimsList(primitive.problem);
  if (!lists || lists->size() < 2) throw NoProblem(primitive);
  const primitives::Dims &a = (*lists)[0], &b = (*lists)[1];
  const std::size_t rank = a.size();
  if (rank < 2 || b.size() != rank || a[rank - 1] != b[rank - 2]) throw NoProblem(primitive);
  Operands all;
  for (std::size_t i = 0; i < rank; ++i) {
    all.source.push_back(static_cast<memory::dim>(a[i]));
    all.weights.push_back(static_cast<memory::dim>(b[i]));
    if (i + 2 < rank && a[i] != b[i] && a[i] != 1 && b[i] != 1) throw NoProblem(primitive);
    all.result.push_back(static_cast<memory::dim>(i + 2 < rank ? std::max(a[i], b[i]) : a[i]));
  }
  all.result.back() = static_cast<memory::dim>(b.back());
  return all;
}

Operands OperandsOf(const Primitive& primitive) {
  Operands all = primitive.kind == "convolution"     ? ConvolutionOperands(primitive)
                 : primitive.kind == "inner_product" ? InnerProductOperands(primitive)
                                                     : ProductOperands(primitive);
  for (const Sizes* sizes : {&all.source, &all.weights, &all.result})
    if (std::ranges::any_of(*sizes, [](memory::dim size) { return size < 1; }))
      throw NoProblem(primitive);
  return all;
}

struct Types {
  DataType source, weights, bias, result;
};

Types TypesOf(std::string_view dtype, int output_bytes) {
  const bool wide = output_bytes == 4;
  if (dtype == "bfloat16")
    return {DataType::bf16, DataType::bf16, DataType::f32, wide ? DataType::f32 : DataType::bf16};
  if (dtype == "int8")
    return {DataType::u8, DataType::s8, DataType::f32, wide ? DataType::f32 : DataType::u8};
  return {DataType::f32, DataType::f32, DataType::f32, DataType::f32};
}

/// Random numbers of a type that neither vanish nor grow: every pattern of bits is a plain number.
void Fill(std::vector<char>& bytes, DataType type) {
  std::uint32_t state = 12345;
  const auto next = [&] { return state = state * 1664525 + 1013904223; };
  const std::size_t width = memory::data_type_size(type);
  const std::size_t pattern = std::min<std::size_t>(bytes.size() / width * width, 1 << 16);
  for (std::size_t at = 0; at + width <= pattern; at += width) {
    const float value = static_cast<float>(next() >> 8) / 16777216.0F - 0.5F;
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    if (width == 1) bits = next() >> 28;
    if (width == 2) bits >>= 16;
    std::memcpy(bytes.data() + at, &bits, width);
  }
  for (std::size_t at = pattern; pattern > 0 && at < bytes.size(); at += pattern)
    std::memcpy(bytes.data() + at, bytes.data(), std::min(pattern, bytes.size() - at));
}

dnnl::primitive_attr AttributesOf(const Primitive& primitive) {
  dnnl::post_ops operations;
  for (const std::string& name : primitive.post_ops) {
    if (name == "sum") operations.append_sum();
    if (name == "relu") operations.append_eltwise(algorithm::eltwise_relu, 0, 0);
    if (name == "clip") operations.append_eltwise(algorithm::eltwise_clip, 0, 6);
  }
  dnnl::primitive_attr attributes;
  attributes.set_post_ops(operations);
  return attributes;
}

struct Variant {
  std::string dtype, format, algorithm;
};

class Measurer {
 public:
  Measurer(const Primitive& primitive, double limit_s)
      : primitive_(primitive),
        operands_(OperandsOf(primitive)),
        end_(std::chrono::steady_clock::now() + std::chrono::duration<double>(limit_s)) {}

  json Measure() {
    std::vector<std::string> types = {primitive_.dtype};
    for (const char* type : {"float32", "bfloat16", "int8"})
      if (type != primitive_.dtype) types.emplace_back(type);
    const bool is_convolution = primitive_.kind == "convolution";
    std::vector<std::string> formats = {"plain", "channels_last", "any"};
    if (primitive_.kind == "matmul") formats = {"plain", "transposed", "any"};
    if (primitive_.kind == "inner_product" && operands_.source.size() < 3)
      formats = {"plain", "any"};
    for (const std::string& dtype : types)
      for (const std::string& format : formats) {
        // What is a result of another layer cannot be reordered once.
        if (format == "any" && primitive_.kind == "matmul" && operands_.weights.size() > 2)
          continue;
        Try({dtype, format, "auto"});
        if (!is_convolution) continue;
        Try({dtype, format, "direct"});
        Try({dtype, format, "winograd"});
      }
    return {{"alternatives", std::move(alternatives_)},
            {"not_available", std::move(not_available_)},
            {"complete", complete_}};
  }

 private:
  bool IsLate() {
    if (std::chrono::steady_clock::now() < end_) return false;
    complete_ = false;
    return true;
  }

  static memory::desc Describe(const Sizes& sizes, DataType type, const std::string& format) {
    if (format == "any") return {sizes, type, memory::format_tag::any};
    return {sizes, type,
            format == "channels_last" ? ChannelsLastStrides(sizes)
            : format == "transposed"  ? TransposedStrides(sizes)
                                      : PlainStrides(sizes)};
  }

  dnnl::primitive_desc Create(const Variant& variant) {
    const Types types =
        TypesOf(variant.dtype, variant.dtype == primitive_.dtype ? primitive_.output_bytes : 0);
    const dnnl::primitive_attr attributes = AttributesOf(primitive_);
    if (primitive_.kind == "matmul") {
      // Sources and results come and go in rows; only weights have a choice.
      const std::string own = variant.format == "any" ? "any" : variant.format;
      return dnnl::matmul::primitive_desc(
          engine_, Describe(operands_.source, types.source, "plain"),
          Describe(operands_.weights, types.weights, own),
          Describe(operands_.result, types.result, "plain"), attributes, true);
    }
    const memory::desc source = Describe(operands_.source, types.source, variant.format);
    const memory::desc weights = Describe(operands_.weights, types.weights, "any");
    const memory::desc bias = Describe(operands_.bias, types.bias, "plain");
    const memory::desc result = Describe(operands_.result, types.result, variant.format);
    if (primitive_.kind == "inner_product")
      return dnnl::inner_product_forward::primitive_desc(engine_,
                                                         dnnl::prop_kind::forward_inference, source,
                                                         weights, bias, result, attributes, true);
    const algorithm wanted = variant.algorithm == "winograd" ? algorithm::convolution_winograd
                             : variant.algorithm == "direct" ? algorithm::convolution_direct
                                                             : algorithm::convolution_auto;
    return dnnl::convolution_forward::primitive_desc(
        engine_, dnnl::prop_kind::forward_inference, wanted, source, weights, bias, result,
        operands_.strides, operands_.dilations, operands_.padding, operands_.padding_end,
        attributes, true);
  }

  void Reject(const Variant& variant, const std::string& reason) {
    not_available_.push_back({{"dtype", variant.dtype},
                              {"format", variant.format},
                              {"algorithm", variant.algorithm},
                              {"reason", reason}});
  }

  /// The implementations of one variant, those behind the first only of algorithm auto.
  void Try(const Variant& variant) {
    if (IsLate()) return;
    try {
      dnnl::primitive_desc description = Create(variant);
      if (!description.get(true)) return Reject(variant, "not implemented");
      bool found = false;
      for (int i = 0; i < kMostImplementations && !IsLate(); ++i) {
        const std::string name = description.impl_info_str();
        if (!name.starts_with("ref")) {
          found = true;
          MeasureOne(variant, name, description);
        }
        if (variant.algorithm != "auto" || !description.next_impl()) break;
      }
      if (!found && complete_) Reject(variant, "only a reference implementation");
    } catch (const dnnl::error& error) {
      Reject(variant, error.what());
    }
  }

  void MeasureOne(const Variant& variant, const std::string& name,
                  const dnnl::primitive_desc& description) {
    const memory::desc source = description.query_md(dnnl::query::src_md, 0);
    const memory::desc weights = description.query_md(dnnl::query::weights_md, 0);
    const memory::desc result = description.query_md(dnnl::query::dst_md, 0);
    const std::array<std::string, 3> layouts = {LayoutName(source), LayoutName(weights),
                                                LayoutName(result)};
    if (!seen_
             .insert(fmt::format("{}|{}|{}|{}|{}", variant.dtype, name, layouts[0], layouts[1],
                                 layouts[2]))
             .second)
      return;
    const CallTimes times = Time(variant, description);
    double& best_ns = best_ns_.try_emplace(variant.dtype, times.median_ns).first->second;
    best_ns = std::min(best_ns, times.median_ns);
    alternatives_.push_back({{"dtype", variant.dtype},
                             {"format", variant.format},
                             {"algorithm", variant.algorithm},
                             {"implementation", name},
                             {"source_layout", layouts[0]},
                             {"weights_layout", layouts[1]},
                             {"result_layout", layouts[2]},
                             {"best_ns", times.best_ns},
                             {"median_ns", times.median_ns},
                             {"repeats", times.repeats}});
  }

  CallTimes Time(const Variant& variant, const dnnl::primitive_desc& description) {
    const dnnl::primitive primitive(description);
    const memory::desc weights = description.query_md(dnnl::query::weights_md, 0);
    const std::size_t step = (weights.get_size() + 4095) / 4096 * 4096;
    const std::size_t copies =
        std::max<std::size_t>(1, kWeightsBytes / std::max<std::size_t>(step, 1));
    const DataType type = weights.get_data_type();
    if (weights_.size() < step * copies || weights_type_ != type) {
      weights_.resize(std::max<std::size_t>(step * copies, kWeightsBytes));
      Fill(weights_, type);
      weights_type_ = type;
    }
    std::vector<std::vector<char>> operands;
    std::unordered_map<int, memory> arguments;
    const auto add = [&](int argument, dnnl::query query, int index) {
      const memory::desc one = description.query_md(query, index);
      if (one.get_size() == 0) return;
      operands.emplace_back(one.get_size() + 64);
      Fill(operands.back(), one.get_data_type());
      char* const start = operands.back().data();
      char* const aligned = start + (64 - reinterpret_cast<std::uintptr_t>(start) % 64) % 64;
      arguments.emplace(argument, memory(one, engine_, aligned));
    };
    add(DNNL_ARG_SRC, dnnl::query::src_md, 0);
    if (primitive_.kind != "matmul") add(DNNL_ARG_BIAS, dnnl::query::weights_md, 1);
    add(DNNL_ARG_DST, dnnl::query::dst_md, 0);
    memory current(weights, engine_, weights_.data());
    arguments.emplace(DNNL_ARG_WEIGHTS, current);
    Budget budget;
    if (const auto best = best_ns_.find(variant.dtype); best != best_ns_.end())
      budget.hopeless_ns = kHopeless * best->second;
    return TimeCalls(
        [&](std::int64_t number) {
          current.set_data_handle(weights_.data() +
                                  step * (static_cast<std::size_t>(number) % copies));
          primitive.execute(stream_, arguments);
          stream_.wait();
        },
        budget);
  }

  const Primitive& primitive_;
  const Operands operands_;
  const std::chrono::time_point<std::chrono::steady_clock, std::chrono::duration<double>> end_;
  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
  std::vector<char> weights_;
  DataType weights_type_ = DataType::undef;
  std::set<std::string> seen_;
  std::unordered_map<std::string, double> best_ns_;
  json alternatives_ = json::array(), not_available_ = json::array();
  bool complete_ = true;
};

}  // namespace

std::optional<Primitive> PrimitiveFrom(const json& object) {
  if (!object.is_object()) return std::nullopt;
  Primitive primitive;
  for (const auto& [key, value] :
       {std::pair("kind", &primitive.kind), std::pair("problem", &primitive.problem),
        std::pair("dtype", &primitive.dtype)}) {
    if (!object.contains(key) || !object[key].is_string()) return std::nullopt;
    *value = object[key].get<std::string>();
  }
  const auto is_one_of = [](const std::string& text, std::initializer_list<const char*> all) {
    return std::ranges::any_of(all, [&](const char* one) { return text == one; });
  };
  if (!is_one_of(primitive.kind, {"convolution", "inner_product", "matmul"}) ||
      !is_one_of(primitive.dtype, {"float32", "bfloat16", "int8"}))
    return std::nullopt;
  for (const json& name : object.value("post_ops", json::array())) {
    if (!name.is_string() || !is_one_of(name.get<std::string>(), {"relu", "clip", "sum"}))
      return std::nullopt;
    primitive.post_ops.push_back(name.get<std::string>());
  }
  if (object.contains("output_bytes")) {
    if (!object["output_bytes"].is_number_integer()) return std::nullopt;
    primitive.output_bytes = object["output_bytes"].get<int>();
  }
  return primitive;
}

json MeasureAlternatives(const Primitive& primitive, double limit_s) {
  return Measurer(primitive, limit_s).Measure();
}

std::string LibraryName() {
  const dnnl_version_t* const version = dnnl_version();
  return fmt::format("oneDNN {}.{}.{}", version->major, version->minor, version->patch);
}

}  // namespace xsp::onednn_alternatives
