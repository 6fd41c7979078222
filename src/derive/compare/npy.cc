#include "derive/compare/npy.h"

#include <fmt/format.h>

#include <charconv>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "core/dtype.h"
#include "core/float16.h"
#include "os/files.h"

namespace xsp::compare {
namespace {

constexpr std::size_t kMagicBytes = 8;

Error Damaged(const std::filesystem::path& path, std::string_view what) {
  return {ErrorKind::kBadInput, fmt::format("NPY file is damaged: {}: {}", what, path.string()),
          ""};
}

template <typename T>
void Convert(std::string_view bytes, std::vector<float>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    T value;
    std::memcpy(&value, bytes.data() + i * sizeof value, sizeof value);
    values[i] = static_cast<float>(value);
  }
}

void ConvertHalf(std::string_view bytes, std::vector<float>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::uint16_t half;
    std::memcpy(&half, bytes.data() + 2 * i, sizeof half);
    values[i] = static_cast<float>(core::FromFloat16(half));
  }
}

struct Type {
  core::Dtype dtype;
  void (*convert)(std::string_view, std::vector<float>&);
};

constexpr Type kTypes[] = {
    {core::Dtype::kFloat32, Convert<float>},      {core::Dtype::kFloat64, Convert<double>},
    {core::Dtype::kFloat16, ConvertHalf},         {core::Dtype::kInt64, Convert<std::int64_t>},
    {core::Dtype::kInt32, Convert<std::int32_t>}, {core::Dtype::kInt16, Convert<std::int16_t>},
    {core::Dtype::kInt8, Convert<std::int8_t>},   {core::Dtype::kUint8, Convert<std::uint8_t>},
    {core::Dtype::kBool, Convert<std::uint8_t>},
};

/// What stands after `'key': ` in the header's dictionary.
std::string_view Field(std::string_view header, std::string_view key) {
  const std::string quoted = fmt::format("'{}':", key);
  const std::size_t at = header.find(quoted);
  if (at == std::string_view::npos) return {};
  header.remove_prefix(at + quoted.size());
  while (header.starts_with(' ')) header.remove_prefix(1);
  return header;
}

std::optional<std::vector<std::int64_t>> ParseShape(std::string_view text) {
  if (!text.starts_with('(')) return std::nullopt;
  std::vector<std::int64_t> shape;
  const char* at = text.data() + 1;
  const char* end = text.data() + text.size();
  while (at != end && *at != ')') {
    std::int64_t size = 0;
    const auto [next, error] = std::from_chars(at, end, size);
    if (error != std::errc() || size < 0) return std::nullopt;
    shape.push_back(size);
    at = next;
    while (at != end && (*at == ',' || *at == ' ')) ++at;
  }
  return at == end ? std::nullopt : std::optional(shape);
}

}  // namespace

Result<Tensor> ReadNpy(const std::filesystem::path& path) {
  XSP_TRY(const std::string text, os::ReadFile(path));
  const std::string_view file = text;
  if (!file.starts_with("\x93NUMPY") || file.size() < kMagicBytes + 4)
    return Damaged(path, "no NPY magic");
  const std::size_t length_bytes = file[6] == 1 ? 2 : 4;
  std::uint32_t length = 0;
  std::memcpy(&length, file.data() + kMagicBytes, length_bytes);
  const std::size_t start = kMagicBytes + length_bytes + length;
  if (start > file.size()) return Damaged(path, "its header is cut");
  const std::string_view header = file.substr(kMagicBytes + length_bytes, length);
  const auto shape = ParseShape(Field(header, "shape"));
  if (!shape) return Damaged(path, "its shape cannot be read");
  if (!Field(header, "fortran_order").starts_with("False"))
    return Damaged(path, "it is not in C order");
  const std::string_view descr = Field(header, "descr").substr(0, 5);
  for (const Type& type : kTypes) {
    if (descr != fmt::format("'{}'", core::NpyName(type.dtype))) continue;
    std::size_t count = 1;
    for (const std::int64_t size : *shape) {
      if (__builtin_mul_overflow(count, static_cast<std::size_t>(size), &count))
        return Damaged(path, "its shape is too large");
    }
    if (count > (file.size() - start) / core::DtypeBytes(type.dtype))
      return Damaged(path, "its data are cut");
    Tensor tensor{*shape, std::vector<float>(count)};
    type.convert(file.substr(start), tensor.values);
    return tensor;
  }
  return Damaged(path, fmt::format("its element type is not known: {}", descr));
}

}  // namespace xsp::compare
