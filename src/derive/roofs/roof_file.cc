#include "derive/roofs/roof_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "core/json_text.h"
#include "core/nearest_word.h"
#include "derive/roofs/cpu_table.h"
#include "derive/roofs/device_table.h"
#include "derive/roofs/roof_json.h"
#include "os/files.h"
#include "os/paths.h"
#include "os/published_table.h"

namespace xsp::roofs {
namespace {

using nlohmann::json;

std::string Text(const json& object, const char* key) {
  const auto it = object.find(key);
  return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

std::vector<Roof> RoofsIn(const json& object, const char* key) {
  std::vector<Roof> roofs;
  const auto rows = object.find(key);
  if (rows == object.end() || !rows->is_array()) return roofs;
  for (const json& row : *rows)
    if (auto roof = RoofFromJson(row)) roofs.push_back(*std::move(roof));
  return roofs;
}

/// The roofs of one processor of the document. Nothing: it has none.
std::optional<NamedRoofs> ReadProcessor(const json& object, NamedRoofs::Processor processor) {
  if (!object.is_object()) return std::nullopt;
  NamedRoofs read{Text(object, "processor"), processor, {}};
  read.report.measured_at = Text(object, "measured_at");
  read.report.conditions = Text(object, "conditions");
  read.report.machine = read.name;
  read.report.roofs = RoofsIn(object, "roofs");
  if (read.report.roofs.empty()) {
    read.report.roofs = RoofsIn(object, "data_sheet");
    read.processor = NamedRoofs::Processor::kNamed;
  }
  if (read.report.roofs.empty()) return std::nullopt;
  return read;
}

/// Names of devices.csv that `name` may have meant.
std::string SimilarDevices(const std::string& name) {
  constexpr std::size_t kShown = 4;
  const auto table = os::PublishedTable::Read(os::DataRoot() / "machine" / "devices.csv", {});
  if (!table.ok()) return "";
  std::vector<std::string_view> devices;
  for (const auto& row : table.value().rows()) devices.push_back(table.value().Text(row, "device"));
  return fmt::format("{}", fmt::join(core::NearestWords(name, devices, kShown), ", "));
}

}  // namespace

Result<std::vector<NamedRoofs>> ReadRoofFile(const std::filesystem::path& file) {
  XSP_TRY(const std::string text, os::ReadFile(file));
  const json document = core::ParseJson(text);
  std::vector<NamedRoofs> all;
  if (auto cpu = ReadProcessor(document, NamedRoofs::Processor::kCpu))
    all.push_back(*std::move(cpu));
  if (document.is_object()) {
    if (const auto gpus = document.find("gpus"); gpus != document.end() && gpus->is_array()) {
      for (const json& row : *gpus)
        if (auto gpu = ReadProcessor(row, NamedRoofs::Processor::kGpu))
          all.push_back(*std::move(gpu));
    }
  }
  if (!all.empty()) return all;
  return Error{ErrorKind::kBadInput, fmt::format("file contains no roofs: {}", file.string()),
               "`xsp system --format json > roofs.json` writes those of a machine."};
}

Result<NamedRoofs> DataSheetOf(const std::string& name) {
  NamedRoofs named{name, NamedRoofs::Processor::kNamed, {}};
  named.report.machine = name;
  auto sheet = DataSheetRoofs(name);
  if (!sheet.ok() && sheet.error().kind == ErrorKind::kNotPossible) {
    auto cpu = CpuDataSheet(name, {});
    if (cpu.ok() || cpu.error().kind != ErrorKind::kNotPossible) sheet = std::move(cpu);
  }
  if (!sheet.ok() && sheet.error().kind == ErrorKind::kNotPossible) {
    Error error = sheet.error();
    error.hint =
        fmt::format("Devices with similar names: {}. {}", SimilarDevices(name), sheet.error().hint);
    return error;
  }
  XSP_TRY(named.report.roofs, std::move(sheet));
  return named;
}

}  // namespace xsp::roofs
