#include "ingest/importers/otlp/protobuf_batch.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <utility>

#include "core/utf8.h"

namespace xsp::importers::otlp {
namespace {

constexpr int kDeepestAnyValue = 16;

/// One field of a message (https://protobuf.dev/programming-guides/encoding).
struct WireField {
  std::uint32_t number = 0;
  std::uint64_t value = 0;  ///< A varint, or the bits of a fixed number.
  std::string_view bytes;   ///< A text or message; part of the whole one.
};

class WireReader {
 public:
  explicit WireReader(std::string_view message) : rest_(message) {}

  /// False at the end and at the first damage.
  bool Next(WireField* field) {
    if (rest_.empty()) return false;
    std::uint64_t tag = 0;
    *field = {};
    if (!Varint(&tag) || tag >> 3 == 0 || tag >> 32 != 0) return Stop();
    field->number = static_cast<std::uint32_t>(tag >> 3);
    std::uint64_t size = 0;
    switch (tag & 7) {
      case 0:
        return Varint(&field->value) || Stop();
      case 1:
      case 5:
        size = (tag & 7) == 1 ? 8 : 4;
        if (size > rest_.size()) return Stop();
        for (std::size_t i = 0; i < size; ++i)
          field->value |= std::uint64_t{static_cast<unsigned char>(rest_[i])} << (8 * i);
        rest_.remove_prefix(size);
        return true;
      case 2:
        if (!Varint(&size) || size > rest_.size()) return Stop();
        field->bytes = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return true;
      default:
        return Stop();
    }
  }
  bool is_damaged() const { return is_damaged_; }

 private:
  bool Varint(std::uint64_t* value) {
    for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      *value |= std::uint64_t{byte & 0x7fU} << shift;
      if ((byte & 0x80U) == 0) return true;
    }
    return false;
  }
  bool Stop() {
    is_damaged_ = true;
    rest_ = {};
    return false;
  }

  std::string_view rest_;
  bool is_damaged_ = false;
};

/// Calls `each(field)`; whether the message is whole.
template <typename Each>
bool EachField(std::string_view message, Each each) {
  WireReader reader(message);
  WireField field;
  while (reader.Next(&field)) each(field);
  return !reader.is_damaged();
}

// The numbers of fields are those of common.proto, resource.proto and trace.proto, which never
// change.

AnyValue ReadAny(std::string_view message, int depth);

Attribute ReadKeyValue(std::string_view message, int depth) {
  Attribute attribute;
  EachField(message, [&](const WireField& field) {
    if (field.number == 1) attribute.key = core::ToCleanUtf8(field.bytes);
    if (field.number == 2) attribute.value = ReadAny(field.bytes, depth);
  });
  return attribute;
}

std::string ReadValues(std::string_view message, bool is_map, int depth) {
  std::string text;
  EachField(message, [&](const WireField& field) {
    if (field.number != 1) return;
    if (!text.empty()) text += ",";
    if (!is_map) {
      text += ToJson(ReadAny(field.bytes, depth + 1));
      return;
    }
    const Attribute member = ReadKeyValue(field.bytes, depth + 1);
    text += QuotedJson(member.key) + ":" + ToJson(member.value);
  });
  return is_map ? "{" + text + "}" : "[" + text + "]";
}

/// As the JSON encoding writes bytes.
std::string Base64(std::string_view bytes) {
  static constexpr char kDigits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t j = 0; j < 3; ++j)
      three = three << 8 | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    for (std::size_t j = 0; j < 4; ++j)
      text += i + j > bytes.size() ? '=' : kDigits[three >> (18 - 6 * j) & 63U];
  }
  return text;
}

