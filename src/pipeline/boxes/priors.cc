#include "pipeline/boxes/priors.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/json_text.h"
#include "pipeline/base/text_file.h"

namespace xsp::pipeline {
namespace {

using nlohmann::json;

constexpr std::size_t kMostPriors = std::size_t{1} << 20;
constexpr std::size_t kMostFileBytes = std::size_t{64} << 20;

bool IsNumbers(const json& value, std::size_t count) {
  return value.is_array() && value.size() == count &&
         std::all_of(value.begin(), value.end(), [](const json& item) { return item.is_number(); });
}

Status ReadPriorFile(const std::string& path, std::vector<Prior>& priors) {
  std::string content;
  XSP_RETURN_IF_ERROR(ReadFile(path, kMostFileBytes, content));
  const json list = core::ParseJson(content);
  if (!list.is_array() || list.empty() || list.size() > kMostPriors) {
    return BadInput("priors must be a JSON list of 1 to " + std::to_string(kMostPriors) +
                    " boxes: " + path);
  }
  for (const json& entry : list) {
    if (!IsNumbers(entry, 4)) {
      return BadInput("a prior must be [cx, cy, width, height]: " + ForMessage(entry) + " in " +
                      path);
    }
    priors.push_back({entry[0], entry[1], entry[2], entry[3]});
  }
  return Ok{};
}

Status AddMap(const json& map, std::size_t number, std::vector<Prior>& priors) {
  const std::string where = "priors, map " + std::to_string(number);
  if (!map.is_object()) return BadInput(where + " must be an object: " + ForMessage(map));
  Parameters parameters(map, where);
  std::int64_t rows = 0, columns = 0;
  parameters.Integer("rows", rows, 1, 4096, true);
  parameters.Integer("columns", columns, 1, 4096, true);
  const json* boxes = parameters.Find("boxes");
  if (!boxes || !boxes->is_array() || boxes->empty() ||
      !std::all_of(boxes->begin(), boxes->end(), [](const json& b) { return IsNumbers(b, 2); })) {
    parameters.Fail("boxes must be a list of [width, height]");
  }
  XSP_RETURN_IF_ERROR(parameters.Finish());
  if (boxes->size() > kMostPriors / static_cast<std::size_t>(rows * columns) ||
      priors.size() + boxes->size() * static_cast<std::size_t>(rows * columns) > kMostPriors) {
    return BadInput(where + ": there are more than " + std::to_string(kMostPriors) + " priors");
  }
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < columns; ++column) {
      for (const json& box : *boxes) {
        priors.push_back({(static_cast<double>(column) + 0.5) / static_cast<double>(columns),
                          (static_cast<double>(row) + 0.5) / static_cast<double>(rows), box[0],
                          box[1]});
      }
    }
  }
  return Ok{};
}

}  // namespace

Status ReadPriors(Parameters& parameters, const std::string& folder, std::vector<Prior>& priors) {
  const json* parameter = parameters.Find("priors");
  if (!parameter) return Ok{};
  if (!parameter->is_object()) {
    parameters.Fail("priors must be an object with file or maps: " + ForMessage(*parameter), "",
                    "priors");
    return Ok{};
  }
  Parameters inner(*parameter, "priors");
  std::string file;
  inner.Text("file", file);
  const json* maps = inner.Find("maps");
  if (file.empty() == !maps) inner.Fail("either file or maps must be given");
  if (maps && !maps->is_array()) inner.Fail("maps must be a list");
  XSP_RETURN_IF_ERROR(inner.Finish());
  if (!maps) return ReadPriorFile(Below(folder, file), priors);
  for (std::size_t i = 0; i < maps->size(); ++i) {
    XSP_RETURN_IF_ERROR(AddMap((*maps)[i], i + 1, priors));
  }
  if (priors.empty()) return BadInput("priors: maps is empty");
  return Ok{};
}

}  // namespace xsp::pipeline
