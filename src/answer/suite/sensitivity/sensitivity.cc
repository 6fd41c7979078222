#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>
#include <thread>
#include <utility>

#include "answer/suite/operation_call.h"
#include "answer/suite/sensitivity/effects.h"
#include "answer/suite/stored_experiment.h"
#include "answer/suite/suite_command.h"
#include "core/counted.h"
#include "os/paths.h"

namespace xsp::suite::sensitivity {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using Strings = std::vector<std::string>;

struct Options {
  PlanOptions plan_options;
  std::int64_t batch = 1;
  int iterations = 30;
  int rounds = 3;
  std::uint64_t seed = 1;
  std::string name;
  bool again = false;
};

/// 1, 2, 4, ... and the number of processors.
std::vector<int> UsualThreads() {
  const int processors = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  std::vector<int> threads;
  for (int n = 1; n < processors; n *= 2) threads.push_back(n);
  threads.push_back(processors);
  return threads;
}

/// Where the results of an experiment's calls are kept: hidden in the store, beside the experiment.
fs::path OutputsOf(const CommandContext& context, const std::string& experiment) {
  return context.store / ".outputs" / experiment;
}

class Command {
 public:
  Command(const CommandContext& context, const Options& options)
      : context_(context), options_(options) {}

  Result<Answer> Run() {
    XSP_TRY(Plan plan, MadePlan());
    impossible_ = std::move(plan.impossible);
    if (plan.variants.empty())
      return Error{ErrorKind::kNotPossible, "no backend is installed", WhyNothing()};
    XSP_RETURN_IF_ERROR(Measure(plan.variants));
    if (effects_.empty()) return Error{ErrorKind::kNotPossible, "no variant ran", WhyNothing()};
    Answer answer = Summarise(effects_, impossible_);
    AddMethod(answer);
    return answer;
  }

 private:
  Result<Plan> MadePlan() {
    PlanOptions plan_options = options_.plan_options;
    for (const std::string& axis : plan_options.axes)
      if (std::ranges::find(Axes(), axis) == Axes().end())
        return Error{ErrorKind::kUsage, "no such kind of setting: " + axis,
                     fmt::format("one of: {}", fmt::join(Axes(), ", "))};
    if (plan_options.threads.empty()) plan_options.threads = UsualThreads();
    std::error_code ignored;
    const std::string quantised = plan_options.model + "_int8";
    if (plan_options.also.empty() && fs::exists(os::DataRoot() / "zoo" / quantised, ignored))
      plan_options.also.push_back(quantised);
    context_.progress->Step("reading the capabilities of the backends", -1, -1);
    XSP_TRY(const Performed doctor,
            CallOperation(context_, "doctor", {{"worker", Strings{"all"}}}, context_.store));
    return MakePlan(plan_options, doctor.document);
  }

  std::string WhyNothing() const {
    std::string why;
    for (const Impossible& one : impossible_) why += fmt::format("{}: {}\n", one.label, one.why);
    return why.empty() ? "xsp doctor lists what is missing" : why;
  }

  std::string ProgressText(const Variant& variant, int round, std::size_t left) const {
    std::string text =
        fmt::format("round {} of {}: {}", round + 1, options_.rounds, variant.Label());
    if (ran_ > 0)
      text += fmt::format(", about {:.0f} s left", ran_seconds_ / ran_ * static_cast<double>(left));
    return text;
  }

  /// By variant. Two that would have one name, as models of one name in two folders, get a number.
  std::vector<std::string> NamesOf(const std::vector<Variant>& variants) const {
    std::vector<std::string> names;
    std::map<std::string, int> named;
    for (const Variant& variant : variants) {
      const std::string name = NameOf(variant);
      const int count = ++named[name];
      names.push_back(count == 1 ? name : fmt::format("{}.{}", name, count));
    }
    return names;
  }

  std::string NameOf(const Variant& variant) const {
    const std::string beginning =
        options_.name.empty()
            ? "sensitivity-" + fs::path(options_.plan_options.model).stem().string()
            : options_.name;
    const std::string value =
        variant.axis == "model" ? fs::path(variant.value).filename().string() : variant.value;
    return StoreName({beginning, fmt::format("b{}", options_.batch), variant.backend,
                      variant.axis == "default" ? "" : variant.axis, value});
  }

