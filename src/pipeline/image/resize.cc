#include <algorithm>
#include <cmath>
#include <string>

#include "pipeline/image/image.h"

namespace xsp::pipeline {
namespace {

/// Bits of fraction of Pillow's 8 bit weights (libImaging/Resample.c): 32, less 8 for the pixel and
/// 2 for sums above 255.
constexpr int kPilBits = 22;

/// The weights of one axis: output i is the sum of weight[i * taps + k] * input[first[i] + k] over
/// k < count[i].
struct PilWeights {
  int taps = 0;
  std::vector<int> first;
  std::vector<int> count;
  std::vector<std::int32_t> weight;
};

/// libImaging/Resample.c, precompute_coeffs and normalize_coeffs_8bpc, for the triangle filter.
PilWeights WeightsOf(int from, int to) {
  const double scale = static_cast<double>(from) / to;
  const double filter_scale = std::max(scale, 1.0);
  const double support = filter_scale;
  PilWeights weights;
  weights.taps = static_cast<int>(std::ceil(support)) * 2 + 1;
  weights.first.resize(to);
  weights.count.resize(to);
  weights.weight.assign(static_cast<std::size_t>(to) * weights.taps, 0);
  std::vector<double> row(weights.taps);
  for (int i = 0; i < to; ++i) {
    const double centre = (i + 0.5) * scale;
    const int low = std::max(static_cast<int>(centre - support + 0.5), 0);
    const int count = std::min(static_cast<int>(centre + support + 0.5), from) - low;
    const double inverse = 1.0 / filter_scale;
    double sum = 0;
    for (int k = 0; k < count; ++k) {
      const double x = std::abs((k + low - centre + 0.5) * inverse);
      row[k] = x < 1.0 ? 1.0 - x : 0.0;
      sum += row[k];
    }
    for (int k = 0; k < count; ++k) {
      const double weight = sum != 0 ? row[k] / sum : row[k];
      weights.weight[static_cast<std::size_t>(i) * weights.taps + k] =
          static_cast<std::int32_t>(0.5 + weight * (1 << kPilBits));
    }
    weights.first[i] = low;
    weights.count[i] = count;
  }
  return weights;
}

std::uint8_t PilClip(std::int32_t sum) {
  return static_cast<std::uint8_t>(std::clamp(sum >> kPilBits, 0, 255));
}

void PilHorizontal(const Image& from, const PilWeights& weights, Image& to) {
  const int channels = from.channels;
  for (int y = 0; y < to.height; ++y) {
    const std::uint8_t* in = from.Row(y);
    std::uint8_t* out = to.Row(y);
    for (int x = 0; x < to.width; ++x) {
      const std::int32_t* weight = &weights.weight[static_cast<std::size_t>(x) * weights.taps];
      const std::uint8_t* first = in + static_cast<std::size_t>(weights.first[x]) * channels;
      std::int32_t sum[3] = {1 << (kPilBits - 1), 1 << (kPilBits - 1), 1 << (kPilBits - 1)};
      for (int k = 0; k < weights.count[x]; ++k) {
        for (int c = 0; c < channels; ++c) sum[c] += first[k * channels + c] * weight[k];
      }
      for (int c = 0; c < channels; ++c) *out++ = PilClip(sum[c]);
    }
  }
}

void PilVertical(const Image& from, const PilWeights& weights, Image& to) {
  const std::size_t row_bytes = to.RowBytes();
  std::vector<std::int32_t> sums(row_bytes);
  for (int y = 0; y < to.height; ++y) {
    std::fill(sums.begin(), sums.end(), 1 << (kPilBits - 1));
    for (int k = 0; k < weights.count[y]; ++k) {
      const std::int32_t weight = weights.weight[static_cast<std::size_t>(y) * weights.taps + k];
      const std::uint8_t* in = from.Row(weights.first[y] + k);
      for (std::size_t i = 0; i < row_bytes; ++i) sums[i] += in[i] * weight;
    }
    std::uint8_t* out = to.Row(y);
    for (std::size_t i = 0; i < row_bytes; ++i) out[i] = PilClip(sums[i]);
  }
}

Status ResizePil(const Image& from, int width, int height, Image& to) {
  const Image* wide = &from;
  Image between;
  // Pillow skips the pass of an axis whose extent stays.
  if (width != from.width) {
    XSP_RETURN_IF_ERROR(MakeImage(width, from.height, from.channels, between));
    PilHorizontal(from, WeightsOf(from.width, width), between);
    wide = &between;
  }
  if (height == from.height) {
    to = *wide;
    return Ok{};
  }
  XSP_RETURN_IF_ERROR(MakeImage(width, height, from.channels, to));
  PilVertical(*wide, WeightsOf(from.height, height), to);
  return Ok{};
}

/// Bits of fraction of OpenCV's 8 bit weights (INTER_RESIZE_COEF_BITS in imgproc/src/resize.cpp).
constexpr int kOpenCvOne = 1 << 11;

struct OpenCvTap {
  int low = 0;   ///< Index of the first neighbour.
  int high = 0;  ///< Index of the second one; clamped to the image.
  int low_weight = kOpenCvOne;
  int high_weight = 0;
};

/// The taps of one axis. OpenCV clamps the fraction at the borders of rows, and the neighbour's
/// index at those of columns: the same values come out, but for the rounding of the weights.
std::vector<OpenCvTap> TapsOf(int from, int to, bool clamp_fraction) {
  const double scale = 1.0 / (static_cast<double>(to) / from);
  std::vector<OpenCvTap> taps(to);
  for (int i = 0; i < to; ++i) {
    auto fraction = static_cast<float>((i + 0.5) * scale - 0.5);
    int low = static_cast<int>(std::floor(fraction));
    fraction -= static_cast<float>(low);
    if (clamp_fraction && low < 0) {
      low = 0;
      fraction = 0;
    }
    if (clamp_fraction && low >= from - 1) {
      low = from - 1;
      fraction = 0;
    }
    OpenCvTap& tap = taps[i];
    tap.low = std::clamp(low, 0, from - 1);
    tap.high = std::clamp(low + 1, 0, from - 1);
    tap.low_weight = static_cast<int>(std::nearbyint((1.0f - fraction) * kOpenCvOne));
    tap.high_weight = static_cast<int>(std::nearbyint(fraction * kOpenCvOne));
  }
  return taps;
}

void OpenCvRow(const std::uint8_t* in, const std::vector<OpenCvTap>& taps, int channels,
               std::vector<int>& out) {
  std::size_t o = 0;
  for (const OpenCvTap& tap : taps) {
    const std::uint8_t* low = in + static_cast<std::size_t>(tap.low) * channels;
    const std::uint8_t* high = in + static_cast<std::size_t>(tap.high) * channels;
    for (int c = 0; c < channels; ++c) {
      out[o++] = low[c] * tap.low_weight + high[c] * tap.high_weight;
    }
  }
}

Status ResizeOpenCv(const Image& from, int width, int height, Image& to) {
  XSP_RETURN_IF_ERROR(MakeImage(width, height, from.channels, to));
  const std::vector<OpenCvTap> columns = TapsOf(from.width, width, true);
  const std::vector<OpenCvTap> rows = TapsOf(from.height, height, false);
  std::vector<int> low(to.RowBytes());
  std::vector<int> high(to.RowBytes());
  int low_row = -1;
  int high_row = -1;
  for (int y = 0; y < height; ++y) {
    const OpenCvTap& tap = rows[y];
    if (tap.low == high_row && low_row != high_row) {
      std::swap(low, high);
      std::swap(low_row, high_row);
    }
    if (tap.low != low_row) OpenCvRow(from.Row(tap.low), columns, from.channels, low);
    if (tap.high != high_row) OpenCvRow(from.Row(tap.high), columns, from.channels, high);
    low_row = tap.low;
    high_row = tap.high;
    std::uint8_t* out = to.Row(y);
    for (std::size_t i = 0; i < low.size(); ++i) {
      const int sum =
          ((tap.low_weight * (low[i] >> 4)) >> 16) + ((tap.high_weight * (high[i] >> 4)) >> 16);
      out[i] = static_cast<std::uint8_t>(std::clamp((sum + 2) >> 2, 0, 255));
    }
  }
  return Ok{};
}

}  // namespace

Status Resize(const Image& from, int width, int height, ResizeLike like, Image& to) {
  if (width == from.width && height == from.height) {
    to = from;
    return Ok{};
  }
  if (width < 1 || height < 1) {
    return BadInput("an image needs a size above 0: " + std::to_string(width) + " x " +
                    std::to_string(height));
  }
  return like == ResizeLike::kPil ? ResizePil(from, width, height, to)
                                  : ResizeOpenCv(from, width, height, to);
}

}  // namespace xsp::pipeline
