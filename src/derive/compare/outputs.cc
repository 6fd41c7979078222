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
  const json list = json::parse(text, nullptr, false);
  if (!list.is_array())
    return Error{ErrorKind::kBadInput, "the list of results is damaged: " + folder.string(), ""};
  std::vector<NamedTensor> outputs;
  for (const json& item : list) {
    XSP_TRY(Tensor tensor, ReadNpy(folder / item.value("file", "")));
    outputs.push_back({item.value("name", ""), std::move(tensor)});
  }
  return outputs;
}

/// One row; `measured`: nothing, and `message` says why.
class Rows {
 public:
  Rows(std::int64_t point, std::int64_t against, store::Table& table)
      : point_(point), against_(against), table_(table) {}

  void AddMessage(std::int64_t index, std::string_view name, const std::string& message) {
    std::vector<store::Cell> row = {point_, against_, index, std::string(name)};
    row.resize(table_.columns.size() - 1);
    row.emplace_back(message);
    table_.rows.push_back(std::move(row));
  }

  void Add(std::int64_t index, const NamedTensor& output, const accuracy::Agreement& found) {
    std::vector<store::Cell> row = {point_,
                                    against_,
                                    index,
                                    output.name,
                                    fmt::format("[{}]", fmt::join(output.tensor.shape, ",")),
                                    static_cast<std::int64_t>(found.elements),
                                    found.label_agreement,
                                    found.top_k_overlap,
                                    found.max_absolute_error,
                                    found.mean_absolute_error,
                                    found.max_relative_error,
                                    found.mean_relative_error,
                                    found.cosine_similarity};
    if (found.divergence_rows > 0) {
      row.emplace_back(found.mean_divergence_nats);
    } else {
      row.emplace_back();
    }
    row.emplace_back(static_cast<std::int64_t>(found.non_finite_different));
    row.emplace_back();
    table_.rows.push_back(std::move(row));
  }

 private:
  std::int64_t point_, against_;
  store::Table& table_;
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

const PointOutputs* Find(const std::vector<PointOutputs>& outputs, std::int64_t point_id) {
  const auto it = std::find_if(outputs.begin(), outputs.end(),
                               [&](const PointOutputs& one) { return one.point_id == point_id; });
  return it == outputs.end() ? nullptr : &*it;
}

}  // namespace

store::Table CompareResults(const std::vector<Group>& groups,
                            const std::vector<PointOutputs>& outputs) {
  store::Table table;
  table.columns = {"point_id",
                   "against_point_id",
                   "output_index",
                   "name",
                   "shape",
                   "elements",
                   "label_agreement",
                   "top_k_overlap",
                   "max_absolute_error",
                   "mean_absolute_error",
                   "max_relative_error",
                   "mean_relative_error",
                   "cosine_similarity",
                   "mean_divergence_nats",
                   "non_finite_different",
                   "message"};
  for (const Group& group : groups) {
    std::optional<std::pair<std::int64_t, std::vector<NamedTensor>>> reference;
    for (const MeasuredPoint& point : group) {
      const PointOutputs* own = Find(outputs, point.point_id);
      if (own == nullptr) continue;
      auto read = ReadOutputs(own->folder);
      if (!reference && read.ok()) {
        reference.emplace(point.point_id, std::move(read).value());
        continue;
      }
      const std::int64_t against = reference ? reference->first : point.point_id;
      Rows rows(point.point_id, against, table);
      if (!read.ok()) {
        rows.AddMessage(0, "", read.error().what);
      } else {
        Compare(reference->second, read.value(), rows);
      }
    }
  }
  return table;
}

}  // namespace xsp::compare
