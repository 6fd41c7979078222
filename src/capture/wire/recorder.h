#ifndef XSP_CAPTURE_WIRE_RECORDER_H_
#define XSP_CAPTURE_WIRE_RECORDER_H_

#include <atomic>
#include <cstdint>
#include <string_view>

#include "capture/wire/xsp.h"

namespace xsp::wire {

// The C++ face of xsp.h. Threading and what happens without a recording: as there. Header only.

/// The id of a text, made where it is used for the first time and kept: XSP_TEXT("predict").
/// No guarded static: a fork while another thread makes it would leave the child waiting for ever.
/// Making it twice is harmless, as the same text has the same id.
#define XSP_TEXT(literal)                                          \
  ([]() -> ::xsp_string {                                          \
    static constinit std::atomic<::xsp_string> xsp_text_id{0};     \
    ::xsp_string id = xsp_text_id.load(std::memory_order_relaxed); \
    if (id == 0) {                                                 \
      id = ::xsp_intern("" literal "", sizeof(literal) - 1);       \
      xsp_text_id.store(id, std::memory_order_relaxed);            \
    }                                                              \
    return id;                                                     \
  }())

inline xsp_string Intern(std::string_view text) { return xsp_intern(text.data(), text.size()); }

/// A recording for the length of a scope. `error()` is 0 or an errno value.
class RecordingScope {
 public:
  explicit RecordingScope(const char* path, const xsp_options* options = nullptr)
      : error_(xsp_open(path, options)) {}
  ~RecordingScope() {
    if (error_ == 0) xsp_close();
  }
  RecordingScope(const RecordingScope&) = delete;
  RecordingScope& operator=(const RecordingScope&) = delete;

  int error() const { return error_; }

 private:
  int error_;
};

/// A span for the length of a scope, on the thread that makes it.
class SpanScope {
 public:
  SpanScope(xsp_level level, xsp_string type, xsp_string name)
      : span_(xsp_enabled(level) ? xsp_begin(level, type, name) : 0) {}
  ~SpanScope() {
    if (span_ != 0) xsp_end(span_);
  }
  SpanScope(const SpanScope&) = delete;
  SpanScope& operator=(const SpanScope&) = delete;

  /// Whether it is recorded: worth asking before the value of an attribute is made.
  bool is_recorded() const { return span_ != 0; }
  xsp_span id() const { return span_; }

  void Metric(xsp_string name, double value, xsp_string unit, xsp_string provenance) const {
    xsp_metric(span_, name, value, unit, provenance);
  }
  /// Unlike xsp_attribute, nothing (not a fact) where the span is not recorded.
  void Attribute(xsp_string key, std::string_view value) const {
    if (span_ != 0) xsp_attribute(span_, key, value.data(), value.size());
  }

 private:
  const xsp_span span_;
};

/// Sets the levels for the length of a scope.
class LevelScope {
 public:
  explicit LevelScope(std::uint32_t mask) : before_(xsp_set_levels(mask)) {}
  ~LevelScope() { xsp_set_levels(before_); }
  LevelScope(const LevelScope&) = delete;
  LevelScope& operator=(const LevelScope&) = delete;

 private:
  const std::uint32_t before_;
};

inline void Mark(xsp_string name) { xsp_mark(name); }
inline void Counter(xsp_string name, double value, xsp_string unit) {
  xsp_counter(name, value, unit);
}
/// Something that holds for the whole process: Fact(XSP_TEXT("torch.version"), "2.15.0").
inline void Fact(xsp_string key, std::string_view value) {
  xsp_attribute(0, key, value.data(), value.size());
}

}  // namespace xsp::wire

#endif  // XSP_CAPTURE_WIRE_RECORDER_H_