AnyValue ReadAny(std::string_view message, int depth) {
  using Kind = AnyValue::Kind;
  AnyValue any;
  if (depth > kDeepestAnyValue) return any;
  EachField(message, [&](const WireField& field) {
    any = {};
    if (field.number == 1) any = {.kind = Kind::kText, .text = core::ToCleanUtf8(field.bytes)};
    if (field.number == 7) any = {.kind = Kind::kText, .text = Base64(field.bytes)};
    if (field.number == 5 || field.number == 6)
      any = {.kind = Kind::kJson, .text = ReadValues(field.bytes, field.number == 6, depth)};
    if (field.number == 2) {
      any.kind = Kind::kBool;
      any.boolean = field.value != 0;
    }
    if (field.number == 3) {
      any.kind = Kind::kInteger;
      any.integer = static_cast<std::int64_t>(field.value);
    }
    if (field.number == 4) {
      any.kind = Kind::kNumber;
      any.number = std::bit_cast<double>(field.value);
    }
  });
  return any;
}

void AddAttribute(std::string_view message, Attributes* attributes) {
  Attribute attribute = ReadKeyValue(message, 0);
  if (!attribute.key.empty()) attributes->push_back(std::move(attribute));
}

/// 0, which no id is: of another length.
std::uint64_t IdOf(std::string_view bytes) {
  std::uint64_t id = 0;
  if (bytes.size() != sizeof id) return 0;
  for (const char byte : bytes) id = id << 8 | static_cast<unsigned char>(byte);
  return id;
}
void SetTraceId(std::string_view bytes, SpanKey* key) {
  constexpr std::size_t kBytes = 16;
  if (bytes.size() != kBytes) return;
  key->trace_high = IdOf(bytes.substr(0, kBytes / 2));
  key->trace_low = IdOf(bytes.substr(kBytes / 2));
}

std::int64_t TimeOf(std::uint64_t time) {
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  return time > kMost ? -1 : static_cast<std::int64_t>(time);
}

LinkRecord LinkOf(std::string_view message) {
  LinkRecord link;
  Attributes attributes;
  EachField(message, [&](const WireField& field) {
    if (field.number == 1) SetTraceId(field.bytes, &link.from);
    if (field.number == 2) link.from.span = IdOf(field.bytes);
    if (field.number == 4) AddAttribute(field.bytes, &attributes);
  });
  const AnyValue* kind = Find(attributes, "xsp.kind");
  link.is_launch = kind != nullptr && kind->text == "launch";
  return link;
}

EventRecord EventOf(std::string_view message) {
  EventRecord event;
  EachField(message, [&](const WireField& field) {
    if (field.number == 1) event.time_ns = TimeOf(field.value);
    if (field.number == 2) event.name = core::ToCleanUtf8(field.bytes);
  });
  return event;
}

void VisitProtobufSpan(std::string_view message, BatchVisitor& visitor) {
  SpanRecord span;
  bool has_good_parent = true;
  const bool is_whole = EachField(message, [&](const WireField& field) {
    switch (field.number) {
      case 1:
        return SetTraceId(field.bytes, &span.key);
      case 2:
        span.key.span = IdOf(field.bytes);
        return;
      case 4:
        span.parent = IdOf(field.bytes);
        has_good_parent = field.bytes.empty() || field.bytes.size() == sizeof span.parent;
        return;
      case 5:
        span.name = core::ToCleanUtf8(field.bytes);
        return;
      case 7:
        span.start_ns = TimeOf(field.value);
        return;
      case 8:
        span.end_ns = TimeOf(field.value);
        return;
      case 9:
        return AddAttribute(field.bytes, &span.attributes);
      case 11:
        span.events.push_back(EventOf(field.bytes));
        return;
      case 13:
        span.links.push_back(LinkOf(field.bytes));
        return;
      case 15:
        EachField(field.bytes, [&](const WireField& status) {
          if (status.number == 2) span.error = core::ToCleanUtf8(status.bytes);
          if (status.number == 3) span.is_error = status.value == 2;  // STATUS_CODE_ERROR
        });
        return;
      default:
        return;
    }
  });
  if (!is_whole) return visitor.OnFlaw(Flaw::kDamaged, span.name);
  const auto flaw = has_good_parent ? FlawOf(span) : std::optional(Flaw::kBadId);
  if (flaw) return visitor.OnFlaw(*flaw, span.name);
  visitor.OnSpan(std::move(span));
}

