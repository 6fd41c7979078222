#include "api/operations/ideal_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "answer/wording/quantity.h"

namespace xsp::api {
namespace {

using nlohmann::json;

// In pixels.
constexpr double kWidth = 1120, kLeft = 300, kRight = 250, kPlotWidth = kWidth - kLeft - kRight;
constexpr double kHeadHeight = 96, kRowHeight = 34, kBarHeight = 9, kFootHeight = 40;
constexpr std::size_t kLayers = 20, kLongestName = 44, kLongestSource = 40;

// Hues of Okabe and Ito (2008), as web/src/palette.ts has them.
constexpr std::string_view kMeasured = "#8f9aa3", kBest = "#0072b2", kBound = "#d55e00";

constexpr std::string_view kStyle =
    "text{font:12px system-ui,sans-serif;fill:#1a2027}.source{font-size:10.5px;fill:#5b6670}"
    ".title{font-size:18px;font-weight:600}.grid{stroke:#dfe3e8;fill:none}";

std::string EscapedText(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return escaped;
}

/// The end of a text that is too long, which tells names of layers apart; cut at a character.
std::string LastOf(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t start = text.size() - most;
  while (start < text.size() && (static_cast<unsigned char>(text[start]) & 0xC0) == 0x80) ++start;
  return "..." + text.substr(start);
}

std::string FirstOf(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "...";
}

std::string TimeText(const json& time_ns) { return wording::FormatQuantity(time_ns, "ns"); }

/// 1, 2 or 5 times a power of ten, so that the axis has four to ten ticks.
double TickOf(double longest_ns) {
  const double power = std::pow(10.0, std::floor(std::log10(longest_ns)));
  for (const double step : {0.1, 0.2, 0.5})
    if (longest_ns / (power * step) <= 10) return power * step;
  return power;
}

std::string SourceText(const json& layer) {
  const json& best = layer["best_known"];
  if (!best.is_object()) return "itself";
  const std::string backend = best["backend"].get<std::string>();
  if (best["experiment"].is_string())
    return fmt::format("{} ({})", best["experiment"].get<std::string>(), backend);
  return fmt::format("{} {}", backend, best["implementation"].get<std::string>());
}

std::string Bar(double y, double time_ns, double longest_ns, std::string_view colour,
                std::string_view what, const json& layer) {
  return fmt::format(
      "<rect x='{}' y='{:.1f}' width='{:.2f}' height='{}' fill='{}'><title>{}: {} {}</title>"
      "</rect>\n",
      kLeft, y, kPlotWidth * time_ns / longest_ns, kBarHeight, colour,
      EscapedText(layer["name"].get<std::string>()), what, TimeText(time_ns));
}

std::string Row(const json& layer, double top, double longest_ns) {
  const double measured_ns = layer["measured_ns"], best_ns = layer["best_known_ns"];
  std::string svg =
      fmt::format("<text x='{}' y='{:.1f}' text-anchor='end'>{}</text>\n", kLeft - 8, top + 18,
                  EscapedText(LastOf(layer["name"].get<std::string>(), kLongestName)));
  svg += Bar(top, measured_ns, longest_ns, kMeasured, "measured", layer);
  svg += Bar(top + kBarHeight, best_ns, longest_ns, kBest, "best known", layer);
  if (layer["bound_ns"].is_number())
    svg += Bar(top + 2 * kBarHeight, layer["bound_ns"].get<double>(), longest_ns, kBound, "bound",
               layer);
  svg += fmt::format(
      "<text x='{0}' y='{1:.1f}'>{2} / {3} / {4}</text><text x='{0}' y='{5:.1f}' class='source'>"
      "{6}</text>\n",
      kLeft + kPlotWidth + 10, top + 11, TimeText(measured_ns), TimeText(best_ns),
      layer["bound_ns"].is_number() ? TimeText(layer["bound_ns"]) : "-", top + 24,
      EscapedText(FirstOf(SourceText(layer), kLongestSource)));
  return svg;
}

std::string Head(const json& point, double top) {
  const auto total = [&](const char* name, std::string_view title) {
    return fmt::format("{} {}", title, point[name].is_number() ? TimeText(point[name]) : "-");
  };
  std::string svg = fmt::format(
      "<text x='20' y='{:.0f}' class='title'>{}</text><text x='20' y='{:.0f}' class='source'>{}"
      "</text>\n",
      top + 30,
      EscapedText(fmt::format("{} ({})", point["model"].get<std::string>(),
                              point["backend"].get<std::string>())),
      top + 50,
      EscapedText(fmt::format("sums of all layers: {}, {}, {}", total("measured_ns", "measured"),
                              total("best_known_ns", "best known"), total("bound_ns", "bound"))));
  double x = kLeft;
  for (const auto& [colour, text] :
       {std::pair(kMeasured, "measured"), std::pair(kBest, "best known"),
        std::pair(kBound, "bound (least time under the roofs)")}) {
    svg += fmt::format(
        "<rect x='{0}' y='{1:.0f}' width='12' height='10' fill='{2}'/><text x='{3}' y='{4:.0f}'>"
        "{5}</text>\n",
        x, top + 62, colour, x + 17, top + 71, text);
    x += 110;
  }
  return svg;
}

/// The chart of one point, of which `height` says how high it is.
std::string Chart(const json& point, double top, double& height) {
  std::vector<const json*> layers;
  for (const json& layer : point["layers"]) layers.push_back(&layer);
  std::ranges::stable_sort(layers, std::greater<>(),
                           [](const json* layer) { return (*layer)["measured_ns"].get<double>(); });
  const std::size_t left_out = layers.size() > kLayers ? layers.size() - kLayers : 0;
  layers.resize(layers.size() - left_out);
  double longest_ns = 1;
  for (const json* layer : layers)
    for (const char* name : {"measured_ns", "bound_ns"})
      if ((*layer)[name].is_number())
        longest_ns = std::max(longest_ns, (*layer)[name].get<double>());
  const double rows = top + kHeadHeight;
  const double bottom = rows + kRowHeight * static_cast<double>(layers.size());
  std::string svg = Head(point, top);
  const double tick_ns = TickOf(longest_ns);
  for (double ns = 0; ns <= longest_ns * 1.0001; ns += tick_ns) {
    const double x = kLeft + kPlotWidth * ns / longest_ns;
    svg += fmt::format(
        "<path class='grid' d='M{0:.1f} {1:.1f} V{2:.1f}'/><text x='{0:.1f}' y='{3:.1f}' "
        "text-anchor='middle' class='source'>{4}</text>\n",
        x, rows - 6, bottom, bottom + 14, ns > 0 ? TimeText(ns) : "0");
  }
  for (std::size_t i = 0; i < layers.size(); ++i)
    svg += Row(*layers[i], rows + kRowHeight * static_cast<double>(i), longest_ns);
  if (left_out > 0)
    svg += fmt::format(
        "<text x='{}' y='{:.1f}' text-anchor='end' class='source'>{} shorter layers "
        "are not shown</text>\n",
        kLeft - 8, bottom + 14, left_out);
  height = bottom + kFootHeight - top;
  return svg;
}

}  // namespace

std::string IdealSvg(const json& document) {
  std::string charts;
  double height = 0;
  for (const json& point : document["points"]) {
    double own = 0;
    charts += Chart(point, height, own);
    height += own;
  }
  return fmt::format(
             "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {0} {1:.0f}' width='{0}' "
             "height='{1:.0f}' role='img' aria-label='Measured, best known and least time of "
             "layers'>\n<style>{2}</style>\n<rect width='{0}' height='{1:.0f}' fill='#fff'/>\n",
             kWidth, height, kStyle) +
         charts + "</svg>\n";
}

}  // namespace xsp::api
