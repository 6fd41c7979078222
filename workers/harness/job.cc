#include "harness/job.h"
#include "core/json_text.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

namespace xsp::worker {
namespace {

using nlohmann::json;

static_assert(static_cast<int>(core::Dtype::kFloat32) == XSP_FLOAT32 &&
              static_cast<int>(core::Dtype::kFloat64) == XSP_FLOAT64 &&
              static_cast<int>(core::Dtype::kFloat16) == XSP_FLOAT16 &&
              static_cast<int>(core::Dtype::kBfloat16) == XSP_BFLOAT16 &&
              static_cast<int>(core::Dtype::kInt64) == XSP_INT64 &&
              static_cast<int>(core::Dtype::kInt32) == XSP_INT32 &&
              static_cast<int>(core::Dtype::kInt16) == XSP_INT16 &&
              static_cast<int>(core::Dtype::kInt8) == XSP_INT8 &&
              static_cast<int>(core::Dtype::kUint8) == XSP_UINT8 &&
              static_cast<int>(core::Dtype::kBool) == XSP_BOOL);

constexpr std::array<const char*, 6> kFills = {"normal", "uniform", "zeros",
                                               "ones",   "range",   "value"};

constexpr std::array<const char*, 5> kRungs = {"model", "layer", "kernel", "details", "counters"};

/// Takes typed fields out of a JSON object; remembers the first that is wrong.
class Fields {
 public:
  Fields(const json& object, std::string where) : object_(object), where_(std::move(where)) {}

  void Text(const char* key, std::string& value, bool required = false) {
    if (const json* field = Find(key, required)) {
      if (field->is_string()) {
        value = field->get<std::string>();
      } else {
        Wrong(key, "a string", *field);
      }
    }
  }

  template <typename T>
  void Integer(const char* key, T& value, std::int64_t low, std::int64_t high) {
    const json* field = Find(key, false);
    if (!field) return;
    // An unsigned value beyond int64 turns negative here, and so out of range.
    if (!field->is_number_integer() || field->get<std::int64_t>() < low ||
        field->get<std::int64_t>() > high) {
      Wrong(key, "an integer from " + std::to_string(low) + " to " + std::to_string(high), *field);
      return;
    }
    value = static_cast<T>(field->get<std::int64_t>());
  }

  void Fraction(const char* key, double& value) {
    const json* field = Find(key, false);
    if (!field) return;
    if (!field->is_number() || field->get<double>() < 0) {
      Wrong(key, "a number of at least 0", *field);
      return;
    }
    value = field->get<double>();
  }

  const json* Find(const char* key, bool required) {
    const auto it = object_.is_object() ? object_.find(key) : object_.end();
    if (it != object_.end() && !it->is_null()) return &*it;
    if (required && status_.ok()) Fail(where_ + key + " is missing from the job");
    return nullptr;
  }

  void Wrong(const std::string& key, const std::string& expected, const json& got) {
    if (!status_.ok()) return;
    Fail("job field " + where_ + key + " must be " + expected + ": " +
         core::AsciiJsonText(got).substr(0, 200));
  }

  void Fail(std::string what) {
    status_ = Error{ErrorKind::kBadInput, std::move(what),
                    "the job file is described in docs/worker-protocol.md"};
  }

  const Status& status() const { return status_; }