bool VisitScopeSpans(std::string_view message, BatchVisitor& visitor) {
  // The Collector writes the scope and the resource behind what they are about.
  std::string name, version;
  EachField(message, [&](const WireField& field) {
    if (field.number != 1) return;
    EachField(field.bytes, [&](const WireField& scope) {
      if (scope.number == 1) name = core::ToCleanUtf8(scope.bytes);
      if (scope.number == 2) version = core::ToCleanUtf8(scope.bytes);
    });
  });
  visitor.OnScope(name, version);
  return EachField(message, [&](const WireField& field) {
    if (field.number == 2) VisitProtobufSpan(field.bytes, visitor);
  });
}

bool VisitResourceSpans(std::string_view message, BatchVisitor& visitor) {
  Attributes attributes;
  EachField(message, [&](const WireField& field) {
    if (field.number != 1) return;
    EachField(field.bytes, [&](const WireField& resource) {
      if (resource.number == 1) AddAttribute(resource.bytes, &attributes);
    });
  });
  visitor.OnResource(attributes);
  bool is_whole = true;
  const bool is_message = EachField(message, [&](const WireField& field) {
    if (field.number == 2) is_whole = VisitScopeSpans(field.bytes, visitor) && is_whole;
  });
  return is_message && is_whole;
}

/// Steps into the message that `prefix` begins with, if its tag is `tag`; what is there of it.
bool StepInto(std::string_view* prefix, char tag) {
  if (prefix->empty() || prefix->front() != tag) return false;
  std::size_t at = 1;
  constexpr std::size_t kLongestSize = 5;
  while (at < prefix->size() && at < kLongestSize &&
         (static_cast<unsigned char>((*prefix)[at]) & 0x80U) != 0)
    ++at;
  if (at >= prefix->size()) return false;
  prefix->remove_prefix(at + 1);
  return true;
}

}  // namespace

bool ReadProtobufBatches(std::string_view message, BatchVisitor& visitor) {
  bool has_resources = false, is_whole = true;
  const bool is_message = EachField(message, [&](const WireField& field) {
    if (field.number != 1) return;
    has_resources = true;
    is_whole = VisitResourceSpans(field.bytes, visitor) && is_whole;
  });
  if (has_resources && !(is_message && is_whole))
    visitor.OnFlaw(Flaw::kDamaged, "the protobuf is broken or cut off");
  return has_resources || (is_message && message.empty());
}

bool BeginsAsProtobuf(std::string_view prefix) {
  constexpr char kField1 = 0x0a, kField2 = 0x12, kField3 = 0x1a;
  if (!StepInto(&prefix, kField1)) return false;  // ResourceSpans
  std::string_view schema = prefix;
  if (StepInto(&schema,
               kField3)) {  // Its schema_url comes first where fields are in falling order.
    const auto size = static_cast<unsigned char>(prefix[1]);
    if (size >= 0x80 || size > schema.size()) return false;
    prefix = schema.substr(size);
  }
  std::string_view scope = prefix;
  if (prefix.starts_with(std::string_view("\x0a\0", 2))) scope.remove_prefix(2);
  if (StepInto(&scope, kField2))  // ScopeSpans: its scope or a span
    return !scope.empty() &&
           std::string_view("\x0a\x12\x1a").find(scope.front()) != std::string_view::npos;
  // Resource, KeyValue, key.
  if (!StepInto(&prefix, kField1) || !StepInto(&prefix, kField1)) return false;
  if (prefix.size() < 3 || prefix.front() != kField1) return false;
  const auto size = static_cast<unsigned char>(prefix[1]);
  const std::string_view key = prefix.substr(2, size);
  return size > 0 && size < 0x80 &&
         std::ranges::all_of(key, [](char c) { return c > ' ' && c < 0x7f; });
}

}  // namespace xsp::importers::otlp
