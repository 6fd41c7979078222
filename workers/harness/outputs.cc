#include "harness/outputs.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/float16.h"
#include "core/json_text.h"
#include "harness/job.h"

namespace xsp::worker {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// The header's length with its magic is a multiple of this (NumPy's NEP 1).
constexpr std::size_t kNpyAlignment = 64;

std::string NpyHeader(const xsp_worker_tensor& tensor) {
  std::string shape = "(";
  for (int i = 0; i < tensor.rank; ++i) shape += std::to_string(tensor.shape[i]) + ",";
  std::string text = std::string("{'descr': '") + core::NpyName(CoreDtype(tensor.dtype)) +
                     "', 'fortran_order': False, 'shape': " + shape + "), }";
  constexpr std::size_t kFixed = 10;  // Magic, version, length.
  while ((kFixed + text.size() + 1) % kNpyAlignment != 0) text += ' ';
  text += '\n';
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(text.size() & 0xffu);
  header += static_cast<char>(text.size() >> 8);
  return header + text;
}

std::vector<float> Widen(const xsp_worker_tensor& tensor) {
  const auto* from = static_cast<const std::uint16_t*>(tensor.data);
  std::vector<float> values(tensor.bytes / sizeof *from);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = core::FromBfloat16(from[i]);
  return values;
}

bool WriteTensor(const xsp_worker_tensor& tensor, const fs::path& path) {
  std::ofstream file(path, std::ios::binary);
  const std::string header = NpyHeader(tensor);
  file.write(header.data(), static_cast<std::streamsize>(header.size()));
  if (tensor.dtype == XSP_BFLOAT16) {
    const std::vector<float> values = Widen(tensor);
    file.write(reinterpret_cast<const char*>(values.data()),
               static_cast<std::streamsize>(values.size() * sizeof(float)));
  } else {
    file.write(static_cast<const char*>(tensor.data), static_cast<std::streamsize>(tensor.bytes));
  }
  file.close();
  return !file.fail();
}

}  // namespace

Status WriteOutputs(std::span<const xsp_worker_tensor> tensors, const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  json list = json::array();
  bool written = !error;
  for (std::size_t i = 0; i < tensors.size() && written; ++i) {
    const xsp_worker_tensor& tensor = tensors[i];
    const std::string name = std::to_string(i) + ".npy";
    written = WriteTensor(tensor, fs::path(folder) / name);
    list.push_back({{"name", tensor.name},
                    {"dtype", xsp_worker_dtype_name(tensor.dtype)},
                    {"shape", std::vector<std::int64_t>(tensor.shape, tensor.shape + tensor.rank)},
                    {"file", name}});
  }
  if (written) {
    std::ofstream file(fs::path(folder) / "outputs.json");
    file << core::AsciiJsonText(list, 1) << '\n';
    file.close();
    written = !file.fail();
  }
  if (written) return Ok{};
  return Error{ErrorKind::kEnvironment, "cannot write the model's results: " + folder,
               "check the folder, its permissions and the free space of the disk"};
}

}  // namespace xsp::worker