 private:
  const json& object_;
  std::string where_;
  Status status_ = Ok{};
};

/// Sizes of at least 1, and kBatchSize for "batch".
void ParseShape(const json& shape, Fields& fields, std::vector<std::int64_t>& sizes) {
  if (!shape.is_array() || shape.size() > XSP_WORKER_MAX_RANK)
    return fields.Wrong("shape", "a list of at most 8 integers or \"batch\"", shape);
  for (const json& size : shape) {
    if (size == "batch") {
      sizes.push_back(kBatchSize);
    } else if (size.is_number_integer() && size.get<std::int64_t>() >= 1) {
      sizes.push_back(size.get<std::int64_t>());
    } else {
      return fields.Wrong("shape", "positive integers or \"batch\"", shape);
    }
  }
}

/// What a job says of an input, as far as it says it.
GivenInput ParseGiven(Fields& fields) {
  GivenInput input;
  fields.Text("name", input.name);
  std::string dtype, fill;
  fields.Text("dtype", dtype);
  fields.Text("fill", fill);
  if (!dtype.empty()) {
    input.dtype = DtypeNamed(dtype);
    if (!input.dtype) {
      fields.Wrong("dtype", "one of " + core::DtypeNamesText(), dtype);
    }
  }
  if (!fill.empty()) {
    const auto known = std::find(kFills.begin(), kFills.end(), fill);
    if (known == kFills.end()) {
      fields.Wrong("fill", "one of normal, uniform, zeros, ones, range, value", fill);
    } else {
      input.fill = static_cast<Fill>(known - kFills.begin());
    }
  }
  if (const json* value = fields.Find("value", false)) {
    if (value->is_number()) {
      input.value = value->get<double>();
      input.fill = Fill::kValue;
    } else {
      fields.Wrong("value", "a number", *value);
    }
  }
  if (const json* range = fields.Find("range", false)) {
    if (range->is_array() && range->size() == 2 && (*range)[0].is_number_integer() &&
        (*range)[1].is_number_integer() && (*range)[0] < (*range)[1]) {
      input.range = {(*range)[0].get<std::int64_t>(), (*range)[1].get<std::int64_t>()};
    } else {
      fields.Wrong("range", "[LOW, HIGH] with LOW < HIGH", *range);
    }
  }
  if (const json* shape = fields.Find("shape", false))
    ParseShape(*shape, fields, input.shape.emplace());
  return input;
}

Status ParseInput(const json& entry, std::size_t index, Job& job) {
  Fields fields(entry, "model.inputs[" + std::to_string(index) + "].");
  fields.Find("shape", true);
  const GivenInput given = ParseGiven(fields);
  XSP_RETURN_IF_ERROR(fields.status());
  InputSpec input;
  input.name = given.name.empty() ? "input" + std::to_string(index) : given.name;
  Overlay(given, job.batch, input);
  job.inputs.push_back(std::move(input));
  return Ok{};
}

Status ParseModel(const json& model, Job& job) {
  Fields fields(model, "model.");
  fields.Text("path", job.model_path, true);
  job.model_name = job.model_path.substr(job.model_path.find_last_of('/') + 1);
  fields.Text("name", job.model_name);
  const json* inputs = fields.Find("inputs", false);
  if (inputs && (!inputs->is_array() || inputs->size() > XSP_WORKER_MAX_TENSORS)) {
    fields.Wrong("inputs", "a list of at most 32", *inputs);
  }
  const json* given = fields.Find("given", false);
  if (given && (!given->is_array() || given->size() > XSP_WORKER_MAX_TENSORS))
    fields.Wrong("given", "a list of at most 32", *given);
  XSP_RETURN_IF_ERROR(fields.status());
  for (std::size_t i = 0; inputs && i < inputs->size(); ++i) {
    XSP_RETURN_IF_ERROR(ParseInput((*inputs)[i], i, job));
  }
  for (std::size_t i = 0; given && i < given->size(); ++i) {
    Fields entry((*given)[i], "model.given[" + std::to_string(i) + "].");
    job.given.push_back(ParseGiven(entry));
    XSP_RETURN_IF_ERROR(entry.status());
  }
  return Ok{};
}

Status ParseOptions(const json& options, Job& job) {
  Fields fields(options, "options.");
  if (!options.is_object()) {
    fields.Wrong("", "an object of names and texts", options);
    return fields.status();
  }
  for (const auto& [name, value] : options.items()) {
    std::string text;
    fields.Text(name.c_str(), text, true);
    job.options.emplace_back(name, text);
  }
  return fields.status();
}

Status ParseCounters(const json& events, Job& job) {
  Fields list(events, "counters.");
  if (!events.is_array() || events.size() > counters::kMostEvents) {
    list.Wrong("", "a list of at most " + std::to_string(counters::kMostEvents) + " events",
               events);
    return list.status();
  }
  for (const json& entry : events) {
    Fields fields(entry, "counters.");
    counters::Event event;
    fields.Text("name", event.name, true);
    fields.Text("unit", event.unit);
    fields.Integer("type", event.type, 0, std::numeric_limits<std::uint32_t>::max());
    fields.Integer("config", event.config, 0, std::numeric_limits<std::int64_t>::max());
    fields.Fraction("factor", event.factor);
    fields.Integer("group", event.group, 0, static_cast<std::int64_t>(counters::kMostEvents));
    XSP_RETURN_IF_ERROR(fields.status());
    job.counters.push_back(std::move(event));
  }
  return Ok{};
}

Status ParseDataset(const json& dataset, Job& job) {
  Fields fields(dataset, "dataset.");
  DatasetSpec spec;
  if (const json* description = fields.Find("description", true)) spec.description = *description;
  for (auto [key, steps] :
       {std::pair{"preprocess", &spec.preprocess}, std::pair{"postprocess", &spec.postprocess}}) {
    if (const json* field = fields.Find(key, false)) *steps = *field;
  }
  fields.Text("folder", spec.folder);
  fields.Text("steps_folder", spec.steps_folder);
  fields.Text("predictions", spec.predictions, true);
  fields.Integer("samples", spec.samples, 0, std::int64_t{1} << 31);
  job.dataset = std::move(spec);
  return fields.status();
}

Status ParseWarmup(const json& warmup, WarmupRule& rule) {
  Fields fields(warmup, "warmup.");
  fields.Integer("window", rule.window, 1, 1'000'000);
  fields.Integer("max_calls", rule.max_calls, 0, 1'000'000);
  fields.Fraction("tolerance", rule.tolerance);
  fields.Fraction("max_seconds", rule.max_seconds);
  return fields.status();
}

}  // namespace

void Overlay(const GivenInput& given, std::int64_t batch, InputSpec& input) {
  if (given.dtype) input.dtype = *given.dtype;
  if (given.fill) input.fill = *given.fill;
  if (given.fill == Fill::kValue) input.value = given.value;
  if (given.range) input.range = *given.range;
  if (!given.shape) return;
  input.shape = *given.shape;
  input.batch_axes.clear();
  for (std::size_t i = 0; i < input.shape.size(); ++i) {
    if (input.shape[i] != kBatchSize) continue;
    input.shape[i] = batch;
    input.batch_axes.push_back(i);
  }
}

const char* FillName(Fill fill) { return kFills.at(static_cast<std::size_t>(fill)); }

const char* RungName(xsp_worker_rung rung) { return kRungs.at(rung); }

std::optional<xsp_worker_rung> RungNamed(std::string_view name) {
  for (std::size_t i = 0; i < kRungs.size(); ++i) {
    if (name == kRungs[i]) return static_cast<xsp_worker_rung>(i);
  }
  return std::nullopt;
}

std::optional<xsp_worker_dtype> DtypeNamed(const std::string& name) {
  const auto dtype = core::DtypeNamed(name);
  if (!dtype) return std::nullopt;
  return static_cast<xsp_worker_dtype>(*dtype);
}

Status ParseJob(const std::string& text, Job& job) {
  const json document = core::ParseJson(text);
  if (!document.is_object()) {
    return Error{ErrorKind::kBadInput, "the job is not a JSON object",
                 "the job file is described in docs/worker-protocol.md"};
  }
  Fields fields(document, "");
  int version = 0;
  std::string rung = RungName(job.rung);
  fields.Integer("version", version, 0, std::numeric_limits<int>::max());
  fields.Text("device", job.device);
  fields.Text("precision", job.precision);
  fields.Text("graph", job.graph);
  fields.Text("rung", rung);
  fields.Text("outputs", job.outputs_folder);
  fields.Integer("batch", job.batch, 1, std::int64_t{1} << 31);
  fields.Integer("threads", job.threads, 0, 65536);
  fields.Integer("seed", job.seed, 0, std::numeric_limits<std::int64_t>::max());
  fields.Integer("iterations", job.iterations, 0, 1'000'000'000);
  fields.Fraction("planted_slowdown", job.planted_slowdown);
  if (fields.status().ok() && version != 1) {
    fields.Fail("the job's version is not 1, which is all this worker knows: " +
                std::to_string(version));
  }
  if (const auto named = RungNamed(rung)) {
    job.rung = *named;
  } else {
    fields.Wrong("rung", "one of model, layer, kernel, details, counters", rung);
  }
  const json* model = fields.Find("model", true);
  XSP_RETURN_IF_ERROR(fields.status());
  XSP_RETURN_IF_ERROR(ParseModel(*model, job));
  if (const json* options = fields.Find("options", false)) {
    XSP_RETURN_IF_ERROR(ParseOptions(*options, job));
  }
  if (const json* dataset = fields.Find("dataset", false)) {
    XSP_RETURN_IF_ERROR(ParseDataset(*dataset, job));
  }
  if (const json* counters = fields.Find("counters", false)) {
    XSP_RETURN_IF_ERROR(ParseCounters(*counters, job));
  }
  if (const json* warmup = fields.Find("warmup", false)) return ParseWarmup(*warmup, job.warmup);
  return Ok{};
}

Status ReadJob(const std::string& path, Job& job) {
  std::ifstream file(path);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) {
    return Error{ErrorKind::kBadInput,
                 "cannot read the job file " + path + ": " + std::strerror(errno ? errno : EINVAL),
                 "give an existing file with --job"};
  }
  return ParseJob(text.str(), job);
}

}  // namespace xsp::worker

extern "C" const char* xsp_worker_option_value(const xsp_worker_job* job, const char* name,
                                               const char* fallback) {
  for (size_t i = 0; i < job->option_count; ++i) {
    if (std::strcmp(job->options[i].name, name) == 0) return job->options[i].value;
  }
  return fallback;
}

extern "C" size_t xsp_worker_dtype_bytes(xsp_worker_dtype dtype) {
  return xsp::core::DtypeBytes(xsp::worker::CoreDtype(dtype));
}

extern "C" const char* xsp_worker_dtype_name(xsp_worker_dtype dtype) {
  return xsp::core::DtypeName(xsp::worker::CoreDtype(dtype));
}
