#include <algorithm>
#include <array>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>

#include "pipeline/steps/step.h"

namespace xsp::pipeline {
namespace {

Status NeedsPixels(const Form& form) {
  if (form.kind == Form::kImage || form.kind == Form::kTensor) return Ok{};
  if (form.kind == Form::kRaw) {
    return BadInput("it needs an image, which `decode` makes", "put `decode` first");
  }
  return BadInput("it needs an image, not the output of `tokenise`");
}

/// How the elements of one image lie: element (c, i), i counting pixels.
struct Geometry {
  std::int64_t channels = 0;
  std::int64_t pixels = 0;
  std::int64_t channel_stride = 0;
  std::int64_t pixel_stride = 0;
};

Geometry GeometryOf(const State& state, const Tensor& tensor) {
  Geometry geometry;
  geometry.channels = tensor.shape[state.channels_first ? 0 : 2];
  geometry.pixels = *ElementCount(tensor.shape) / geometry.channels;
  geometry.channel_stride = state.channels_first ? geometry.pixels : 1;
  geometry.pixel_stride = state.channels_first ? 1 : geometry.channels;
  return geometry;
}

/// (value * scale - mean) / std in double precision, rounded once to float32.
class Normalise : public Step {
 public:
  std::vector<double> scale, mean, deviation;

  Status Follow(Form& form) const override {
    XSP_RETURN_IF_ERROR(NeedsPixels(form));
    const std::pair<const char*, const std::vector<double>*> lists[] = {
        {"scale", &scale}, {"mean", &mean}, {"std", &deviation}};
    for (const auto& [key, values] : lists) {
      if (values->size() > 1 && values->size() != static_cast<std::size_t>(form.channels)) {
        return BadInput(std::string(key) + " must be one value, or one for each channel: " +
                            std::to_string(values->size()) + " values, " +
                            std::to_string(form.channels) + " channels",
                        "", key);
      }
    }
    if (form.kind == Form::kTensor && form.dtype != Dtype::kUint8 &&
        form.dtype != Dtype::kFloat32) {
      return BadInput(std::string("it takes uint8 or float32: ") + core::DtypeName(form.dtype),
                      "put `cast` behind it");
    }
    form.kind = Form::kTensor;
    form.dtype = Dtype::kFloat32;
    return Ok{};
  }

  Status Run(State& state) const override {
    Tensor& tensor = state.AsTensor();
    Tensor result;
    result.shape = tensor.shape;
    const Geometry geometry = GeometryOf(state, tensor);
    result.data.resize(static_cast<std::size_t>(geometry.channels * geometry.pixels) *
                       sizeof(float));
    auto* out = reinterpret_cast<float*>(result.data.data());
    for (std::int64_t c = 0; c < geometry.channels; ++c) {
      if (tensor.dtype == Dtype::kUint8) {
        FromBytes(tensor.data.data(), geometry, c, out);
      } else {
        FromFloats(reinterpret_cast<const float*>(tensor.data.data()), geometry, c, out);
      }
    }
    tensor = std::move(result);
    return Ok{};
  }

 private:
  float Value(double value, std::int64_t channel) const {
    const auto of = [channel](const std::vector<double>& values) {
      return values[values.size() > 1 ? static_cast<std::size_t>(channel) : 0];
    };
    return static_cast<float>((value * of(scale) - of(mean)) / of(deviation));
  }

  void FromBytes(const std::uint8_t* in, const Geometry& geometry, std::int64_t channel,
                 float* out) const {
    std::array<float, 256> table;
    for (int value = 0; value < 256; ++value) table[value] = Value(value, channel);
    for (std::int64_t i = 0; i < geometry.pixels; ++i) {
      const std::int64_t at = channel * geometry.channel_stride + i * geometry.pixel_stride;
      out[at] = table[in[at]];
    }
  }

  void FromFloats(const float* in, const Geometry& geometry, std::int64_t channel,
                  float* out) const {
    for (std::int64_t i = 0; i < geometry.pixels; ++i) {
      const std::int64_t at = channel * geometry.channel_stride + i * geometry.pixel_stride;
      out[at] = Value(in[at], channel);
    }
  }
};

class ColourOrder : public Step {
 public:
  bool bgr = false;

  Status Follow(Form& form) const override {
    XSP_RETURN_IF_ERROR(NeedsPixels(form));
    if (form.channels != 3) return BadInput("a grey image has no order of colours");
    return Ok{};
  }

  Status Run(State& state) const override {
    if (!bgr) return Ok{};
    if (state.tensors.empty()) {
      std::uint8_t* pixel = state.image.pixels.data();
      const std::uint8_t* end = pixel + state.image.pixels.size();
      for (; pixel != end; pixel += 3) std::swap(pixel[0], pixel[2]);
      return Ok{};
    }
    Tensor& tensor = state.tensors[0];
    const Geometry geometry = GeometryOf(state, tensor);
    const auto size = static_cast<std::int64_t>(core::DtypeBytes(tensor.dtype));
    for (std::int64_t i = 0; i < geometry.pixels; ++i) {
      std::uint8_t* red = tensor.data.data() + i * geometry.pixel_stride * size;
      std::swap_ranges(red, red + size, red + 2 * geometry.channel_stride * size);
    }
    return Ok{};
  }
};

class Layout : public Step {
 public:
  bool channels_first = true;

