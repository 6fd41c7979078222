#include "torch/model_file.h"

#include <sys/stat.h>

#include <caffe2/serialize/inline_container.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>
#include <vector>

#include "torch/errors.h"

namespace xsp::worker_torch {
namespace {

constexpr const char* kHowToExport =
    "export it in Python: torch.jit.trace(model.eval(), example_input).save(\"model.pt\"), "
    "or torch.jit.script(model.eval()).save(\"model.pt\")";

[[noreturn]] void Reject(const std::string& what, const std::string& hint) {
  throw WorkerError(ErrorKind::kBadInput, what, hint);
}

std::string FirstBytes(const std::string& path) {
  struct stat status = {};
  if (stat(path.c_str(), &status) != 0) {
    Reject("cannot open the model: " + path + ": " + std::strerror(errno), "check the path");
  }
  if (S_ISDIR(status.st_mode)) {
    Reject("the model is a directory, not a file: " + path,
           "give the TorchScript file itself, for example " + path + "/model.pt");
  }
  std::array<char, 8> bytes;
  std::ifstream file(path, std::ios::binary);
  file.read(bytes.data(), bytes.size());
  if (!file && file.gcount() == 0) {
    if (status.st_size == 0) Reject("the model file is empty: " + path, "copy or export it again");
    throw WorkerError(ErrorKind::kEnvironment, "cannot read the model: " + path,
                      "check the permissions of the file");
  }
  return {bytes.data(), static_cast<std::size_t>(file.gcount())};
}

bool AnyContains(const std::vector<std::string>& records, std::string_view text) {
  for (const std::string& record : records) {
    if (record.find(text) != std::string::npos) return true;
  }
  return false;
}

ModelFormat FormatOfArchive(const std::string& path) {
  std::vector<std::string> records;
  try {
    records = caffe2::serialize::PyTorchStreamReader(path).getAllRecords();
  } catch (const std::exception& failed) {
    const std::string message = failed.what();
    // Without its last part a zip file has no table of contents.
    if (message.find("central directory") != std::string::npos) {
      Reject("the model file is truncated or damaged: " + path, "copy or export it again");
    }
    Reject("a zip file, but not one that PyTorch wrote: " + path, kHowToExport);
  }
  if (AnyContains(records, "aotinductor/")) return ModelFormat::kCompiledPackage;
  if (AnyContains(records, "constants.pkl")) return ModelFormat::kTorchScript;
  if (AnyContains(records, "serialized_exported_program") || AnyContains(records, "models/")) {
    Reject("an exported program that was not compiled: " + path,
           "compile it in Python: torch._inductor.aoti_compile_and_package(program, "
           "package_path=\"model.pt2\"), or make a TorchScript file of the model");
  }
  if (AnyContains(records, "data.pkl")) {
    Reject("not TorchScript but a state_dict or a pickled module (torch.save): " + path,
           kHowToExport);
  }
  Reject("neither a TorchScript file nor a compiled package: " + path, kHowToExport);
}

}  // namespace

ModelFormat FormatOf(const std::string& path) {
  const std::string bytes = FirstBytes(path);
  if (bytes.starts_with("PK\x03\x04")) return FormatOfArchive(path);
  if (bytes.starts_with("\x80\x02") || bytes.starts_with("\x80\x04")) {
    Reject("not TorchScript but a pickle of an old torch.save: " + path, kHowToExport);
  }
  if (std::string_view("PK\x03\x04").starts_with(bytes)) {
    Reject("the model file is truncated: " + path, "copy or export it again");
  }
  Reject("not a TorchScript file: " + path, kHowToExport);
}

}  // namespace xsp::worker_torch
