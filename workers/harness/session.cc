#include "harness/session.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/json_text.h"
#include "harness/arrivals.h"
#include "harness/channel.h"
#include "harness/complete_inputs.h"
#include "harness/fact.h"
#include "harness/outputs.h"
#include "harness/random.h"
#include "harness/range.h"
#include "harness/warmup.h"
#include "harness/worker_errors.h"

namespace xsp::worker {
namespace {

using nlohmann::json;

/// A block of calls lasts as long at least (design: threads of other processes spin for up to 200
/// ms).
constexpr std::uint64_t kBlockNs = 300'000'000;

/// The range around a call that only shows whether the model takes its inputs; XSP knows by it that
/// the first timed call is not the process's first (src/derive/match/run_rows.cc).
constexpr const char* kTryInputs = "try inputs";

/// Whether `wanted` is in the list `key` of what the worker offers; says what is there if not.
Status CheckOffered(const json& offers, const char* key, const char* noun,
                    const std::string& wanted) {
  const auto it = offers.find(key);
  if (it == offers.end() || !it->is_array()) return Ok{};
  std::string list;
  for (const json& offer : *it) {
    if (offer == wanted) return Ok{};
    if (offer.is_string()) list += (list.empty() ? "" : ", ") + offer.get<std::string>();
  }
  return Error{ErrorKind::kNotPossible,
               std::string("this worker does not offer the ") + noun + ": " + wanted,
               std::string("it offers: ") + list};
}

/// Whether the worker offers an option of that name.
Status CheckOption(const json& offers, const std::string& name) {
  std::string list;
  for (const json& option : offers.value("options", json::array())) {
    const std::string offered = option.is_object() ? option.value("name", "") : "";
    if (offered == name) return Ok{};
    list += (list.empty() ? "" : ", ") + offered;
  }
  return Error{ErrorKind::kNotPossible, "this worker does not offer the option: " + name,
               list.empty() ? "it offers none" : "it offers: " + list};
}

/// "1x3x224x224".
std::string ShapeText(const std::vector<std::int64_t>& shape) {
  std::string text;
  for (const std::int64_t size : shape) text += (text.empty() ? "" : "x") + std::to_string(size);
  return text.empty() ? "scalar" : text;
}

}  // namespace

Session::Session(const xsp_worker& worker, const Job& job)
    : worker_(worker),
      job_(job),
      held_memory_(xsp_now_ns() ^ (static_cast<std::uint64_t>(getpid()) << 32)) {
  names_ = {Intern("predict"),
            Intern(job.model_name),
            Intern("iteration"),
            Intern("baseline_iteration"),
            Intern("rung"),
            Intern("involuntary_context_switches"),
            Intern("run_queue_wait_ns"),
            Intern("steal_ns"),
            Intern("system_ns"),
            Intern("page_faults"),
            Intern("queue_ns"),
            Intern("arrival_ns"),
            Intern("offered_rate"),
            Intern("samples"),
            Intern("block"),
            Intern("pair"),
            Intern("1"),
            Intern("ns"),
            Intern("1/s"),
            Intern("measured:harness"),
            Intern("measured:procfs")};
}

Session::~Session() { Unload(); }

void Session::Unload() {
  if (!model_) return;
  if (worker_.profile) {
    xsp_worker_error ignored = {};
    worker_.profile(model_, XSP_RUNG_MODEL, &ignored);
  }
  rung_ = XSP_RUNG_MODEL;
  if (worker_.unload) worker_.unload(model_);
  model_ = nullptr;
}

Status Session::CheckPossible(const std::string& description) {
  const json offers = core::ParseJson(description);
  if (!offers.is_object()) {
    return Error{ErrorKind::kInternal, "the worker's description is not a JSON object", ""};
  }
  if (const auto it = offers.find("framework"); it != offers.end() && it->is_object()) {
    RecordFact("framework.name", it->value("name", ""));
    RecordFact("framework.version", it->value("version", ""));
  }
  if (const auto it = offers.find("switch"); it != offers.end() && it->is_object()) {
    for (const auto& [rung, granularity] : it->items())
      if (granularity == "call") switched_at_every_call_.push_back(rung);
  }
  counts_layers_ = CheckOffered(offers, "rungs", "rung", RungName(XSP_RUNG_COUNTERS)).ok();
  if (job_.rung != XSP_RUNG_COUNTERS) {
    XSP_RETURN_IF_ERROR(CheckOffered(offers, "rungs", "rung", RungName(job_.rung)));
  }
  XSP_RETURN_IF_ERROR(CheckOffered(offers, "devices", "device", job_.device));
  if (job_.graph != "default") {
    XSP_RETURN_IF_ERROR(CheckOffered(offers, "graphs", "graph", job_.graph));
  }
  for (const auto& [name, value] : job_.options) {
    XSP_RETURN_IF_ERROR(CheckOption(offers, name));
  }
  if (job_.precision == "default") return Ok{};
  return CheckOffered(offers, "precisions", "precision", job_.precision);
}

Status Session::Load() {
  RecordFact("worker.name", worker_.name);
  RecordFact("job.rung", RungName(job_.rung));
  RecordFact("job.batch", std::to_string(job_.batch));
  RecordFact("job.seed", std::to_string(job_.seed));
  XSP_RETURN_IF_ERROR(CheckPossible(worker_.describe()));
  struct stat status = {};
  if (stat(job_.model_path.c_str(), &status) != 0) {
    return Error{ErrorKind::kBadInput,
                 "cannot open the model: " + job_.model_path + ": " + std::strerror(errno),
                 "check the path; `xsp zoo` lists the models that XSP can make"};
  }
  // Before there are threads to count.
  if (job_.rung == XSP_RUNG_COUNTERS) {
    counters_ = std::make_unique<SpanCounters>(job_.counters.empty() ? counters::SoftwareEvents()
                                                                     : job_.counters);
    RecordFact("counters.of_layers", counts_layers_ ? "true" : "false");
  }
  for (const auto& [name, value] : job_.options) {
    options_.push_back({name.c_str(), value.c_str()});
    RecordFact("job.option." + name, value);
  }
  xsp_worker_ran ran = {};
  XSP_RETURN_IF_ERROR(LoadModel(ran));
  RecordFact("job.threads", std::to_string(ran.threads));
  RecordFact("job.device", ran.device);
  RecordFact("job.precision", ran.precision);
  RecordFact("job.graph", ran.graph);
  return BindInputs();
}

xsp_worker_job Session::Request() const {
  return {job_.model_name.c_str(),
          job_.model_path.c_str(),
          job_.device.c_str(),
          job_.precision.c_str(),
          job_.graph.c_str(),
          job_.batch,
          job_.threads,
          job_.seed,
          KnownToWorker(job_.rung),
          options_.data(),
          options_.size()};
}

Status Session::LoadModel(xsp_worker_ran& ran) {
  ran.threads = job_.threads;
  std::strncpy(ran.device, job_.device.c_str(), sizeof ran.device - 1);
  std::strncpy(ran.precision, job_.precision.c_str(), sizeof ran.precision - 1);
  std::strncpy(ran.graph, job_.graph.c_str(), sizeof ran.graph - 1);
  const xsp_worker_job request = Request();
  xsp_worker_error error = {};
  const Range range("load");
  return FromStatus(worker_.load(&request, &model_, &ran, &error), error);
}

Status Session::LoadAnew() {
  // First: two of a large model may not fit into memory.
  Unload();
  held_memory_.Draw();
  xsp_worker_ran ran = {};
  XSP_RETURN_IF_ERROR(LoadModel(ran));
  XSP_RETURN_IF_ERROR(BindSpecs());
  settled_ = false;
  return WarmUp();
}

Status Session::AskForInputs() {
  const xsp_worker_job request = Request();
  known_inputs_.assign(XSP_WORKER_MAX_TENSORS, UnknownInput());
  std::size_t count = 0;
  if (worker_.infer_inputs) {
    xsp_worker_error error = {};
    const int status = worker_.infer_inputs(model_, &request, known_inputs_.data(),
                                            known_inputs_.size(), &count, &error);
    XSP_RETURN_IF_ERROR(FromStatus(status, error));
  }
  known_inputs_.resize(std::min(count, known_inputs_.size()));
  if (known_inputs_.empty() && job_.given.empty()) {
    return Error{ErrorKind::kBadInput, "nothing here tells which inputs the model takes",
                 "give them: --input NAME=1x3x224x224, or list them in the model's manifest"};
  }
  return Ok{};
}

Status Session::MakeSpecs() {
  if (!job_.inputs.empty()) {
    specs_ = job_.inputs;
    return LayOver(job_.given, job_.batch, specs_);
  }
  CompleteInputs complete;
  XSP_RETURN_IF_ERROR(Complete(known_inputs_, job_.given, job_.batch, guess_, complete));
  specs_ = std::move(complete.specs);
  guesses_ = std::move(complete.guesses);
  return Ok{};
}

Status Session::BindSpecs() {
  Inputs inputs;
  XSP_RETURN_IF_ERROR(inputs.Make(specs_, job_.seed));
  const auto& tensors = inputs.tensors();
  xsp_worker_error error = {};
  const int bound = worker_.bind(model_, tensors.data(), tensors.size(), &error);
  inputs_ = std::move(inputs);  // Those before are the worker's until then.
  XSP_RETURN_IF_ERROR(FromStatus(bound, error));
  if (guesses_.empty()) return Ok{};
  // Only a call tells whether the model takes what was guessed.
  const Range range(kTryInputs);
  return FromStatus(worker_.predict(model_, range.span(), &error), error);
}

Status Session::BindInputs() {
  if (job_.inputs.empty()) {
    XSP_RETURN_IF_ERROR(AskForInputs());
  }
  Status refusal = Ok{};  // Of the first guess.
  for (guess_ = 0; guess_ < kGuesses; ++guess_) {
    XSP_RETURN_IF_ERROR(MakeSpecs());
    const Status bound = BindSpecs();
    if (bound.ok()) break;
    if (refusal.ok()) refusal = ForGuesses(bound.error());
    if (guesses_.empty() || bound.error().kind != ErrorKind::kBadInput) return refusal;
  }
  if (guess_ == kGuesses) {
    guess_ = 0;
    (void)MakeSpecs();  // It was made before.
    return refusal;
  }
  RecordInputFacts();
  if (!job_.dataset) return Ok{};
  RecordFact("dataset", core::JsonText(job_.dataset->description));
  return DatasetPass::Open(*job_.dataset, specs_, job_.batch, dataset_);
}

void Session::RecordInputFacts() const {
  RecordFact("inputs.origin", !job_.inputs.empty() ? "manifest"
                              : guesses_.empty()   ? "inferred"
                                                   : "guessed");
  if (!guesses_.empty()) RecordFact("inputs.guessed", core::JsonText(json(guesses_)));
  RecordFact("inputs", inputs_.Describe());
}

Error Session::ForGuesses(Error error) const {
  if (guesses_.empty()) return error;
  error.hint = "The file leaves its inputs open, and these guesses may not fit it: ";
  for (const std::string& guess : guesses_) error.hint += guess + "; ";
  error.hint += "give them: --input " + specs_.front().name + "=" +
                ShapeText(specs_.front().shape) + " with sizes that the model takes.";
  return error;
}

Status Session::SwitchTo(xsp_worker_rung rung) {
  xsp_worker_error error = {};
  if (worker_.profile && KnownToWorker(rung) != KnownToWorker(rung_)) {
    const int switched = worker_.profile(model_, KnownToWorker(rung), &error);
    XSP_RETURN_IF_ERROR(FromStatus(switched, error));
  }
  rung_ = rung;
  return Ok{};
}

Status Session::WarmUp() {
  XSP_RETURN_IF_ERROR(SwitchTo(job_.rung));
  std::vector<std::uint64_t> durations_ns;
  while (!settled_ && !LimitReached(durations_ns, job_.warmup) && !StopRequested()) {
    CallRecord made;
    // How many there will be is not known yet: they count down from -1.
    XSP_RETURN_IF_ERROR(Call(-1 - warmup_calls_, made));
    durations_ns.push_back(made.duration_ns);
    if (++warmup_calls_ == 1 && !job_.outputs_folder.empty()) {
      XSP_RETURN_IF_ERROR(KeepOutputs());
    }
    settled_ = Settled(durations_ns, job_.warmup);
  }
  warm_latency_ns_ = WarmLatency(durations_ns, job_.warmup);
  if (block_ < 0) {
    RecordFact("warmup.calls", std::to_string(warmup_calls_));
    RecordFact("warmup.settled", settled_ ? "true" : "false");
  }
  return EndBlock();
}

Status Session::LeadIn(std::initializer_list<xsp_worker_rung> rungs) {
  if (last_call_ns_ >= kBlockNs) return Ok{};
  for (const xsp_worker_rung rung : rungs) {
    XSP_RETURN_IF_ERROR(SwitchTo(rung));
    CallRecord made;
    XSP_RETURN_IF_ERROR(Call(-1 - warmup_calls_, made));
    ++warmup_calls_;
  }
  return Ok{};
}

Status Session::Run(int count, xsp_worker_rung rung, bool lead_in, Latencies& latencies) {
  ++block_;
  interference_.FindThreads();
  if (lead_in) {
    XSP_RETURN_IF_ERROR(LeadIn({rung}));
  }
  XSP_RETURN_IF_ERROR(SwitchTo(rung));
  const bool own = rung == job_.rung;
  XSP_RETURN_IF_ERROR(RunCalls(count, own ? next_iteration_ : next_baseline_,
                               own ? latencies.own_ns : latencies.baseline_ns));
  return EndBlock();
}

Status Session::EndBlock() {
  XSP_RETURN_IF_ERROR(SwitchTo(job_.rung));
  xsp_worker_error error = {};
  if (!worker_.end_block) return Ok{};
  return FromStatus(worker_.end_block(model_, &error), error);
}

Status Session::RunCalls(int count, std::int64_t& next_iteration,
                         std::vector<std::uint64_t>& latencies_ns) {
  for (int i = 0; i < count && !StopRequested(); ++i) {
    CallRecord made;
    made.baseline = rung_ != job_.rung;
    XSP_RETURN_IF_ERROR(Call(next_iteration, made));
    ++next_iteration;
    latencies_ns.push_back(made.duration_ns);
  }
  return Ok{};
}

Status Session::Pairs(int count, xsp_worker_rung rung, std::uint64_t seed, Latencies& latencies) {
  const auto& at_every_call = switched_at_every_call_;
  const bool possible = std::find(at_every_call.begin(), at_every_call.end(),
                                  RungName(job_.rung)) != at_every_call.end();
  if (!possible) {
    return Error{ErrorKind::kNotPossible,
                 std::string("this worker does not switch at every call to the rung: ") +
                     RungName(job_.rung),
                 "compare blocks of calls: \"run N\" and \"run N RUNG\""};
  }
  ++block_;
  interference_.FindThreads();
  XSP_RETURN_IF_ERROR(LeadIn({rung, job_.rung}));
  Random random(seed);
  for (int i = 0; i < count && !StopRequested(); ++i) {
    const bool baseline_first = (random.Bits() & 1) != 0;
    for (const bool baseline : {baseline_first, !baseline_first}) {
      XSP_RETURN_IF_ERROR(PairedCall(baseline, rung, latencies));
    }
    ++next_pair_;
  }
  return EndBlock();
}

Status Session::PairedCall(bool baseline, xsp_worker_rung rung, Latencies& latencies) {
  // Where both are of one rung, either is switched to all the same: that is part of the comparison.
  if (rung == job_.rung) {
    XSP_RETURN_IF_ERROR(SwitchTo(XSP_RUNG_MODEL));
  }
  XSP_RETURN_IF_ERROR(SwitchTo(baseline ? rung : job_.rung));
  CallRecord made;
  made.baseline = baseline;
  std::int64_t& next_iteration = baseline ? next_baseline_ : next_iteration_;
  XSP_RETURN_IF_ERROR(Call(next_iteration, made));
  ++next_iteration;
  (baseline ? latencies.baseline_ns : latencies.own_ns).push_back(made.duration_ns);
  xsp_metric(made.span, names_.pair, static_cast<double>(next_pair_), names_.one, names_.harness);
  return Ok{};
}

Status Session::Serve(int count, double rate_per_s, std::uint64_t seed) {
  const auto arrivals_ns = PoissonArrivals(rate_per_s, static_cast<std::size_t>(count), seed);
  ++block_;
  interference_.FindThreads();
  const std::uint64_t origin_ns = xsp_now_ns();
  for (const std::uint64_t arrival_ns : arrivals_ns) {
    WaitUntil(origin_ns + arrival_ns);
    if (StopRequested()) break;
    CallRecord made;
    XSP_RETURN_IF_ERROR(Call(next_iteration_, made));
    ++next_iteration_;
    xsp_metric(made.span, names_.queue, static_cast<double>(made.start_ns - origin_ns - arrival_ns),
               names_.ns, names_.harness);
    xsp_metric(made.span, names_.arrival, static_cast<double>(arrival_ns), names_.ns,
               names_.harness);
    xsp_metric(made.span, names_.offered_rate, rate_per_s, names_.per_second, names_.harness);
  }
  return EndBlock();
}

Status Session::Evaluate(std::size_t first, std::size_t count) {
  if (!dataset_ || count > dataset_->size() || first > dataset_->size() - count) {
    return Error{ErrorKind::kUsage, "the job has no such samples",
                 "it has " + std::to_string(dataset_ ? dataset_->size() : 0)};
  }
  ++block_;
  interference_.FindThreads();
  const auto batch = static_cast<std::size_t>(job_.batch);
  for (std::size_t at = first; at < first + count && !StopRequested(); at += batch) {
    XSP_RETURN_IF_ERROR(EvaluateBatch(at, std::min(batch, first + count - at)));
  }
  XSP_RETURN_IF_ERROR(EndBlock());
  return dataset_->Flush();
}

Status Session::EvaluateBatch(std::size_t first, std::size_t count) {
  const Range range("batch");
  XSP_RETURN_IF_ERROR(dataset_->Prepare(first, count));
  xsp_metric(range.span(), names_.samples, static_cast<double>(dataset_->prepared()), names_.one,
             names_.harness);
  if (dataset_->prepared() == 0) return Ok{};
  xsp_worker_error error = {};
  {
    const Range bind("bind");
    const auto& tensors = dataset_->inputs();
    const int status = worker_.bind(model_, tensors.data(), tensors.size(), &error);
    XSP_RETURN_IF_ERROR(FromStatus(status, error));
  }
  CallRecord made;
  XSP_RETURN_IF_ERROR(Call(next_iteration_, made));
  ++next_iteration_;
  std::vector<xsp_worker_tensor> outputs;
  XSP_RETURN_IF_ERROR(ReadOutputs(outputs));
  return dataset_->Keep(outputs);
}

Status Session::ReadOutputs(std::vector<xsp_worker_tensor>& outputs) {
  if (!worker_.outputs)
    return Error{ErrorKind::kNotPossible, "this worker does not hand out results", ""};
  outputs.resize(XSP_WORKER_MAX_TENSORS);
  std::size_t count = 0;
  xsp_worker_error error = {};
  const int status = worker_.outputs(model_, outputs.data(), outputs.size(), &count, &error);
  outputs.resize(std::min(count, outputs.size()));
  return FromStatus(status, error);
}

Status Session::KeepOutputs() {
  if (!worker_.outputs) {
    RecordFact("outputs.missing", "this worker does not hand out results");
    return Ok{};
  }
  std::vector<xsp_worker_tensor> outputs;
  XSP_RETURN_IF_ERROR(ReadOutputs(outputs));
  return WriteOutputs(outputs, job_.outputs_folder);
}

void Session::Prolong(std::uint64_t start_ns) const {
  const std::uint64_t now_ns = xsp_now_ns();
  const auto end_ns = now_ns + static_cast<std::uint64_t>(job_.planted_slowdown *
                                                          static_cast<double>(now_ns - start_ns));
  while (xsp_now_ns() < end_ns) {
  }
}

Status Session::Call(std::int64_t iteration, CallRecord& made) {
  xsp_worker_error error = {};
  const Interference before = interference_.Read();
  const bool counts = counters_ && rung_ == XSP_RUNG_COUNTERS;
  if (counts) counters_->BeginCall();
  made.start_ns = xsp_now_ns();
  const xsp_span call = xsp_begin(XSP_LEVEL_MODEL, names_.predict, names_.model);
  const int status = worker_.predict(model_, call, &error);
  if (job_.planted_slowdown > 0 && !made.baseline) Prolong(made.start_ns);
  xsp_end(call);
  made.duration_ns = xsp_now_ns() - made.start_ns;
  made.span = call;
  last_call_ns_ = made.duration_ns;
  if (counts) {
    counters_->EndCall();
    counters_->RecordCall(call);
  }
  const Interference after = interference_.Read();
  XSP_RETURN_IF_ERROR(FromStatus(status, error));
  const auto measured = [&](xsp_string name, std::uint64_t from, std::uint64_t to,
                            xsp_string unit) {
    xsp_metric(call, name, static_cast<double>(std::max(from, to) - from), unit, names_.procfs);
  };
  xsp_metric(call, made.baseline ? names_.baseline : names_.iteration,
             static_cast<double>(iteration), names_.one, names_.harness);
  if (block_ >= 0)
    xsp_metric(call, names_.block, static_cast<double>(block_), names_.one, names_.harness);
  if (made.baseline) {
    const std::string_view rung = RungName(rung_);
    xsp_attribute(call, names_.rung, rung.data(), rung.size());
  }
  measured(names_.switches, before.involuntary_context_switches, after.involuntary_context_switches,
           names_.one);
  measured(names_.wait, before.run_queue_wait_ns, after.run_queue_wait_ns, names_.ns);
  measured(names_.steal, before.steal_ns, after.steal_ns, names_.ns);
  measured(names_.system, before.system_ns, after.system_ns, names_.ns);
  measured(names_.faults, before.page_faults, after.page_faults, names_.one);
  if (!worker_.collect) return Ok{};
  return FromStatus(worker_.collect(model_, call, &error), error);
}

}  // namespace xsp::worker
