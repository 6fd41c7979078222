#include "ingest/importers/otlp/span_record.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/json_text.h"
#include "core/utf8.h"

namespace xsp::importers::otlp {

std::string QuotedJson(std::string_view text) {
  return core::JsonText(nlohmann::json(core::ToCleanUtf8(text)));
}

std::string ToText(const AnyValue& value) {
  switch (value.kind) {
    case AnyValue::Kind::kText:
    case AnyValue::Kind::kJson:
      return value.text;
    case AnyValue::Kind::kInteger:
      return fmt::format("{}", value.integer);
    case AnyValue::Kind::kNumber:
      return fmt::format("{}", value.number);
    case AnyValue::Kind::kBool:
      return value.boolean ? "true" : "false";
    case AnyValue::Kind::kNone:
      break;
  }
  return "null";
}

std::string ToJson(const AnyValue& value) {
  const bool is_text = value.kind == AnyValue::Kind::kText ||
                       (value.kind == AnyValue::Kind::kNumber && !std::isfinite(value.number));
  return is_text ? QuotedJson(ToText(value)) : ToText(value);
}

const AnyValue* Find(const Attributes& attributes, std::string_view key) {
  for (const Attribute& attribute : attributes)
    if (attribute.key == key) return &attribute.value;
  return nullptr;
}

std::optional<std::uint64_t> ReadHexId(std::string_view digits) {
  constexpr std::size_t kDigits = 16;
  std::uint64_t id = 0;
  if (digits.size() != kDigits) return std::nullopt;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + kDigits, id, 16);
  if (error != std::errc() || end != digits.data() + kDigits) return std::nullopt;
  return id;
}

std::optional<Flaw> FlawOf(const SpanRecord& span) {
  if ((span.key.trace_high | span.key.trace_low) == 0 || span.key.span == 0) return Flaw::kBadId;
  // XSP exports times of a clock of its own from 0 on; else 0 is a time that is not stated.
  const std::int64_t earliest = Find(span.attributes, "xsp.level") == nullptr ? 1 : 0;
  if (span.start_ns < earliest || span.end_ns < 0) return Flaw::kBadTime;
  return std::nullopt;
}

}  // namespace xsp::importers::otlp
