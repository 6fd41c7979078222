#include "ingest/importers/otlp/json_batch.h"

#include <cmath>
#include <limits>
#include <utility>

#include "core/utf8.h"
#include "ingest/importers/json_text.h"
#include "ingest/importers/trace_event.h"

namespace xsp::importers::otlp {
namespace {

constexpr std::size_t kShownText = 200;
constexpr int kDeepestValue = 16;  // Of arrays in arrays.

std::string TextOf(const Value& value) {
  std::string scratch;
  return core::ToCleanUtf8(Unescape(value, scratch));
}

/// Calls `each(value)` for the elements of the array `array`, as far as it can be read.
template <typename Each>
void ForEachElement(const Value& array, Each each) {
  if (array.kind != Value::Kind::kArray || array.text.size() < 2) return;
  Cursor cursor{array.text.data() + 1, array.text.data() + array.text.size()};
  bool closed = false;
  if (ReadSeparator(cursor, ']', closed) == Scan::kMore) return;
  while (!closed) {
    Value value;
    if (ReadValue(cursor, value) != Scan::kDone) return;
    each(value);
    if (ReadSeparator(cursor, ']', closed) != Scan::kDone) return;
  }
}

template <typename Each>
void EachMemberOf(const Value& object, Each each) {
  if (object.kind == Value::Kind::kObject) ForEachMember(object.text, each);
}

AnyValue ReadAnyValue(const Value& object, int depth);

std::string ReadList(const Value& list, int depth) {
  std::string text;
  EachMemberOf(list, [&](const Value& key, const Value& values) {
    if (key.text != "values") return;
    ForEachElement(values, [&](const Value& value) {
      text += (text.empty() ? "" : ",") + ToJson(ReadAnyValue(value, depth + 1));
    });
  });
  return "[" + text + "]";
}

Attribute ReadAttribute(const Value& object, int depth) {
  Attribute attribute;
  EachMemberOf(object, [&](const Value& key, const Value& value) {
    if (key.text == "key") attribute.key = TextOf(value);
    if (key.text == "value") attribute.value = ReadAnyValue(value, depth);
  });
  return attribute;
}

std::string ReadMap(const Value& map, int depth) {
  std::string text;
  EachMemberOf(map, [&](const Value& key, const Value& values) {
    if (key.text != "values") return;
    ForEachElement(values, [&](const Value& value) {
      const Attribute member = ReadAttribute(value, depth + 1);
      text += (text.empty() ? "" : ",") + QuotedJson(member.key) + ":" + ToJson(member.value);
    });
  });
  return "{" + text + "}";
}

double NumberOf(const Value& value) {
  if (value.text == "Infinity") return std::numeric_limits<double>::infinity();
  if (value.text == "-Infinity") return -std::numeric_limits<double>::infinity();
  return ToDouble(value).value_or(std::nan(""));
}

AnyValue ReadAnyValue(const Value& object, int depth) {
  using Kind = AnyValue::Kind;
  AnyValue any;
  if (depth > kDeepestValue) return any;
  EachMemberOf(object, [&](const Value& key, const Value& value) {
    if (key.text == "stringValue") {
      any = {.kind = Kind::kText, .text = TextOf(value)};
    } else if (key.text == "bytesValue") {
      any = {.kind = Kind::kText, .text = TextOf(value)};
    } else if (key.text == "intValue") {
      const auto integer = ToInteger(value);
      if (integer) any = {.kind = Kind::kInteger, .text = {}, .integer = *integer};
    } else if (key.text == "doubleValue") {
      any.kind = Kind::kNumber;
      any.number = NumberOf(value);
    } else if (key.text == "boolValue") {
      any.kind = Kind::kBool;
      any.boolean = value.text == "true";
    } else if (key.text == "arrayValue") {
      any = {.kind = Kind::kJson, .text = ReadList(value, depth)};
    } else if (key.text == "kvlistValue") {
      any = {.kind = Kind::kJson, .text = ReadMap(value, depth)};
    }
  });
  return any;
}

Attributes ReadAttributes(const Value& array) {
  Attributes attributes;
  ForEachElement(array, [&](const Value& value) {
    Attribute attribute = ReadAttribute(value, 0);
    if (!attribute.key.empty()) attributes.push_back(std::move(attribute));
  });
  return attributes;
}

/// Ids of another form stay zero, which no id is.
void ReadTraceId(const Value& value, SpanKey* key) {
  constexpr std::size_t kHalf = 16;
  if (value.text.size() != 2 * kHalf) return;
  const auto high = ReadHexId(value.text.substr(0, kHalf));
  const auto low = ReadHexId(value.text.substr(kHalf));
  if (!high || !low) return;
  key->trace_high = *high;
  key->trace_low = *low;
}

/// -1: not a time.
std::int64_t ReadTime(const Value& value) { return ToInteger(value).value_or(-1); }

EventRecord ReadEventRecord(const Value& object) {
  EventRecord event;
  EachMemberOf(object, [&](const Value& key, const Value& value) {
    if (key.text == "timeUnixNano") event.time_ns = ReadTime(value);
    if (key.text == "name") event.name = TextOf(value);
  });
  return event;
}

LinkRecord ReadLinkRecord(const Value& object) {
  LinkRecord link;
  EachMemberOf(object, [&](const Value& key, const Value& value) {
    if (key.text == "traceId") ReadTraceId(value, &link.from);
    if (key.text == "spanId") link.from.span = ReadHexId(value.text).value_or(0);
    if (key.text == "attributes") {
      const Attributes attributes = ReadAttributes(value);
      const AnyValue* kind = Find(attributes, "xsp.kind");
      link.is_launch = kind != nullptr && kind->text == "launch";
    }
  });
  return link;
}

void ReadStatus(const Value& object, SpanRecord* span) {
  EachMemberOf(object, [&](const Value& key, const Value& value) {
    if (key.text == "code") span->is_error = value.text == "2" || value.text == "STATUS_CODE_ERROR";
    if (key.text == "message") span->error = TextOf(value);
  });
}

/// False: an id that is no id.
bool ReadSpanMember(const Value& key, const Value& value, SpanRecord* span) {
  if (key.text == "traceId") {
    ReadTraceId(value, &span->key);
  } else if (key.text == "spanId") {
    span->key.span = ReadHexId(value.text).value_or(0);
  } else if (key.text == "parentSpanId") {
    const auto parent = ReadHexId(value.text);
    if (!parent && !value.text.empty() && value.text != "null") return false;
    span->parent = parent.value_or(0);
  } else if (key.text == "name") {
    span->name = TextOf(value);
  } else if (key.text == "startTimeUnixNano") {
    span->start_ns = ReadTime(value);
  } else if (key.text == "endTimeUnixNano") {
    span->end_ns = ReadTime(value);
  } else if (key.text == "attributes") {
    span->attributes = ReadAttributes(value);
  } else if (key.text == "events") {
    ForEachElement(value, [&](const Value& e) { span->events.push_back(ReadEventRecord(e)); });
  } else if (key.text == "links") {
    ForEachElement(value, [&](const Value& e) { span->links.push_back(ReadLinkRecord(e)); });
  } else if (key.text == "status") {
    ReadStatus(value, span);
  }
  return true;
}

void VisitSpan(const Value& value, BatchVisitor& visitor) {
  if (value.kind != Value::Kind::kObject)
    return visitor.OnFlaw(Flaw::kDamaged, value.text.substr(0, kShownText));
  SpanRecord span;
  bool has_parent = true;
  EachMemberOf(value, [&](const Value& key, const Value& member) {
    has_parent = ReadSpanMember(key, member, &span) && has_parent;
  });
  const auto flaw = has_parent ? FlawOf(span) : std::optional(Flaw::kBadId);
  if (flaw) return visitor.OnFlaw(*flaw, value.text.substr(0, kShownText));
  visitor.OnSpan(std::move(span));
}

/// Walks down to the spans, so that of a text of any length one span is in memory.
class JsonWalk {
 public:
  JsonWalk(TextWindow& window, BatchVisitor& visitor) : window_(window), visitor_(visitor) {}

