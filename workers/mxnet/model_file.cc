#include "mxnet/model_file.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/json_text.h"
#include "harness/worker_errors.h"

namespace xsp::worker_mxnet {
namespace {

using worker::WorkerError;
namespace fs = std::filesystem;

constexpr std::string_view kSymbol = "-symbol.json";
constexpr const char* kHint =
    "export the model: block.export(NAME) in Gluon, mx.model.save_checkpoint(NAME, 0, ...) else; "
    "it "
    "writes NAME-symbol.json and NAME-0000.params";

[[noreturn]] void Refuse(const std::string& what) {
  throw WorkerError(ErrorKind::kBadInput, what, kHint);
}

fs::path SymbolIn(const fs::path& folder) {
  fs::path found;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (!entry.path().filename().string().ends_with(kSymbol)) continue;
    if (!found.empty()) {
      throw WorkerError(ErrorKind::kBadInput, "the folder has several symbols: " + folder.string(),
                        "name one of them: " + entry.path().string());
    }
    found = entry.path();
  }
  if (found.empty()) Refuse("the folder has no NAME-symbol.json: " + folder.string());
  return found;
}

/// "NAME-0012.params" for that NAME.
bool IsParametersOf(const std::string& file, const std::string& name) {
  if (!file.starts_with(name + "-") || !file.ends_with(".params")) return false;
  const auto number = file.substr(name.size() + 1, file.size() - name.size() - 8);
  return !number.empty() && number.find_first_not_of("0123456789") == std::string::npos;
}

fs::path ParametersBeside(const fs::path& symbol, const std::string& name) {
  fs::path found;
  for (const auto& entry : fs::directory_iterator(symbol.parent_path())) {
    const std::string file = entry.path().filename().string();
    if (IsParametersOf(file, name) && (found.empty() || file > found.filename().string()))
      found = entry.path();
  }
  if (found.empty())
    Refuse("there are no parameters beside the symbol: " + (symbol.parent_path() / name).string() +
           "-0000.params");
  return found;
}

}  // namespace

ModelFile FindModelFile(const std::string& path) {
  fs::path symbol = fs::absolute(path), parameters;
  // NAME itself, which is what the files' names begin with.
  if (!fs::exists(symbol) && fs::exists(symbol.string() + std::string(kSymbol))) symbol += kSymbol;
  std::string file = symbol.filename().string();
  if (fs::is_directory(symbol)) {
    symbol = SymbolIn(symbol);
  } else if (file.ends_with(".params") && file.find_last_of('-') != std::string::npos) {
    parameters = symbol;
    symbol = symbol.parent_path() / (file.substr(0, file.find_last_of('-')) + std::string(kSymbol));
    if (!fs::exists(symbol)) Refuse("there is no symbol beside the parameters: " + symbol.string());
  }
  file = symbol.filename().string();
  if (!file.ends_with(kSymbol)) Refuse("not a symbol of MXNet (NAME-symbol.json): " + path);
  std::ifstream stream(symbol, std::ios::binary);
  const std::string json((std::istreambuf_iterator<char>(stream)), {});
  if (json.empty()) Refuse("the symbol is empty: " + symbol.string());
  const nlohmann::json parsed = core::ParseJson(json);
  if (!parsed.is_object() || !parsed.contains("nodes") || !parsed.contains("heads"))
    Refuse("not a symbol of MXNet, or damaged or truncated: " + symbol.string());
  if (parameters.empty())
    parameters = ParametersBeside(symbol, file.substr(0, file.size() - kSymbol.size()));
  return {symbol.string(), parameters.string(), json};
}

}  // namespace xsp::worker_mxnet
