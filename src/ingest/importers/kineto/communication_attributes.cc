#include "ingest/importers/kineto/communication_attributes.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace xsp::importers::kineto {
namespace {

struct ElementType {
  std::string_view theirs;
  std::string_view ours;
  double bytes;
};

// c10::toString(ScalarType), as ParamCommsDebugInfo writes it.
constexpr std::array kElementTypes = {
    ElementType{"Float", "float32", 4},
    ElementType{"Half", "float16", 2},
    ElementType{"BFloat16", "bfloat16", 2},
    ElementType{"Double", "float64", 8},
    ElementType{"Long", "int64", 8},
    ElementType{"Int", "int32", 4},
    ElementType{"Short", "int16", 2},
    ElementType{"Char", "int8", 1},
    ElementType{"Byte", "uint8", 1},
    ElementType{"Bool", "bool", 1},
    ElementType{"Float8_e4m3fn", "float8_e4m3fn", 1},
    ElementType{"Float8_e5m2", "float8_e5m2", 1},
    ElementType{"ComplexHalf", "complex32", 4},
    ElementType{"ComplexFloat", "complex64", 8},
    ElementType{"ComplexDouble", "complex128", 16},
};

}  // namespace

void AddCollective(const Event& event, trace::SpanId span, trace::TraceWriter& writer) {
  constexpr std::string_view kReported = "reported:kineto";
  constexpr std::string_view kMark = "\"Collective name\"";
  if (event.arguments.text.find(kMark) == std::string_view::npos) return;
  std::string scratch;
  std::optional<double> input, output;
  const ElementType* type = nullptr;
  ForEachMember(event.arguments.text, [&](const Value& key, const Value& value) {
    const auto keep = [&](std::string_view attribute) {
      const std::string_view text = Unescape(value, scratch);
      if (!text.empty()) writer.AddAttribute(span, attribute, text);
    };
    if (key.text == "Collective name") {
      keep(trace::attribute::kCollective);
    } else if (key.text == "Process Group Name") {
      keep(trace::attribute::kProcessGroup);
    } else if (key.text == "Process Group Ranks") {
      keep(trace::attribute::kProcessGroupRanks);
    } else if (key.text == "Group size") {
      if (const auto size = ToDouble(value); size && *size > 0)
        writer.AddMetric(span, trace::metric::kGroupSize, *size, "1", kReported);
    } else if (key.text == "In msg nelems") {
      input = ToDouble(value);
    } else if (key.text == "Out msg nelems") {
      output = ToDouble(value);
    } else if (key.text == "dtype") {
      const std::string_view text = Unescape(value, scratch);
      const auto* found =
          std::find_if(kElementTypes.begin(), kElementTypes.end(),
                       [&](const ElementType& element) { return element.theirs == text; });
      if (found != kElementTypes.end()) type = found;
      if (!text.empty())
        writer.AddAttribute(span, trace::attribute::kDtype, type ? type->ours : text);
    }
  });
  // Of a group of calls that was launched as one, it says no elements at all.
  const double elements = std::max(input.value_or(0), output.value_or(0));
  if (type != nullptr && elements > 0)
    writer.AddMetric(span, trace::metric::kMessageBytes, elements * type->bytes, "byte", kReported);
}

void AddAwaitedStream(const Event& event, trace::SpanId span, trace::TraceWriter& writer) {
  ForEachMember(event.arguments.text, [&](const Value& key, const Value& value) {
    if (key.text != "wait_on_stream") return;
    const auto stream = ToInteger(value);
    if (stream && *stream >= 0)
      writer.AddAttribute(span, trace::attribute::kAwaitedStream, std::to_string(*stream));
  });
}

}  // namespace xsp::importers::kineto
