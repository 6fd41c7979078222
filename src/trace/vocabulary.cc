#include "trace/vocabulary.h"

#include <array>

namespace xsp::trace {
namespace {

constexpr std::array<std::string_view, kLevelCount> kLevels = {"application", "model", "layer",
                                                               "library", "kernel"};
constexpr std::array<std::string_view, kPlacedByCount> kPlacedBy = {
    "none", "id", "nesting", "launch", "graph_node", "sequence", "serialised", "concurrent"};
constexpr std::array<std::string_view, 6> kTrackKinds = {"process", "thread", "device",
                                                         "stream",  "engine", "host"};
constexpr std::array<std::string_view, 3> kLinkKinds = {"flow", "forward_backward", "collective"};
constexpr std::array<std::string_view, kStackKindCount> kStackKinds = {"native", "python"};

}  // namespace

std::string_view ToString(Level level) { return kLevels.at(static_cast<std::size_t>(level)); }
std::string_view ToString(PlacedBy by) { return kPlacedBy.at(static_cast<std::size_t>(by)); }
std::string_view ToString(TrackKind kind) { return kTrackKinds.at(static_cast<std::size_t>(kind)); }
std::string_view ToString(LinkKind kind) { return kLinkKinds.at(static_cast<std::size_t>(kind)); }
std::string_view ToString(StackKind kind) { return kStackKinds.at(static_cast<std::size_t>(kind)); }

}  // namespace xsp::trace