  Status Follow(Form& form) const override {
    XSP_RETURN_IF_ERROR(NeedsPixels(form));
    form.kind = Form::kTensor;
    form.channels_first = channels_first;
    return Ok{};
  }

  Status Run(State& state) const override {
    Tensor& tensor = state.AsTensor();
    if (state.channels_first == channels_first) return Ok{};
    const Geometry from = GeometryOf(state, tensor);
    const std::int64_t height = tensor.shape[state.channels_first ? 1 : 0];
    const std::int64_t width = tensor.shape[state.channels_first ? 2 : 1];
    state.channels_first = channels_first;
    tensor.shape = channels_first ? std::vector<std::int64_t>{from.channels, height, width}
                                  : std::vector<std::int64_t>{height, width, from.channels};
    const Geometry to = GeometryOf(state, tensor);
    std::vector<std::uint8_t> data(tensor.data.size());
    switch (core::DtypeBytes(tensor.dtype)) {
      case 1:
        Transpose<std::uint8_t>(tensor.data, from, to, data);
        break;
      case 2:
        Transpose<std::uint16_t>(tensor.data, from, to, data);
        break;
      case 4:
        Transpose<std::uint32_t>(tensor.data, from, to, data);
        break;
      default:
        Transpose<std::uint64_t>(tensor.data, from, to, data);
    }
    tensor.data = std::move(data);
    return Ok{};
  }

 private:
  template <typename T>
  static void Transpose(const std::vector<std::uint8_t>& from_bytes, const Geometry& from,
                        const Geometry& to, std::vector<std::uint8_t>& to_bytes) {
    const auto* in = reinterpret_cast<const T*>(from_bytes.data());
    auto* out = reinterpret_cast<T*>(to_bytes.data());
    for (std::int64_t c = 0; c < from.channels; ++c) {
      for (std::int64_t i = 0; i < from.pixels; ++i) {
        out[c * to.channel_stride + i * to.pixel_stride] =
            in[c * from.channel_stride + i * from.pixel_stride];
      }
    }
  }
};

class CastStep : public Step {
 public:
  Dtype dtype = Dtype::kFloat32;

  Status Follow(Form& form) const override {
    if (form.kind == Form::kRaw) return BadInput("there is nothing to cast yet");
    if (form.kind == Form::kImage) form.kind = Form::kTensor;
    form.dtype = dtype;
    return Ok{};
  }

  Status Run(State& state) const override {
    if (state.tensors.empty()) state.AsTensor();
    for (Tensor& tensor : state.tensors) tensor = pipeline::Cast(tensor, dtype);
    return Ok{};
  }
};

}  // namespace

Tensor& State::AsTensor() {
  if (tensors.empty()) {
    Tensor tensor;
    tensor.dtype = Dtype::kUint8;
    tensor.shape = {image.height, image.width, image.channels};
    tensor.data = std::move(image.pixels);
    tensors.push_back(std::move(tensor));
    placement.input_width = image.width;
    placement.input_height = image.height;
    channels_first = false;
  }
  return tensors[0];
}

Status MakeNormalise(Parameters& parameters, const std::string&, std::unique_ptr<Step>& step) {
  auto made = std::make_unique<Normalise>();
  const auto read = [&](const char* key, std::vector<double>& values, double otherwise) {
    values = {otherwise};
    const bool one = parameters.Has(key) && parameters.Find(key)->is_number();
    parameters.Numbers(key, values, one ? 1 : 0);
    if (values.empty()) parameters.Fail(std::string(key) + " must not be empty", "", key);
  };
  read("scale", made->scale, 1);
  read("mean", made->mean, 0);
  read("std", made->deviation, 1);
  if (std::find(made->deviation.begin(), made->deviation.end(), 0.0) != made->deviation.end()) {
    parameters.Fail("std must not be 0", "", "std");
  }
  step = std::move(made);
  return Ok{};
}

Status MakeColourOrder(Parameters& parameters, const std::string&, std::unique_ptr<Step>& step) {
  auto made = std::make_unique<ColourOrder>();
  parameters.Choice<bool>("order", made->bgr, {{"rgb", false}, {"bgr", true}});
  step = std::move(made);
  return Ok{};
}

Status MakeLayout(Parameters& parameters, const std::string&, std::unique_ptr<Step>& step) {
  auto made = std::make_unique<Layout>();
  parameters.Choice<bool>("order", made->channels_first, {{"nchw", true}, {"nhwc", false}});
  step = std::move(made);
  return Ok{};
}

Status MakeCast(Parameters& parameters, const std::string&, std::unique_ptr<Step>& step) {
  auto made = std::make_unique<CastStep>();
  std::string name;
  parameters.Text("to", name, true);
  const std::optional<Dtype> dtype = core::DtypeNamed(name);
  if (dtype) {
    made->dtype = *dtype;
  } else {
    parameters.Fail("to must be an element type: " + ForMessage(name), core::DtypeNamesText(" or "),
                    "to");
  }
  step = std::move(made);
  return Ok{};
}

}  // namespace xsp::pipeline
