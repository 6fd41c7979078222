#include "measure/models/model_format.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string_view>
#include <vector>

namespace xsp::models {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kHead = 4096;
/// An archive's list of members lies at its end, before a comment of at most 64 KiB.
constexpr std::uint64_t kTail = (64 + 4) << 10, kMostListed = 16 << 20;

constexpr const char* kExportTorch =
    "Export it: torch.jit.trace(model, example).save(\"model.pt\"), or "
    "torch.onnx.export(model, (example,), \"model.onnx\").";
constexpr const char* kExportKeras =
    "Export it: keras.models.load_model(FILE).export(\"FOLDER\"), and give the folder.";

std::string ReadPart(const fs::path& path, std::uint64_t from, std::uint64_t size) {
  std::ifstream file(path, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(from));
  std::string part(size, '\0');
  file.read(part.data(), static_cast<std::streamsize>(size));
  part.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
  return part;
}

std::uint64_t Little(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint64_t value = 0;
  for (std::size_t i = size; i-- > 0;)
    value = value << 8 | static_cast<unsigned char>(at + i < bytes.size() ? bytes[at + i] : 0);
  return value;
}

/// Names of the members of a zip archive (APPNOTE 4.3); empty: it is damaged.
std::vector<std::string> MembersOf(const fs::path& path) {
  std::error_code error;
  const std::uint64_t size = fs::file_size(path, error);
  if (error) return {};
  const std::uint64_t from = size > kTail ? size - kTail : 0;
  const std::string tail = ReadPart(path, from, size - from);
  const std::size_t end = tail.rfind("PK\x05\x06");
  if (end == std::string::npos) return {};
  std::uint64_t listed = Little(tail, end + 12, 4), start = Little(tail, end + 16, 4);
  if (const std::size_t large = tail.rfind("PK\x06\x06"); large != std::string::npos) {
    listed = Little(tail, large + 40, 8);
    start = Little(tail, large + 48, 8);
  }
  if (listed > kMostListed || start > size) return {};
  const std::string list = ReadPart(path, start, listed);
  std::vector<std::string> members;
  for (std::size_t at = 0; std::string_view(list).substr(at).starts_with("PK\x01\x02");) {
    const std::size_t name = Little(list, at + 28, 2);
    members.push_back(list.substr(std::min(at + 46, list.size()), name));
    at += 46 + name + Little(list, at + 30, 2) + Little(list, at + 32, 2);
    if (at >= list.size()) break;
  }
  return members;
}

bool HasMember(const std::vector<std::string>& members, std::string_view part) {
  return std::any_of(members.begin(), members.end(),
                     [&](const std::string& name) { return name.find(part) != std::string::npos; });
}

ModelFormat OfArchive(const fs::path& path) {
  const auto members = MembersOf(path);
  if (HasMember(members, "/constants.pkl") && HasMember(members, "/code/"))
    return {"torchscript", "torch", "", ""};
  if (HasMember(members, "data/aotinductor/")) return {"aotinductor", "torch", "", ""};
  if (HasMember(members, "models/model.json") || HasMember(members, "serialized_exported_program"))
    return {"", "", "an exported program of torch.export",
            "Compile it: torch._inductor.aoti_compile_and_package(torch.export.load(FILE), "
            "package_path=\"model.pt2\"). Or: torch.onnx.export(torch.export.load(FILE), ...)."};
  if (HasMember(members, "/data.pkl") || HasMember(members, "data.pkl"))
    return {"", "", "a checkpoint of torch.save (weights or a pickled module, without its code)",
            std::string("Build the model in Python and load it. ") + kExportTorch};
  if (HasMember(members, "model.weights.h5") || HasMember(members, "config.json"))
    return {"", "", "a Keras file", kExportKeras};
  return {};
}

ModelFormat OfEnding(const std::string& ending) {
  struct Known {
    const char *ending, *name, *own_worker;
  };
  constexpr Known kKnown[] = {
      {".onnx", "onnx", "onnxruntime"},      {".pt", "torchscript", "torch"},
      {".pth", "torchscript", "torch"},      {".ts", "torchscript", "torch"},
      {".jit", "torchscript", "torch"},      {".torchscript", "torchscript", "torch"},
      {".pb", "frozen_graph", "tensorflow"}, {".tflite", "tflite", "openvino"},
      {".xml", "openvino", "openvino"},      {".pdmodel", "paddle", "openvino"},
  };
  for (const Known& known : kKnown)
    if (ending == known.ending) return {known.name, known.own_worker, "", ""};
  return {};
}

/// The first field of the message is an integer (field 1): 0 otherwise.
std::uint64_t FirstInteger(std::string_view head) {
  return head.size() > 1 && head[0] == 0x08 ? static_cast<unsigned char>(head[1]) : 0;
}

}  // namespace

ModelFormat FormatOfModel(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) {
    const bool saved =
        fs::exists(path / "saved_model.pb", error) || fs::exists(path / "saved_model.pbtxt", error);
    return saved ? ModelFormat{"tensorflow", "tensorflow", "", ""} : ModelFormat{};
  }
  const std::string head = ReadPart(path, 0, kHead);
  const std::string ending = path.extension().string();
  if (head.starts_with("PK\x03\x04")) {
    ModelFormat archive = OfArchive(path);
    return archive.name.empty() && archive.what.empty() ? OfEnding(ending) : archive;
  }
  if (head.starts_with("\x89HDF")) return {"", "", "an HDF5 file of Keras", kExportKeras};
  if (head.starts_with("GGUF"))
    return {"", "", "a GGUF file of llama.cpp",
            "Record the program that runs it: xsp record -- llama-cli -m FILE ..."};
  if (head.starts_with("\x80\x02"))
    return {"", "", "a pickled checkpoint of torch.save",
            std::string("Build the model in Python and load it. ") + kExportTorch};
  if (head.size() > 9 && head[8] == '{' && Little(head, 0, 8) < (std::uint64_t{1} << 32) &&
      ending == ".safetensors")
    return {"", "", "weights alone (safetensors), without a model",
            std::string("Build the model in Python and load them. ") + kExportTorch};
  if (std::string_view(head).substr(std::min<std::size_t>(4, head.size())).starts_with("TFL3"))
    return {"tflite", "openvino", "", ""};
  if (head.find("<net ") != std::string::npos && head.find("version=") != std::string::npos)
    return {"openvino", "openvino", "", ""};
  // ModelProto begins with ir_version (3 and more since 2017) as most writers order it.
  if (FirstInteger(head) >= 3 && FirstInteger(head) < 64 && ending != ".pdmodel")
    return {"onnx", "onnxruntime", "", ""};
  return OfEnding(ending);
}

fs::path ModelPath(const fs::path& named) {
  std::error_code error;
  const fs::path path = fs::absolute(named, error);
  const bool is_folder = !path.has_filename() || path.filename() == "saved_model.pb";
  return is_folder ? path.parent_path() : path;
}

}  // namespace xsp::models
