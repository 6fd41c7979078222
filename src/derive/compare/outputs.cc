#include "derive/compare/outputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/json_text.h"
#include "derive/accuracy/agreement.h"
#include "derive/compare/npy.h"
#include "os/files.h"

namespace xsp::compare {
namespace {

using nlohmann::json;

constexpr std::uint64_t kListLimitBytes = 1 << 20;

struct NamedTensor {
  std::string name;
  Tensor tensor;
};

Result<std::vector<NamedTensor>> ReadOutputs(const std::filesystem::path& folder) {
  XSP_TRY(const std::string text, os::ReadFile(folder / "outputs.json", kListLimitBytes));
  const json list = core::ParseJson(text);
  if (!list.is_array())
    return Error{ErrorKind::kBadInput, "the list of results is damaged: " + folder.string(), ""};
  std::vector<NamedTensor> outputs;
  for (const json& item : list) {
    XSP_TRY(Tensor tensor, ReadNpy(folder / item.value("file", "")));
    outputs.push_back({item.value("name", ""), std::move(tensor)});
  }
  return outputs;
}

/// Rows of one point.
class Rows {
 public:
  Rows(std::int64_t point, std::int64_t against, std::vector<store::AgreementRow>& rows)
      : point_(point), against_(against), rows_(rows) {}

  void AddMessage(std::int64_t index, std::string_view name, const std::string& message) {
    rows_.push_back({.point_id = point_,
                     .against_point_id = against_,
                     .output_index = index,
                     .name = std::string(name),
                     .message = message});
  }

  void Add(std::int64_t index, const NamedTensor& output, const accuracy::Agreement& found) {
    rows_.push_back(
        {.point_id = point_,
         .against_point_id = against_,
         .output_index = index,
         .name = output.name,
         .shape = fmt::format("[{}]", fmt::join(output.tensor.shape, ",")),
         .elements = static_cast<std::int64_t>(found.elements),
         .label_agreement = found.label_agreement,
         .top_k_overlap = found.top_k_overlap,
         .max_absolute_error = found.max_absolute_error,
         .mean_absolute_error = found.mean_absolute_error,
         .max_relative_error = found.max_relative_error,
         .mean_relative_error = found.mean_relative_error,
         .cosine_similarity = found.cosine_similarity,
         .mean_divergence_nats =
             found.divergence_rows > 0 ? std::optional(found.mean_divergence_nats) : std::nullopt,
         .non_finite_different = static_cast<std::int64_t>(found.non_finite_different)});
  }

 private:
  std::int64_t point_, against_;
  std::vector<store::AgreementRow>& rows_;
};

void Compare(const std::vector<NamedTensor>& reference, const std::vector<NamedTensor>& candidate,
             Rows rows) {
  for (std::size_t i = 0; i < std::max(reference.size(), candidate.size()); ++i) {
    const auto index = static_cast<std::int64_t>(i);
    if (i >= reference.size() || i >= candidate.size()) {
      rows.AddMessage(index, i < candidate.size() ? candidate[i].name : "",
                      fmt::format("not the same number of outputs: {} here, {} in the reference",
                                  candidate.size(), reference.size()));
      return;
    }
    const Tensor& a = reference[i].tensor;
    const Tensor& b = candidate[i].tensor;
    if (a.shape != b.shape) {
      rows.AddMessage(index, candidate[i].name,
                      fmt::format("not the same shape: [{}] here, [{}] in the reference",
                                  fmt::join(b.shape, ","), fmt::join(a.shape, ",")));
      continue;
    }
    const std::size_t row_length =
        a.shape.empty() ? 1 : static_cast<std::size_t>(std::max<std::int64_t>(a.shape.back(), 1));
    const auto found = accuracy::CompareOutputs(a.values, b.values, row_length);
    if (found.ok()) {
      rows.Add(index, candidate[i], found.value());
    } else {
      rows.AddMessage(index, candidate[i].name, found.error().what);
    }
  }
}

const PointOutputs* Find(const std::vector<PointOutputs>& outputs, const MeasuredPoint& point) {
  if (point.experiment != 0) return nullptr;
  const auto it = std::find_if(outputs.begin(), outputs.end(), [&](const PointOutputs& one) {
    return one.point_id == point.point_id;
  });
  return it == outputs.end() ? nullptr : &*it;
}

}  // namespace

std::vector<store::AgreementRow> CompareResults(const std::vector<Group>& groups,
                                                const std::vector<PointOutputs>& outputs) {
  std::vector<store::AgreementRow> found;
  for (const Group& group : groups) {
    std::optional<std::pair<std::int64_t, std::vector<NamedTensor>>> reference;
    for (const MeasuredPoint& point : group) {
      const PointOutputs* own = Find(outputs, point);
      if (own == nullptr) continue;
      auto read = ReadOutputs(own->folder);
      if (!reference && read.ok()) {
        reference.emplace(point.point_id, std::move(read).value());
        continue;
      }
      const std::int64_t against = reference ? reference->first : point.point_id;
      Rows rows(point.point_id, against, found);
      if (!read.ok()) {
        rows.AddMessage(0, "", read.error().what);
      } else {
        Compare(reference->second, read.value(), rows);
      }
    }
  }
  return found;
}

}  // namespace xsp::compare
