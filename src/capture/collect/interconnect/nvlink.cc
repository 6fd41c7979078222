#include "capture/collect/interconnect/nvlink.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <sstream>

namespace xsp::collect::interconnect {

namespace {

constexpr std::size_t kLongestReason = 200;

/// Without the escape sequences that a terminal would underline headings with.
std::string WithoutEscapes(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\x1b') {
      plain += text[i];
      continue;
    }
    while (i + 1 < text.size() && std::isalpha(static_cast<unsigned char>(text[i])) == 0) ++i;
  }
  return plain;
}

std::vector<std::string> Lines(std::string_view text) {
  std::vector<std::string> lines;
  std::istringstream stream(WithoutEscapes(text));
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> Words(const std::string& line) {
  std::vector<std::string> words;
  std::istringstream stream(line);
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

/// The number of "GPU12" or "NV12" behind `prefix`, where nothing else follows.
std::optional<int> NumberBehind(std::string_view word, std::string_view prefix) {
  if (!word.starts_with(prefix)) return std::nullopt;
  word.remove_prefix(prefix.size());
  if (word.empty() || word.size() > 6) return std::nullopt;
  if (word.find_first_not_of("0123456789") != word.npos) return std::nullopt;
  return static_cast<int>(LeadingNumber(word).value_or(0));
}

std::string LinksText(const GpuLinks& links) {
  std::vector<std::string> parts;
  for (const auto& [rate, count] : links.active) {
    parts.push_back(fmt::format("{} x {}", count, rate));
  }
  if (links.inactive > 0) parts.push_back(fmt::format("{} inactive", links.inactive));
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// What a program that failed printed, as a reason: its first line.
std::string FirstLine(std::string_view text) {
  for (const std::string& line : Lines(text)) {
    if (!line.empty()) return line.substr(0, kLongestReason);
  }
  return "nothing";
}

/// "gpu1 NV18, gpu3 NV4": whom `gpu` shares links with, by the tree's names.
std::string Peers(int gpu, const std::map<std::pair<int, int>, int>& pairs,
                  const std::map<int, std::string>& names) {
  std::vector<std::string> peers;
  for (const auto& [pair, count] : pairs) {
    if (pair.first != gpu || !names.contains(pair.second)) continue;
    peers.push_back(fmt::format("{} NV{}", names.at(pair.second), count));
  }
  return fmt::format("{}", fmt::join(peers, ", "));
}

/// The tree's name of each GPU of nvidia-smi. In a container that shows some of the machine's GPUs
/// the two count differently: the address tells.
std::map<int, std::string> NamesOf(const std::map<int, std::string>& addresses,
                                   const PciTree& tree) {
  std::map<int, std::string> names;
  for (const auto& [gpu, where] : addresses) {
    const std::string& address = where;  // clang 14 captures no structured binding.
    const auto at = std::find_if(tree.gpus.begin(), tree.gpus.end(),
                                 [&](const PciDevice& d) { return d.address == address; });
    if (at != tree.gpus.end()) names[gpu] = at->name;
  }
  return names;
}

void Describe(const std::map<int, GpuLinks>& status, const std::map<int, std::string>& names,
              const NvidiaSmi& nvidia_smi, FactSheet& sheet) {
  std::map<std::pair<int, int>, int> pairs;
  std::string why = "it shares no link with another GPU";
  if (names.size() > 1) {
    const auto matrix = nvidia_smi({"topo", "-m"});
    if (matrix.ok()) pairs = ParseNvlinkPairs(matrix.value());
    if (!matrix.ok()) why = matrix.error().what;
  }
  std::int64_t total = 0;
  for (const auto& [gpu, links] : status) {
    for (const auto& [rate, count] : links.active) total += count;
  }
  sheet.Add("nvlink.active_links", total);
  for (const auto& [gpu, links] : status) {
    if (!names.contains(gpu)) continue;
    const std::string key = fmt::format("nvlink.{}.", names.at(gpu));
    sheet.Add(key + "links", LinksText(links), "it has no NVLink");
    sheet.Add(key + "reaches", Peers(gpu, pairs, names), why);
  }
}

}  // namespace

std::map<int, GpuLinks> ParseNvlinkStatus(std::string_view text) {
  std::map<int, GpuLinks> status;
  GpuLinks* at = nullptr;
  for (const std::string& line : Lines(text)) {
    const std::vector<std::string> words = Words(line);
    if (words.size() < 2) continue;
    const bool labelled = words[1].ends_with(':');
    const auto number = LeadingNumber(words[1]);
    if (!labelled || !number) continue;
    if (words[0] == "GPU") at = &status[static_cast<int>(*number)];
    if (words[0] != "Link" || at == nullptr || words.size() < 3) continue;
    if (words.size() >= 4 && words[3] == "GB/s") {
      ++at->active[fmt::format("{} {}", words[2], words[3])];
    } else if (words[2] == "<inactive>") {
      ++at->inactive;
    }
  }
  return status;
}

std::map<std::pair<int, int>, int> ParseNvlinkPairs(std::string_view text) {
  std::map<std::pair<int, int>, int> pairs;
  std::vector<std::optional<int>> columns;  // The GPU of each; nothing: a network controller.
  for (const std::string& line : Lines(text)) {
    const std::vector<std::string> words = Words(line);
    if (words.empty()) continue;
    if (words[0] == "Legend:") break;
    if (columns.empty()) {
      // "GPU0 GPU1 NIC0 CPU Affinity ...": names without blanks, up to the affinities.
      const auto end = std::find(words.begin(), words.end(), "CPU");
      if (!NumberBehind(words[0], "GPU")) continue;
      for (auto word = words.begin(); word != end; ++word) {
        columns.push_back(NumberBehind(*word, "GPU"));
      }
      continue;
    }
    const auto row = NumberBehind(words[0], "GPU");
    if (!row) continue;
    for (std::size_t i = 0; i < columns.size() && i + 1 < words.size(); ++i) {
      const auto links = NumberBehind(words[i + 1], "NV");
      if (links && columns[i]) pairs[{*row, *columns[i]}] = *links;
    }
  }
  return pairs;
}

std::map<int, std::string> ParseGpuAddresses(std::string_view text) {
  std::map<int, std::string> addresses;
  for (const std::string& line : Lines(text)) {
    const auto comma = line.find(',');
    const auto gpu = LeadingNumber(line);
    if (comma == line.npos || !gpu) continue;
    std::string address = line.substr(comma + 1);
    std::erase_if(address, [](unsigned char c) { return std::isspace(c) != 0; });
    std::transform(address.begin(), address.end(), address.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    // nvidia-smi writes the domain with eight digits, /sys with four or more.
    const auto colon = address.find(':');
    while (colon != address.npos && address.find(':') > 4 && address.front() == '0') {
      address.erase(0, 1);
    }
    if (IsPciAddress(address)) addresses[static_cast<int>(*gpu)] = address;
  }
  return addresses;
}

void AddNvlink(const PciTree& tree, const NvidiaSmi& nvidia_smi, FactSheet& sheet) {
  const auto hide = [&](std::string_view why) { sheet.Add("nvlink.active_links", "", why); };
  const bool any = std::any_of(tree.gpus.begin(), tree.gpus.end(),
                               [](const PciDevice& d) { return d.id.starts_with("10de:"); });
  if (!any) return hide("no GPU of NVIDIA is on the PCI bus");
  if (!nvidia_smi) return hide("nvidia-smi, which tells, is not on the PATH");
  const auto status = nvidia_smi({"nvlink", "-s"});
  if (!status.ok()) return hide(status.error().what);
  const std::map<int, GpuLinks> links = ParseNvlinkStatus(status.value());
  if (links.empty()) {
    return hide(fmt::format("nvidia-smi nvlink -s says: {}", FirstLine(status.value())));
  }
  const auto query = nvidia_smi({"--query-gpu=index,pci.bus_id", "--format=csv,noheader"});
  if (!query.ok()) return hide(query.error().what);
  Describe(links, NamesOf(ParseGpuAddresses(query.value()), tree), nvidia_smi, sheet);
}

}  // namespace xsp::collect::interconnect
