#include "ingest/importers/kineto/shapes.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace xsp::importers::kineto {
namespace {

bool IsSpace(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

// C++ names, as PyTorch's profiler writes them (caffe2::TypeMeta::name()).
constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kTypes = {{
    {"float", "float32"},
    {"double", "float64"},
    {"c10::Half", "float16"},
    {"c10::BFloat16", "bfloat16"},
    {"long int", "int64"},
    {"long", "int64"},
    {"int", "int32"},
    {"short int", "int16"},
    {"short", "int16"},
    {"signed char", "int8"},
    {"unsigned char", "uint8"},
    {"bool", "bool"},
}};

std::string_view OurNameOf(std::string_view type) {
  const auto found = std::find_if(kTypes.begin(), kTypes.end(),
                                  [&](const auto& pair) { return pair.first == type; });
  return found == kTypes.end() ? type : found->second;
}

}  // namespace

std::string_view ShapesOf(std::string_view dims, std::string& scratch) {
  scratch.clear();
  std::copy_if(dims.begin(), dims.end(), std::back_inserter(scratch),
               [](char c) { return !IsSpace(c); });
  return scratch;
}

std::string_view TypesOf(std::string_view types, std::string& scratch) {
  scratch.assign(1, '[');
  for (std::size_t at = 0; at < types.size();) {
    const std::size_t open = types.find('"', at);
    if (open == std::string_view::npos) break;
    const std::size_t close = types.find('"', open + 1);
    if (close == std::string_view::npos) break;
    if (scratch.size() > 1) scratch += ',';
    scratch += OurNameOf(types.substr(open + 1, close - open - 1));
    at = close + 1;
  }
  scratch += ']';
  return scratch;
}

std::string_view ValuesOf(std::string_view values, std::string& scratch) {
  scratch.clear();
  bool quoted = false, first = true;
  for (const char c : values) {
    if (c == '"') {
      quoted = !quoted;
      if (quoted && !first) scratch += ';';
      first = false;
    } else if (quoted && !IsSpace(c) && c != '\\' && c != ';') {
      scratch += c;
    }
  }
  return scratch;
}

}  // namespace xsp::importers::kineto
