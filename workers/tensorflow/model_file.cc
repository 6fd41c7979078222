#include "tensorflow/model_file.h"

#include <filesystem>
#include <fstream>
#include <string_view>

#include "harness/worker_errors.h"
#include "protobuf/message.h"

namespace xsp::worker_tensorflow {
namespace {

using protobuf::Field;
using protobuf::MessageReader;
using worker::WorkerError;
namespace fs = std::filesystem;

constexpr const char* kExport =
    "export the model again: model.export(FOLDER) in Keras, tf.saved_model.save(module, FOLDER) "
    "else";

[[noreturn]] void Refuse(const std::string& what, const std::string& hint = kExport) {
  throw WorkerError(ErrorKind::kBadInput, what, hint);
}

std::string Slurp(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), {});
  if (!file.good() && !file.eof()) Refuse("cannot read the model: " + path, "check permissions");
  return bytes;
}

struct Mark {
  std::size_t at;
  std::string_view bytes;
  const char* what;
  const char* hint;
};

constexpr Mark kOtherFormats[] = {
    {0, "PK\x03\x04", "a Keras file or another zip archive", kExport},
    {0, "\x89HDF", "an HDF5 file of Keras", kExport},
    {4, "TFL3", "a TensorFlow Lite model",
     "run it with a backend that reads it (openvino, opencv), or export the original model as "
     "SavedModel"},
    {0, "node {", "a graph in text form",
     "write it in binary form: tf.io.write_graph(graph, FOLDER, NAME, as_text=False)"},
};

/// The fields of GraphDef, and at least one node with a name and an operator.
bool IsGraph(std::string_view bytes) {
  MessageReader reader(bytes);
  bool has_node = false;
  for (Field field; reader.Next(field);) {
    // node, library, version, versions, debug_info.
    if (field.number > 5) return false;
    if (field.number != 1) continue;
    if (!field.is_bytes) return false;
    MessageReader node(field.bytes);
    bool named = false, has_operator = false;
    for (Field part; node.Next(part);) {
      named |= part.number == 1 && part.is_bytes;
      has_operator |= part.number == 2 && part.is_bytes;
    }
    if (node.damaged() || !named || !has_operator) return false;
    has_node = true;
  }
  return has_node && !reader.damaged();
}

/// SavedModel begins with saved_model_schema_version and has meta graphs.
bool IsSavedModel(std::string_view bytes) {
  MessageReader reader(bytes);
  bool has_graph = false;
  for (Field field; reader.Next(field);) {
    if (field.number > 2 || field.is_bytes != (field.number == 2)) return false;
    has_graph |= field.number == 2;
  }
  return has_graph && !reader.damaged();
}

ModelFile ReadFolder(const fs::path& folder) {
  const fs::path file = folder / "saved_model.pb";
  if (!fs::exists(file)) {
    if (fs::exists(folder / "saved_model.pbtxt"))
      return {ModelFormat::kSavedModel, folder.string(), ""};
    Refuse("the folder has no saved_model.pb: " + folder.string(),
           "give the folder that tf.saved_model.save or model.export wrote, or a frozen graph");
  }
  const std::string bytes = Slurp(file.string());
  if (bytes.empty()) Refuse("the model is empty: " + file.string());
  if (!IsSavedModel(bytes)) Refuse("the SavedModel is damaged or truncated: " + file.string());
  return {ModelFormat::kSavedModel, folder.string(), ""};
}

}  // namespace

ModelFile ReadModelFile(const std::string& path) {
  if (fs::is_directory(path)) return ReadFolder(path);
  if (fs::path(path).filename() == "saved_model.pb")
    return ReadFolder(fs::absolute(path).parent_path());
  std::string bytes = Slurp(path);
  if (bytes.empty()) Refuse("the model is empty: " + path);
  for (const Mark& mark : kOtherFormats) {
    if (bytes.size() >= mark.at && bytes.compare(mark.at, mark.bytes.size(), mark.bytes) == 0)
      Refuse(
          std::string("this is ") + mark.what + ", which TensorFlow's C API does not run: " + path,
          mark.hint);
  }
  if (IsSavedModel(bytes)) {
    Refuse("this is the graph of a SavedModel without its folder: " + path,
           "give the whole folder, with saved_model.pb and variables");
  }
  if (!IsGraph(bytes)) {
    Refuse("not a frozen graph (GraphDef), or damaged or truncated: " + path,
           std::string("give a SavedModel folder or a frozen graph; ") + kExport);
  }
  return {ModelFormat::kFrozenGraph, path, std::move(bytes)};
}

}  // namespace xsp::worker_tensorflow
