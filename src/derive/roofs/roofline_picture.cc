#include "derive/roofs/roofline_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>

namespace xsp::roofs {

namespace {

// The plot within the drawing, in pixels.
constexpr double kWidth = 1120, kLeft = 210, kRight = 330, kTop = 70, kPlotHeight = 470;
constexpr double kPlotWidth = kWidth - kLeft - kRight;
constexpr double kAxisHeight = 60, kLineHeight = 16;
constexpr std::size_t kLongestSource = 150;

/// One line of the picture.
struct Line {
  const Roof* roof = nullptr;
  bool measured = false;
  std::string colour;
  std::optional<double> ridge;  ///< Operations per byte; of a ceiling with a DRAM roof beside it.
};

struct Scene {
  std::vector<Line> slopes, ceilings;
  double least_x = 0, most_x = 0, least_y = 0, most_y = 0;  ///< Powers of ten.

  double X(double intensity) const {
    return kLeft + kPlotWidth * std::log10(intensity / least_x) / std::log10(most_x / least_x);
  }
  double Y(double rate) const {
    return kTop + kPlotHeight * (1 - std::log10(rate / least_y) / std::log10(most_y / least_y));
  }
};

std::string Escaped(std::string_view text) {
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
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return escaped;
}

/// "353 GFLOP/s"
std::string Quantity(double value, std::string_view unit) {
  static constexpr std::array<std::string_view, 6> kPrefixes = {"", "k", "M", "G", "T", "P"};
  std::size_t prefix = 0;
  for (; value >= 999.5 && prefix + 1 < kPrefixes.size(); ++prefix) value /= 1000;
  return fmt::format("{:.{}f} {}{}", value,
                     value < 9.995   ? 2
                     : value < 99.95 ? 1
                                     : 0,
                     kPrefixes[prefix], unit);
}

std::string_view UnitOf(const Roof& roof) {
  return roof.kind == "bandwidth" ? "B/s" : roof.dtype == "int8" ? "op/s" : "FLOP/s";
}

/// Hues of Okabe and Ito (2008), as web/src/palette.ts has them: one for each data type.
std::string ColourOf(const Roof& roof) {
  static const std::map<std::string_view, std::string_view> kHues = {
      {"float32", "#0072b2"}, {"float64", "#56b4e9"}, {"bfloat16", "#d55e00"},
      {"float16", "#e69f00"}, {"int8", "#009e73"},    {"tfloat32", "#cc79a7"},
      {"float8", "#a3941f"}};
  if (roof.kind == "bandwidth") return "#3d4a55";
  const auto hue = kHues.find(roof.dtype);
  return std::string(hue == kHues.end() ? "#8f9aa3" : hue->second);
}

/// The faster of read and triad of each cache, and the DRAM roof that is used, of the most cores.
std::vector<Line> MeasuredLines(const std::vector<Roof>& roofs) {
  int cores = 0;
  for (const Roof& roof : roofs) cores = std::max(cores, roof.cores);
  std::vector<Line> lines;
  std::map<std::string, const Roof*> levels;
  for (const Roof& roof : roofs) {
    if (roof.cores != cores || roof.value <= 0) continue;
    if (roof.kind == "flops") {
      lines.push_back({&roof, true, ColourOf(roof), std::nullopt});
      continue;
    }
    const auto blank = roof.name.find(' ');
    const std::string level = roof.name.substr(0, blank);
    const std::string what = blank == std::string::npos ? "" : roof.name.substr(blank + 1);
    if (level == "DRAM" ? !roof.used : what == "write") continue;
    const Roof*& best = levels[level];
    if (best == nullptr || roof.value > best->value) best = &roof;
  }
  for (const auto& [level, roof] : levels)
    lines.push_back({roof, true, ColourOf(*roof), std::nullopt});
  return lines;
}

/// Ridge = peak FLOP/s / peak bandwidth (design, section 6).
void AddRidges(Scene& scene) {
  for (Line& ceiling : scene.ceilings) {
    for (const Line& slope : scene.slopes) {
      if (slope.measured == ceiling.measured && slope.roof->name.starts_with("DRAM"))
        ceiling.ridge = ceiling.roof->value / slope.roof->value;
    }
  }
}

double Decade(double value, int step) {
  return std::pow(10.0, std::floor(std::log10(value)) + step);
}

void ChooseRanges(Scene& scene) {
  double least_ridge = 1e300, most_ridge = 0, most_peak = 0, least_slope = 1e300;
  for (const Line& ceiling : scene.ceilings) {
    most_peak = std::max(most_peak, ceiling.roof->value);
    for (const Line& slope : scene.slopes) {
      least_ridge = std::min(least_ridge, ceiling.roof->value / slope.roof->value);
      most_ridge = std::max(most_ridge, ceiling.roof->value / slope.roof->value);
    }
  }
  for (const Line& slope : scene.slopes) {
    least_slope = std::min(least_slope, slope.roof->value);
    if (scene.ceilings.empty()) most_peak = std::max(most_peak, slope.roof->value);
  }
  if (most_ridge == 0) least_ridge = most_ridge = 1;  // Slopes alone, or ceilings alone.
  scene.least_x = Decade(least_ridge, -1);
  scene.most_x = Decade(most_ridge, 2);
  scene.most_y = Decade(most_peak, 1);
  const double floor = least_slope < 1e300 ? least_slope * scene.least_x : most_peak / 1e3;
  scene.least_y = Decade(std::min(floor, most_peak / 10), 0);
}

std::optional<Scene> SceneOf(const RooflinePicture& picture) {
  Scene scene;
  std::vector<Line> lines = MeasuredLines(picture.measured);
  for (const Roof& roof : picture.sheet)
    if (roof.value > 0) lines.push_back({&roof, false, ColourOf(roof), std::nullopt});
  for (Line& line : lines)
    (line.roof->kind == "flops" ? scene.ceilings : scene.slopes).push_back(std::move(line));
  if (scene.ceilings.empty() && scene.slopes.empty()) return std::nullopt;
  const auto faster = [](const Line& a, const Line& b) { return a.roof->value > b.roof->value; };
  std::stable_sort(scene.slopes.begin(), scene.slopes.end(), faster);
  std::stable_sort(scene.ceilings.begin(), scene.ceilings.end(), faster);
  AddRidges(scene);
  ChooseRanges(scene);
  return scene;
}

std::string Grid(const Scene& scene) {
  std::string svg;
  const double bottom = kTop + kPlotHeight;
  for (double x = scene.least_x; x < scene.most_x * 1.001; x *= 10) {
    svg += fmt::format(
        "<path class='grid' d='M{0:.1f} {1} V{2}'/><text x='{0:.1f}' y='{3}' "
        "text-anchor='middle'>{4:g}</text>\n",
        scene.X(x), kTop, bottom, bottom + 18, x);
  }
  for (double y = scene.least_y; y < scene.most_y * 1.001; y *= 10) {
    svg += fmt::format(
        "<path class='grid' d='M{0} {1:.1f} H{2}'/><text class='source' x='{3}' y='{4:.1f}' "
        "text-anchor='end'>{5:g}</text>\n",
        kLeft, scene.Y(y), kLeft + kPlotWidth, kLeft + kPlotWidth - 4, scene.Y(y) - 3, y / 1e9);
  }
  return svg + fmt::format(
                   "<text x='{0}' y='{1}' text-anchor='middle' class='axis'>operations per byte "
                   "(FLOP/B)</text><text x='{2}' y='{3}' text-anchor='end' class='axis'>GFLOP/s, "
                   "Gop/s</text>\n",
                   kLeft + kPlotWidth / 2, bottom + 40, kLeft + kPlotWidth, kTop - 6);
}

/// Where texts stand that should stand at `wanted` (ascending), a line apart, within the plot.
std::vector<double> Apart(const std::vector<double>& wanted) {
  std::vector<double> at = wanted;
  for (std::size_t i = 1; i < at.size(); ++i) at[i] = std::max(at[i], at[i - 1] + kLineHeight - 2);
  double limit = kTop + kPlotHeight;
  for (std::size_t i = at.size(); i-- > 0; limit = at[i] - (kLineHeight - 2))
    at[i] = std::min(at[i], limit);
  return at;
}

std::string Path(const Line& line, double x1, double y1, double x2, double y2) {
  return fmt::format(
      "<path class='{}' stroke='{}' d='M{:.1f} {:.1f} L{:.1f} {:.1f}'><title>{}: "
      "{}</title></path>\n",
      line.measured ? "measured" : "sheet", line.colour, x1, y1, x2, y2, Escaped(line.roof->name),
      Escaped(line.roof->how));
}

std::string LabelText(const Line& line) {
  std::string text =
      fmt::format("{}  {}", line.roof->name, Quantity(line.roof->value, UnitOf(*line.roof)));
  if (line.ridge) text += fmt::format(", ridge {:.3g}", *line.ridge);
  if (!line.measured) text += " (sheet)";
  return Escaped(text);
}

std::string Slopes(const Scene& scene) {
  const double top = scene.ceilings.empty() ? scene.most_y : scene.ceilings.front().roof->value;
  std::string svg;
  std::vector<double> wanted;
  for (const Line& line : scene.slopes) {
    const double bandwidth = line.roof->value;
    const double x1 = std::max(scene.least_x, scene.least_y / bandwidth);
    const double x2 = std::min(scene.most_x, top / bandwidth);
    svg += Path(line, scene.X(x1), scene.Y(x1 * bandwidth), scene.X(x2), scene.Y(x2 * bandwidth));
    wanted.push_back(scene.Y(x1 * bandwidth));
  }
  const std::vector<double> at = Apart(wanted);
  for (std::size_t i = 0; i < at.size(); ++i) {
    svg += fmt::format(
        "<path class='leader' d='M{} {:.1f} L{} {:.1f}'/><text x='{}' y='{:.1f}' "
        "text-anchor='end'>{}</text>\n",
        kLeft, wanted[i], kLeft - 12, at[i], kLeft - 15, at[i] + 4, LabelText(scene.slopes[i]));
  }
  return svg;
}

std::string Ceilings(const Scene& scene) {
  double fastest = 0;
  for (const Line& slope : scene.slopes) fastest = std::max(fastest, slope.roof->value);
  std::string svg;
  std::vector<double> wanted;
  const double end = kLeft + kPlotWidth;
  for (const Line& line : scene.ceilings) {
    const double y = scene.Y(line.roof->value);
    const double from = fastest > 0 ? line.roof->value / fastest : scene.least_x;
    svg += Path(line, scene.X(std::max(from, scene.least_x)), y, end, y);
    if (line.ridge) {
      svg += fmt::format(
          "<circle class='{}' cx='{:.1f}' cy='{:.1f}' r='4' stroke='{}'><title>{}: ridge at {:.3g} "
          "operations per byte</title></circle>\n",
          line.measured ? "ridge" : "ridge sheet", scene.X(*line.ridge), y, line.colour,
          Escaped(line.roof->name), *line.ridge);
    }
    wanted.push_back(y);
  }
  const std::vector<double> at = Apart(wanted);
  for (std::size_t i = 0; i < at.size(); ++i) {
    svg += fmt::format(
        "<path class='leader' d='M{} {:.1f} L{} {:.1f}'/><text x='{}' y='{:.1f}' fill='{}'>{}"
        "</text>\n",
        end, wanted[i], end + 12, at[i], end + 15, at[i] + 4, scene.ceilings[i].colour,
        LabelText(scene.ceilings[i]));
  }
  return svg;
}

/// `text` cut to what a line of the legend holds, at a character of UTF-8.
std::string Shortened(std::string text) {
  if (text.size() <= kLongestSource) return text;
  std::size_t end = kLongestSource;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "...";
}

std::vector<const Line*> AllLines(const Scene& scene) {
  std::vector<const Line*> lines;
  for (const Line& line : scene.ceilings) lines.push_back(&line);
  for (const Line& line : scene.slopes) lines.push_back(&line);
  return lines;
}

std::string Legend(const Scene& scene, double top) {
  std::string svg;
  for (const Line* line : AllLines(scene)) {
    svg += Path(*line, 20, top - 4, 52, top - 4);
    svg += fmt::format(
        "<text x='60' y='{0}'>{1}</text><text x='{2}' y='{0}' class='source'>{3}</text>\n", top,
        LabelText(*line), 340,
        Escaped(Shortened(fmt::format("{}: {}", line->roof->provenance, line->roof->how))));
    top += kLineHeight;
  }
  return svg;
}

constexpr std::string_view kStyle =
    "text{font:12px system-ui,sans-serif;fill:#1a2027}.axis,.source{fill:#5b6670}"
    ".title{font-size:18px;font-weight:600}.grid{stroke:#dfe3e8;fill:none}"
    ".leader{stroke:#aab3bc;fill:none}.measured{stroke-width:2;fill:none}"
    ".sheet{stroke-width:1.5;stroke-dasharray:7 5;fill:none}"
    ".ridge{fill:#fff;stroke-width:2;stroke-dasharray:none}.source{font-size:10.5px}";

}  // namespace

std::string RooflineSvg(const RooflinePicture& picture) {
  const std::optional<Scene> scene = SceneOf(picture);
  if (!scene) return "";
  const double legend = kTop + kPlotHeight + kAxisHeight + 10;
  const double height =
      legend + kLineHeight * static_cast<double>(AllLines(*scene).size()) + kLineHeight;
  return fmt::format(
             "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {0} {1}' width='{0}' "
             "height='{1}' role='img' aria-label='Roofline of {2}'>\n<style>{3}</style>\n"
             "<rect width='{0}' height='{1}' fill='#fff'/>\n"
             "<text x='20' y='30' class='title'>{2}</text>\n"
             "<text x='20' y='50' class='source'>{4}</text>\n",
             kWidth, height, Escaped(picture.title), kStyle,
             Escaped(Shortened(picture.conditions))) +
         Grid(*scene) + Slopes(*scene) + Ceilings(*scene) + Legend(*scene, legend) + "</svg>\n";
}

std::string RooflinePage(const RooflinePicture& picture) {
  const std::optional<Scene> scene = SceneOf(picture);
  if (!scene) return "";
  std::string rows;
  for (const Line* line : AllLines(*scene)) {
    rows +=
        fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                    Escaped(line->roof->name), Quantity(line->roof->value, UnitOf(*line->roof)),
                    line->roof->cores > 0 ? std::to_string(line->roof->cores) : "",
                    line->ridge ? fmt::format("{:.3g}", *line->ridge) : "",
                    Escaped(line->roof->provenance), Escaped(line->roof->how));
  }
  return fmt::format(
      "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'><title>Roofs of {0}</title>"
      "<style>body{{margin:24px;background:#fff;color:#1a2027;font:14px/1.5 system-ui,sans-serif}}"
      "svg{{max-width:100%;height:auto}}table{{border-collapse:collapse}}td,th{{text-align:left;"
      "padding:3px 14px 3px 0;border-bottom:1px solid #dfe3e8;vertical-align:top}}</style></head>"
      "<body>\n{1}<p>{2}</p>\n<table><tr><th>roof</th><th>value</th><th>cores</th>"
      "<th>ridge, FLOP/B</th><th>from</th><th>how</th></tr>\n{3}</table></body></html>\n",
      Escaped(picture.title), RooflineSvg(picture), Escaped(picture.conditions), rows);
}

}  // namespace xsp::roofs
