#include "onnxruntime/unpadded_sizes.h"

#include <charconv>
#include <optional>

namespace xsp::worker_onnxruntime {
namespace {

constexpr std::string_view kBlockedDomain = "com.microsoft.nchwc";
constexpr std::int64_t kLargestBlock = 16;

class SizeFinder {
 public:
  SizeFinder(const Graph& before, const Graph& after, const NodeParts& parts)
      : before_(before), after_(after), parts_(parts) {}

  UnpaddedNodes Find() {
    std::unordered_map<std::string_view, int> names;
    for (std::size_t i = 0; i < after_.nodes.size(); ++i) {
      const GraphNode& node = after_.nodes[i];
      ++names[node.name];
      if (node.domain == kBlockedDomain && node.type == "Conv" && !node.inputs.empty())
        convolutions_.emplace(node.inputs[0], i);
    }
    UnpaddedNodes found;
    for (std::size_t i = 0; i < after_.nodes.size(); ++i) {
      const GraphNode& node = after_.nodes[i];
      UnpaddedNode sizes = SizesOf(i);
      if (sizes.inputs.empty() && sizes.outputs.empty()) continue;
      if (names[node.name] == 1) found.emplace(node.name, std::move(sizes));
    }
    return found;
  }

 private:
  std::optional<std::int64_t> ChannelsOf(const std::string& value) const {
    const auto it = channels_.find(value);
    return it == channels_.end() ? std::nullopt : std::optional(it->second);
  }

  UnpaddedNode SizesOf(std::size_t index) {
    const GraphNode& node = after_.nodes[index];
    UnpaddedNode sizes;
    std::size_t tensor = 0;
    for (const std::string& input : node.inputs) {
      if (input.empty()) continue;
      if (const auto channels = ChannelsOf(input)) sizes.inputs.push_back({tensor, 1, *channels});
      ++tensor;
    }
    const bool is_blocked = node.domain == kBlockedDomain;
    if (is_blocked && node.type == "ReorderOutput") return sizes;  // Its result is not blocked.
    if (is_blocked && node.type == "Conv") AddWeights(index, sizes);
    const auto channels = ResultOf(index);
    if (!channels) return sizes;
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      channels_[node.outputs[i]] = *channels;
      sizes.outputs.push_back({i, 1, *channels});
    }
    return sizes;
  }

  /// The channels of a node's results where these are blocked and known.
  std::optional<std::int64_t> ResultOf(std::size_t index) const {
    const GraphNode& node = after_.nodes[index];
    if (node.domain == kBlockedDomain && node.type == "Conv") {
      const auto* weights = WeightsOf(index);
      return weights == nullptr ? std::nullopt : std::optional(weights->front());
    }
    if (node.domain == kBlockedDomain && node.type == "ReorderInput" && !node.outputs.empty())
      return ChannelsRead(node.outputs[0]);
    if (node.type == "Concat" && !node.inputs.empty()) {
      std::int64_t sum = 0;
      for (const std::string& input : node.inputs) {
        const auto channels = ChannelsOf(input);
        if (!channels) return std::nullopt;
        sum += *channels;
      }
      return sum;
    }
    for (const std::string& input : node.inputs)
      if (const auto channels = ChannelsOf(input)) return channels;
    return std::nullopt;
  }

  /// How many channels the convolutions that read a value take.
  std::optional<std::int64_t> ChannelsRead(const std::string& value) const {
    const auto readers = convolutions_.find(value);
    if (readers == convolutions_.end()) return std::nullopt;
    const auto* weights = WeightsOf(readers->second);
    if (weights == nullptr) return std::nullopt;
    return (*weights)[1] * GroupsOf(readers->second);
  }

  /// The shape in the file of the weights of the one convolution that a node was made of.
  const std::vector<std::int64_t>* WeightsOf(std::size_t index) const {
    const std::vector<std::int64_t>* found = nullptr;
    for (const std::size_t part : parts_.parts[index]) {
      const GraphNode& node = before_.nodes[part];
      if (node.type != "Conv" || node.inputs.size() < 2) continue;
      const auto shape = before_.shapes.find(node.inputs[1]);
      if (found != nullptr || shape == before_.shapes.end()) return nullptr;
      if (shape->second.size() < 3) return nullptr;
      found = &shape->second;
    }
    return found;
  }

  std::int64_t GroupsOf(std::size_t index) const {
    for (const std::size_t part : parts_.parts[index])
      if (before_.nodes[part].type == "Conv") return before_.nodes[part].groups;
    return 1;
  }

  void AddWeights(std::size_t index, UnpaddedNode& sizes) const {
    const auto* weights = WeightsOf(index);
    if (weights == nullptr) return;
    sizes.inputs.push_back({1, 0, weights->front()});
    sizes.inputs.push_back({1, 1, (*weights)[1]});
    const GraphNode& node = after_.nodes[index];
    const bool has_bias = node.inputs.size() > 2 && !node.inputs[2].empty();
    if (has_bias) sizes.inputs.push_back({2, 0, weights->front()});
  }

  const Graph& before_;
  const Graph& after_;
  const NodeParts& parts_;
  std::unordered_map<std::string, std::int64_t> channels_;  ///< Of blocked values.
  /// By its first input: one convolution in the blocked layout.
  std::unordered_map<std::string_view, std::size_t> convolutions_;
};

}  // namespace

UnpaddedNodes FindUnpaddedSizes(const Graph& before, const Graph& after, const NodeParts& parts) {
  return SizeFinder(before, after, parts).Find();
}

std::string WithoutPadding(std::string_view shapes, const std::vector<UnpaddedSize>& sizes) {
  std::string result;
  std::size_t tensor = 0, axis = 0;
  int depth = 0;
  for (std::size_t at = 0; at < shapes.size();) {
    const char sign = shapes[at];
    if (sign == '[') {
      ++depth;
      axis = 0;
    } else if (sign == ']') {
      --depth;
    } else if (sign == ',' && depth == 1) {
      ++tensor;
    } else if (sign == ',') {
      ++axis;
    }
    std::int64_t there = 0;
    const auto [end, error] =
        std::from_chars(shapes.data() + at, shapes.data() + shapes.size(), there);
    if (error != std::errc()) {
      result += sign;
      ++at;
      continue;
    }
    std::int64_t size = there;
    for (const UnpaddedSize& of : sizes)
      if (of.tensor == tensor && of.axis == axis && of.size > 0 && of.size < there &&
          there - of.size < kLargestBlock)
        size = of.size;
    result += std::to_string(size);
    at = static_cast<std::size_t>(end - shapes.data());
  }
  return depth == 0 ? result : std::string(shapes);
}

}  // namespace xsp::worker_onnxruntime