  bool has_resource_spans() const { return has_resource_spans_; }

  /// False: the text is no JSON from here on, or ends within.
  bool Request() {
    return Members([&](std::string_view key) {
      if (key != "resourceSpans") return Skip();
      has_resource_spans_ = true;
      return Elements([&] { return ResourceSpans(); });
    });
  }

  /// Whether more than white space follows.
  bool HasMore() {
    while (!SkipSpace(window_.cursor))
      if (!window_.More()) return false;
    return true;
  }

 private:
  bool ResourceSpans() {
    // A resource without attributes may be left out.
    visitor_.OnResource({});
    return Members([&](std::string_view key) {
      if (key == "scopeSpans") return Elements([&] { return ScopeSpans(); });
      if (key != "resource") return Skip();
      Value value;
      if (!Take(&value)) return false;
      EachMemberOf(value, [&](const Value& name, const Value& member) {
        if (name.text == "attributes") visitor_.OnResource(ReadAttributes(member));
      });
      return true;
    });
  }

  bool ScopeSpans() {
    visitor_.OnScope("", "");
    return Members([&](std::string_view key) {
      if (key == "spans")
        return Elements([&] {
          Value value;
          if (!Take(&value)) return false;
          VisitSpan(value, visitor_);
          return true;
        });
      if (key != "scope") return Skip();
      Value value;
      if (!Take(&value)) return false;
      std::string name, version;
      EachMemberOf(value, [&](const Value& member, const Value& text) {
        if (member.text == "name") name = TextOf(text);
        if (member.text == "version") version = TextOf(text);
      });
      visitor_.OnScope(name, version);
      return true;
    });
  }