  /// Every variant once a round, in an order drawn anew for each, so that what the machine does for
  /// a while is in all of them. The first round runs every rung and keeps the results; the others
  /// only what latency needs. Only an interrupt is an error: what does not run is listed.
  Status Measure(const std::vector<Variant>& variants) {
    std::vector<Measured> measured(variants.size());
    std::vector<bool> runs(variants.size(), true);
    resumed_.assign(variants.size(), true);
    names_ = NamesOf(variants);
    std::mt19937_64 random(options_.seed);
    for (int round = 0; round < options_.rounds; ++round) {
      std::vector<std::size_t> order(variants.size());
      std::iota(order.begin(), order.end(), 0U);
      std::ranges::shuffle(order, random);
      for (std::size_t turn = 0; turn < order.size(); ++turn) {
        const std::size_t v = order[turn];
        if (!runs[v]) continue;
        const auto later = static_cast<std::size_t>(options_.rounds - round - 1);
        context_.progress->Step(
            ProgressText(variants[v], round, order.size() - turn + later * order.size()), -1, -1);
        XSP_RETURN_IF_ERROR(Turn(variants[v], v, round, &measured[v]));
        if (round == 0 && measured[v].rounds_ns.empty()) runs[v] = false;
      }
    }
    for (std::size_t v = 0; v < variants.size(); ++v) {
      if (!runs[v]) continue;
      const std::string& name = names_[v];
      const fs::path outputs = OutputsOf(context_, name) / "1";
      if (effects_.empty()) reference_ = outputs;
      effects_.push_back(
          {variants[v], std::move(measured[v]), CompareKept(reference_, outputs), name});
      if (resumed_[v]) ++resumed_count_;
    }
    return Ok{};
  }

  /// One variant in one round, or what an earlier call left of it.
  Status Turn(const Variant& variant, std::size_t index, int round, Measured* measured) {
    const std::string name =
        round == 0 ? names_[index] : fmt::format("{}-r{}", names_[index], round + 1);
    std::string failure;
    XSP_TRY(const bool is_there,
            MeasureUnlessStored(name, RequestFor(variant, name, round), index, round, &failure));
    std::string why = failure;
    if (is_there) why = Read(context_.store / name, round, measured);
    if (is_there && !why.empty() && !failure.empty()) why += ": " + failure;
    if (why.empty()) {
      // What the store knows of failed rungs says more than an error excerpt.
      if (round == 0 && !failure.empty() && measured->failures.empty())
        measured->failures.push_back(failure);
      return Ok{};
    }
    if (round == 0) {
      impossible_.push_back({variant.Label(), why});
    } else {
      measured->rounds_ns.emplace_back();  // Its place is kept: rounds are compared by number.
      missing_.push_back(fmt::format("{} (round {}: {})", variant.Label(), round + 1,
                                     why.substr(0, why.find('\n'))));
    }
    return Ok{};
  }

  /// Measures it unless the store has it. Returns whether it is there then; else `*failure` says
  /// why not.
  Result<bool> MeasureUnlessStored(const std::string& name, const nlohmann::json& request,
                                   std::size_t index, int round, std::string* failure) {
    const fs::path experiment = context_.store / name;
    const std::string status = StoredStatus(experiment);
    const bool is_asked = status.empty() || options_.again;
    const std::string difference =
        is_asked ? ""
                 : DifferenceFrom(experiment, context_.command_line("run", request),
                                  request.at("model").get<std::string>());
    const bool is_part = !is_asked && status == "interrupted";
    if (!is_asked && !is_part && difference.empty()) return true;
    resumed_[index] = false;
    XSP_TRY(const bool is_there, MeasureAnew(name, request, round, failure));
    if (!is_there) return false;
    if (!difference.empty()) {
      if (differed_++ == 0) first_difference_ = fmt::format("{}, {}", name, difference);
    } else if (is_part) {
      ++interrupted_;
    }
    return true;
  }

