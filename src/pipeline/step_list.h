#ifndef XSP_PIPELINE_STEP_LIST_H_
#define XSP_PIPELINE_STEP_LIST_H_

#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "capture/wire/xsp.h"
#include "pipeline/failure.h"
#include "pipeline/fields.h"

namespace xsp::pipeline {

/// A kind of step, pre- or post-processing: its name in a manifest, and what makes one.
template <typename AnyStep>
struct StepKind {
  const char* name;
  MaybeFailure (*make)(Fields& fields, const std::string& folder, std::unique_ptr<AnyStep>& step);
};

/// Makes the step that `description` ({"step": NAME, ...}) describes. `where` begins messages:
/// "pre-processing step 2"; the step's name is added to it.
template <typename AnyStep>
MaybeFailure MakeStep(const nlohmann::json& description, std::span<const StepKind<AnyStep>> kinds,
                      const std::string& folder, std::string& where,
                      std::unique_ptr<AnyStep>& step) {
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
    Fields fields(description, where);
    fields.Find("step");
    if (MaybeFailure failure = kind.make(fields, folder, step)) return failure;
    if (MaybeFailure failure = fields.Finish()) return failure;
    step->SetName(kind.name);
    return std::nullopt;
  }
  return BadInput("there is no step of this name: " + ForMessage(*name), "it is one of " + names);
}

/// Makes the steps of `list`, in order. `title` begins messages: "pre-processing". `follow` takes a
/// step and says why it cannot stand behind those before it, if it cannot. Returns the first thing
/// that is wrong; with `all` goes on, and adds what is wrong with each step.
template <typename AnyStep, typename Follow>
MaybeFailure MakeSteps(const nlohmann::json& list, const std::string& title,
                       std::span<const StepKind<AnyStep>> kinds, const std::string& folder,
                       Follow follow, std::vector<std::unique_ptr<AnyStep>>& steps,
                       std::vector<Failure>* all) {
  MaybeFailure first;
  const auto add = [&](Failure failure) {
    if (all) all->push_back(failure);
    if (!first) first = std::move(failure);
  };
  if (!list.is_array() || list.empty()) {
    add(BadInput(title + " must be a list of at least one step: " + ForMessage(list)));
    return first;
  }
  for (std::size_t i = 0; i < list.size() && (all || !first); ++i) {
    std::string where = title + " step " + std::to_string(i + 1);
    std::unique_ptr<AnyStep> step;
    MaybeFailure failure = MakeStep(list[i], kinds, folder, where, step);
    // What comes out of a wrong step is not known.
    if (!failure && !first) failure = follow(*step);
    if (!failure) {
      steps.push_back(std::move(step));
      continue;
    }
    // What is wrong with a parameter says where already.
    if (!failure->what.starts_with(where)) failure->what = where + ": " + failure->what;
    failure->step = static_cast<int>(i);
    add(std::move(*failure));
  }
  return first;
}

/// Runs the steps on `state`, each in a span of its own.
template <typename AnyStep, typename State>
MaybeFailure RunSteps(const std::vector<std::unique_ptr<AnyStep>>& steps, State& state) {
  static const xsp_string kRange = xsp_intern("range", 5);
  for (const std::unique_ptr<AnyStep>& step : steps) {
    const xsp_span span = xsp_begin(XSP_LEVEL_APPLICATION, kRange, step->span_name());
    MaybeFailure failure = WithoutExceptions([&] { return step->Run(state); });
    xsp_end(span);
    if (failure) {
      failure->what = step->name() + ": " + failure->what;
      return failure;
    }
  }
  return std::nullopt;
}

}  // namespace xsp::pipeline

#endif  // XSP_PIPELINE_STEP_LIST_H_
