#ifndef XSP_PIPELINE_STEPS_NAMED_STEP_H_
#define XSP_PIPELINE_STEPS_NAMED_STEP_H_

#include <string>

#include "capture/wire/xsp.h"

namespace xsp::pipeline {

/// What a step of any kind has: the name it goes by in a manifest and in spans.
class NamedStep {
 public:
  virtual ~NamedStep() = default;

  const std::string& name() const { return name_; }
  xsp_string span_name() const { return span_name_; }

  /// Interns the name for the step's spans.
  void SetName(const std::string& name) {
    name_ = name;
    span_name_ = xsp_intern(name.data(), name.size());
  }

 private:
  std::string name_;
  xsp_string span_name_ = 0;
};

}  // namespace xsp::pipeline

#endif  // XSP_PIPELINE_STEPS_NAMED_STEP_H_