  /// Whether there is a new experiment of this name; an earlier one is the backup meanwhile
  /// and comes back if there is none. `*why`: what failed, perhaps of a part; else unchanged.
  Result<bool> MeasureAnew(const std::string& name, nlohmann::json request, int round,
                           std::string* why) {
    const fs::path experiment = context_.store / name, outputs = OutputsOf(context_, name);
    if (round == 0) request["keep_outputs"] = outputs.string();
    ExperimentBackup before(experiment), outputs_before(outputs);
    const auto begin = Clock::now();
    const auto outcome = CallOperation(context_, "run", request, context_.store);
    const bool is_there = !StoredStatus(experiment).empty();
    if (is_there) before.Replaced(), outputs_before.Replaced();
    if (!outcome.ok() && outcome.error().kind == ErrorKind::kInterrupted) return outcome.error();
    ran_seconds_ += std::chrono::duration<double>(Clock::now() - begin).count();
    ++ran_;
    const std::string failed =
        outcome.ok() ? FailureText(outcome.value()) : suite::TextOf(outcome.error());
    if (!is_there || !failed.empty()) *why = failed;
    if (!is_there && why->empty()) *why = "nothing was measured";
    return is_there;
  }

  /// Empty, or why it cannot be read.
  static std::string Read(const fs::path& experiment, int round, Measured* measured) {
    if (round > 0) {
      const Status read = ReadRound(experiment, measured);
      return read.ok() ? "" : read.error().what;
    }
    auto read = ReadMeasured(experiment);
    if (!read.ok()) return read.error().what;
    *measured = std::move(read).value();
    return "";
  }

  /// What `xsp run` is asked for.
  nlohmann::json RequestFor(const Variant& variant, const std::string& name, int round) const {
    nlohmann::json request = {{"model", variant.model},
                              {"backend", Strings{variant.backend}},
                              {"batch", {options_.batch}},
                              {"iterations", options_.iterations},
                              {"name", name}};
    if (round > 0) request.update({{"depth", "model"}, {"only", true}});
    request.update(variant.settings);
    return request;
  }

  void AddMethod(Answer& answer) const {
    answer.method.push_back(fmt::format(
        "Each variant is measured in {} round{} of {} model calls at batch {}, each time in a "
        "process of its own; in each round variants alternate in a new random order (--seed {}), "
        "so that a temporary slow-down of the machine does not appear as a speed-up. One setting "
        "at a time differs from the backend's default.",
        options_.rounds, options_.rounds == 1 ? "" : "s", options_.iterations, options_.batch,
        options_.seed));
    answer.method.push_back(
        options_.rounds > 1
            ? "Speed-ups compare calls of the same round and are geometric means over rounds; 95 % "
              "intervals are Student's of the rounds' logarithms: two processes of the same work "
              "can differ by some per cent (docs/experiments.md), which the intervals include."
            : "One round gives no interval: two processes of the same work can differ by some per "
              "cent (docs/experiments.md). Use --rounds 3.");
    answer.method.push_back(
        "Outputs are those of the first round's first call on the same seeded input; layers and "
        "kernels are the first round's, per model call.");
    AddPartlyFailed(answer);
    if (!missing_.empty())
      answer.method.push_back(
          fmt::format("Rounds that failed and are excluded: {}.", fmt::join(missing_, ", ")));
    std::string noisy;
    for (const Effect& effect : effects_)
      if (effect.measured.disturbed) noisy += (noisy.empty() ? "" : ", ") + effect.variant.Label();
    if (!noisy.empty())
      answer.method.push_back(
          "Nearly all calls have interference from other work, but are used, of: " + noisy + ".");
    AddResumed(answer);
  }

  /// What is missing of variants of which some rungs could not be measured.
  void AddPartlyFailed(Answer& answer) const {
    std::vector<std::string> failed;
    for (const Effect& effect : effects_)
      if (!effect.measured.failures.empty())
        failed.push_back(fmt::format("{} ({})", effect.variant.Label(),
                                     fmt::join(effect.measured.failures, "; ")));
    if (!failed.empty())
      answer.method.push_back(fmt::format(
          "Variants with failed parts, whose results are missing: {}.", fmt::join(failed, ", ")));
  }

