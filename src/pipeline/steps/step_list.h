#ifndef XSP_PIPELINE_STEPS_STEP_LIST_H_
#define XSP_PIPELINE_STEPS_STEP_LIST_H_

#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "capture/wire/xsp.h"
#include "pipeline/base/errors.h"
#include "pipeline/base/parameters.h"

namespace xsp::pipeline {

/// A kind of step, pre- or post-processing: its name in a manifest, and what makes one.
template <typename AnyStep>
struct StepKind {
  const char* name;
  Status (*make)(Parameters& parameters, const std::string& folder, std::unique_ptr<AnyStep>& step);
};

/// Makes the step that `description` ({"step": NAME, ...}) describes. `where` begins messages:
/// "pre-processing step 2"; the step's name is added to it.
template <typename AnyStep>
Status MakeStep(const nlohmann::json& description, std::span<const StepKind<AnyStep>> kinds,
                const std::string& folder, std::string& where, std::unique_ptr<AnyStep>& step) {
  if (!description.is_object()) return BadInput("it must be an object: " + ForMessage(description));
  std::string names;
  for (const StepKind<AnyStep>& kind : kinds) {
    names += (names.empty() ? "" : ", ") + std::string(kind.name);
  }
  const auto name = description.find("step");
  if (name == description.end() || !name->is_string()) {
    return BadInput("it has no name", "give it as `step`: " + names);
  }
  for (const StepKind<AnyStep>& kind : kinds) {
    if (*name != kind.name) continue;
    where += std::string(", ") + kind.name;
    Parameters parameters(description, where);
    parameters.Find("step");
    XSP_RETURN_IF_ERROR(kind.make(parameters, folder, step));
    XSP_RETURN_IF_ERROR(parameters.Finish());
    step->SetName(kind.name);
    return Ok{};
  }
  return BadInput("there is no step of this name: " + ForMessage(*name), "it is one of " + names);
}

/// Makes the steps of `list`, in order. `title` begins messages: "pre-processing". `follow` takes a
/// step and says why it cannot stand behind those before it, if it cannot. Returns the first thing
/// that is wrong; with `all` goes on, and adds what is wrong with each step.
template <typename AnyStep, typename Follow>
Status MakeSteps(const nlohmann::json& list, const std::string& title,
                 std::span<const StepKind<AnyStep>> kinds, const std::string& folder, Follow follow,
                 std::vector<std::unique_ptr<AnyStep>>& steps, std::vector<Error>* all) {
  Status first = Ok{};
  const auto add = [&](Error error) {
    if (all) all->push_back(error);
    if (first.ok()) first = std::move(error);
  };
  if (!list.is_array() || list.empty()) {
    add(BadInput(title + " must be a list of at least one step: " + ForMessage(list)));
    return first;
  }
  for (std::size_t i = 0; i < list.size() && (all || first.ok()); ++i) {
    std::string where = title + " step " + std::to_string(i + 1);
    std::unique_ptr<AnyStep> step;
    Status made = MakeStep(list[i], kinds, folder, where, step);
    // What comes out of a wrong step is not known.
    if (made.ok() && first.ok()) made = follow(*step);
    if (made.ok()) {
      steps.push_back(std::move(step));
      continue;
    }
    Error error = made.error();
    // What is wrong with a parameter says where already.
    if (!error.what.starts_with(where)) error.what = where + ": " + error.what;
    error.step = static_cast<int>(i);
    add(std::move(error));
  }
  return first;
}

/// Runs the steps on `state`, each in a span of its own.
template <typename AnyStep, typename State>
Status RunSteps(const std::vector<std::unique_ptr<AnyStep>>& steps, State& state) {
  static const xsp_string kRange = xsp_intern("range", 5);
  for (const std::unique_ptr<AnyStep>& step : steps) {
    const xsp_span span = xsp_begin(XSP_LEVEL_APPLICATION, kRange, step->span_name());
    const Status done = WithoutExceptions([&] { return step->Run(state); });
    xsp_end(span);
    if (!done.ok()) {
      Error error = done.error();
      error.what = step->name() + ": " + error.what;
      return error;
    }
  }
  return Ok{};
}

}  // namespace xsp::pipeline

#endif  // XSP_PIPELINE_STEPS_STEP_LIST_H_