  template <typename Read>
  bool Retry(Read read) {
    for (;;) {
      const Scan scan = read();
      if (scan == Scan::kMore && window_.More()) continue;
      return scan == Scan::kDone;
    }
  }
  bool Take(Value* value) {
    return Retry([&] { return ReadValue(window_.cursor, *value); });
  }
  bool Skip() {
    Value ignored;
    return Take(&ignored);
  }

  /// Steps behind the bracket `open`, and tells whether `close` follows at once. A value of another
  /// kind (null) is passed over as if it were empty.
  bool Enter(char open, char close, bool* is_closed) {
    if (!HasMore()) return false;
    if (*window_.cursor.at != open) {
      *is_closed = true;
      return Skip();
    }
    ++window_.cursor.at;
    Scan scan = Scan::kMore;
    // kBad: no comma and no bracket, so the first element.
    while ((scan = ReadSeparator(window_.cursor, close, *is_closed)) == Scan::kMore)
      if (!window_.More()) return false;
    return true;
  }

  /// `each(key)` reads the value.
  template <typename Each>
  bool Members(Each each) {
    bool closed = false;
    if (!Enter('{', '}', &closed)) return false;
    while (!closed) {
      Value key;
      if (!Retry([&] { return ReadKey(window_.cursor, key); })) return false;
      if (!each(key.text)) return false;
      if (!Retry([&] { return ReadSeparator(window_.cursor, '}', closed); })) return false;
    }
    return true;
  }
  template <typename Each>
  bool Elements(Each each) {
    bool closed = false;
    if (!Enter('[', ']', &closed)) return false;
    while (!closed) {
      if (!each()) return false;
      if (!Retry([&] { return ReadSeparator(window_.cursor, ']', closed); })) return false;
    }
    return true;
  }

  TextWindow& window_;
  BatchVisitor& visitor_;
  bool has_resource_spans_ = false;
};

}  // namespace

bool ReadJsonBatches(ByteStream& stream, std::size_t chunk_bytes, BatchVisitor& visitor) {
  TextWindow window(stream, chunk_bytes);
  JsonWalk walk(window, visitor);
  while (walk.HasMore()) {
    const bool is_object = *window.cursor.at == '{';
    if (is_object && walk.Request()) continue;
    if (walk.has_resource_spans()) visitor.OnFlaw(Flaw::kDamaged, "the JSON is broken or cut off");
    break;
  }
  return walk.has_resource_spans();
}

}  // namespace xsp::importers::otlp
