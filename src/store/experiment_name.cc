#include "store/experiment_name.h"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>

#include "core/json_text.h"
#include "os/files.h"
#include "store/staging_folder.h"

namespace xsp::store {

using nlohmann::json;

bool IsExperimentName(std::string_view name) { return !name.empty() && SafeName(name) == name; }

std::string NextName(const std::string& name) {
  // What ends a name may also be a time of day: "resnet50-20260101-120000".
  constexpr std::size_t kMostDigits = 4;
  const std::size_t dash = name.rfind('-');
  const std::size_t digits = dash == std::string::npos ? 0 : name.size() - dash - 1;
  const bool is_number = digits > 0 && digits <= kMostDigits && name[dash + 1] != '0';
  int number = 0;
  const char* const end = name.data() + name.size();
  if (is_number && std::from_chars(name.data() + dash + 1, end, number).ptr == end && number >= 2)
    return fmt::format("{}-{}", name.substr(0, dash), number + 1);
  return fmt::format("{}-2", name);
}

Status WriteNameInto(const std::filesystem::path& file, std::string_view name) {
  XSP_TRY(const std::string text, os::ReadFile(file));
  json experiment = core::ParseJson(text);
  if (!experiment.is_object())
    return Error{ErrorKind::kBadInput, fmt::format("not a JSON object: {}", file.string()), ""};
  experiment["name"] = name;
  return os::WriteFileAtomically(file, core::JsonText(experiment, 2));
}

}  // namespace xsp::store