  /// What came from the store, and what did not though something of its name was there.
  void AddResumed(Answer& answer) const {
    if (resumed_count_ > 0)
      answer.method.push_back(
          fmt::format("{} of {} variants were in the store from an earlier call and did not "
                      "alternate with the others (--again measures them again).",
                      resumed_count_, effects_.size()));
    if (differed_ > 0)
      answer.method.push_back(fmt::format(
          "{} of the store {} measured anew and replaced, since {} of another model or other "
          "settings. The first: {}.",
          core::Counted(differed_, "experiment"), core::ByNumber(differed_, "was", "were"),
          core::ByNumber(differed_, "it was", "they were"), first_difference_));
    if (interrupted_ > 0)
      answer.method.push_back(fmt::format(
          "{} of an earlier call had been interrupted and {} measured again.",
          core::Counted(interrupted_, "experiment"), core::ByNumber(interrupted_, "was", "were")));
  }

  const CommandContext& context_;
  const Options& options_;
  std::vector<Impossible> impossible_;
  std::vector<Effect> effects_;
  fs::path reference_;  ///< The outputs that the others are compared with.
  double ran_seconds_ = 0;
  int ran_ = 0, resumed_count_ = 0;
  int differed_ = 0, interrupted_ = 0;  ///< Experiments measured anew for it.
  std::string first_difference_;
  std::vector<std::string> names_;    ///< By variant: of the first round's experiment.
  std::vector<bool> resumed_;         ///< By variant: every round was in the store.
  std::vector<std::string> missing_;  ///< Later rounds that failed, and why.
};

Action Declare(core::RequestFields& fields, const CommandContext& context) {
  auto options = std::make_shared<Options>();
  PlanOptions& plan_options = options->plan_options;
  fields.Add("model", &plan_options.model,
             {.help = "A model file, or a name of the zoo",
              .value_name = "MODEL",
              .refers = core::Refers::kModel,
              .required = true,
              .positional = true});
  fields.Add("backend", &plan_options.backends,
             {.help = "Frameworks (default: all installed)",
              .value_name = "NAME,...",
              .list = core::ListStyle::kCommas});
  fields.Add("over", &plan_options.axes,
             {.help = "Kinds of settings: graph, precision, option, threads, model (default: all)",
              .value_name = "KIND,...",
              .list = core::ListStyle::kCommas});
  fields.Add("threads", &plan_options.threads,
             {.help = "Numbers of threads (default: 1, 2, 4, ... all)",
              .value_name = "N,...",
              .range = core::kPositive,
              .list = core::ListStyle::kCommas});
  fields.Add(
      "also", &plan_options.also,
      {.help = "The same model in another form, as a quantised one or a compiled .pt2 (default: "
               "MODEL_int8 of the zoo, where there is one); may be repeated",
       .value_name = "MODEL",
       .refers = core::Refers::kModel});
  fields.Add("batch", &options->batch,
             {.help = "Batch size", .value_name = "N", .range = core::kPositive});
  fields.Add("iterations", &options->iterations,
             {.help = "Model calls of each variant in each round",
              .value_name = "N",
              .range = core::kPositive});
  fields.Add("rounds", &options->rounds,
             {.help = "Number of rounds, in each of which every variant is measured once",
              .value_name = "N",
              .range = core::Between(1, 1000)});
  fields.Add("seed", &options->seed, {.help = "Seed of the order of variants", .value_name = "N"});
  fields.Add("name", &options->name,
             {.help = "Prefix of the names of experiments", .value_name = "NAME"});
  fields.Add("again", &options->again, {.help = "Measure again what is already in the store"});
  return [&context, options] { return Command(context, *options).Run(); };
}

}  // namespace

extern const SuiteSpec kSpec;
constinit const SuiteSpec kSpec = {
    .name = "sensitivity",
    .summary =
        "Compares one model over precisions, compilers, graph modes and threads: speed, outputs, "
        "kernels",
    .example = "xsp suite sensitivity resnet50 --backend torch,onnxruntime --over graph,threads",
    .declare = Declare,
    .measures = true,
};

}  // namespace xsp::suite::sensitivity
