#ifndef XSP_WORKERS_HARNESS_SESSION_H_
#define XSP_WORKERS_HARNESS_SESSION_H_

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "core/result.h"
#include "harness/dataset_pass.h"
#include "harness/held_memory.h"
#include "harness/inputs.h"
#include "harness/interference.h"
#include "harness/job.h"
#include "harness/span_counters.h"
#include "harness/worker.h"

namespace xsp::worker {

/// One job of one worker: loads the model, binds its inputs, and makes timed calls into the open
/// recording. Main thread only.
class Session {
 public:
  /// Both are borrowed.
  Session(const xsp_worker& worker, const Job& job);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Writes the facts that are known before the model is loaded, loads it and binds its inputs.
  Status Load();

  /// Calls until two windows agree, at most the rule's number of calls. They are recorded as
  /// iterations -1, -2, ... Calls of an earlier warm-up do not count.
  Status WarmUp();

  /// Ends the model and loads it anew, at other places in memory, with the same inputs; then warms
  /// up. Part of what processes of one program differ by is where their memory lies (Curtsinger and
  /// Berger 2013, Stabilizer): so a process has several such places. Between blocks, after Load().
  Status LoadAnew();

  /// Latencies of the calls of one command, in their order, ns: in the job's rung, and baseline
  /// calls. Lead-in calls are in neither.
  struct Latencies {
    std::vector<std::uint64_t> own_ns, baseline_ns;
  };

  /// Makes a block of `count` timed calls in `rung`; fewer when a signal asks to stop. Those of
  /// another rung than the job's are baseline calls, with metric `baseline_iteration` and attribute
  /// `rung`; afterwards the job's rung is in force again. With `lead_in` one more call comes first
  /// and is recorded like a warm-up call, because other processes ran meanwhile; a call that takes
  /// as long as a block needs none.
  Status Run(int count, xsp_worker_rung rung, bool lead_in, Latencies& latencies);

  /// Makes a block of `count` pairs of calls: one in the job's rung and a baseline call in `rung`,
  /// in an order that is drawn anew for each pair from `seed`. Both have the metric `pair`. A
  /// lead-in pair comes first, as in Run(). Fewer when a signal asks to stop, never half a pair.
  /// `rung` may be the job's: then nothing differs between the two, which calibrates comparisons.
  /// Errors: not_possible where the worker does not switch profiling at every call.
  Status Pairs(int count, xsp_worker_rung rung, std::uint64_t seed, Latencies& latencies);

  /// Makes `count` timed calls in the job's rung, each when its request arrives or, when the one
  /// before still runs, right after it: an open loop, so that a slow system cannot hide its queue.
  /// Arrivals are Poisson of `rate_per_s` from `seed`. Metrics of each call, besides those of
  /// Run(): `queue_ns` (from arrival to start), `arrival_ns` (after the first arrival's origin) and
  /// `offered_rate` (1/s). Fewer when a signal asks to stop.
  Status Serve(int count, double rate_per_s, std::uint64_t seed);

  /// Takes samples `first` ... + `count` - 1 of the job's data set through the model, a batch a
  /// call: application-level span `batch` with metric `samples`, in it `preprocess` (with `read`,
  /// the steps and `stack`), `bind`, the call, and `postprocess` with its steps. Fewer when a
  /// signal asks to stop. Errors: usage when the job has no data set or not so many samples.
  Status Evaluate(std::size_t first, std::size_t count);

  /// What the model is called with, and a line for each input of which something was guessed; after
  /// Load().
  const std::vector<InputSpec>& inputs() const { return specs_; }
  const std::vector<std::string>& guesses() const { return guesses_; }

  /// Of all warm-ups.
  int warmup_calls() const { return warmup_calls_; }
  /// The last warm-up ended because latencies had settled.
  bool settled() const { return settled_; }
  /// Of the calls at the end of the warm-up, their median; 0: there were none.
  std::uint64_t warm_latency_ns() const { return warm_latency_ns_; }
  /// Of the last call; 0: none was made.
  std::uint64_t last_call_ns() const { return last_call_ns_; }

 private:
  struct CallRecord {
    xsp_span span = 0;
    std::uint64_t start_ns = 0;
    std::uint64_t duration_ns = 0;
    bool baseline = false;  ///< Set by the caller: made for comparison with the run's own.
  };

  Status CheckPossible(const std::string& description);
  /// What the worker is asked for; its pointers are valid as long as this session.
  xsp_worker_job Request() const;
  Status LoadModel(xsp_worker_ran& ran);
  void Unload();
  /// A worker that does not know the rung `counters` runs as in the rung `model`.
  xsp_worker_rung KnownToWorker(xsp_worker_rung rung) const {
    return rung == XSP_RUNG_COUNTERS && !counts_layers_ ? XSP_RUNG_MODEL : rung;
  }
  Status AskForInputs();
  /// Fills specs_ and guesses_, by guess number guess_.
  Status MakeSpecs();
  /// Makes the inputs and binds them; what was guessed is tried by a call that is no sample.
  Status BindSpecs();
  /// Binds the first guess that the model takes.
  Status BindInputs();
  /// What the model is called with, once it has taken it.
  void RecordInputFacts() const;
  /// With a hint that what was guessed of the inputs may be why.
  Error ForGuesses(Error error) const;
  Status SwitchTo(xsp_worker_rung rung);
  Status RunCalls(int count, std::int64_t& next_iteration,
                  std::vector<std::uint64_t>& latencies_ns);
  Status EndBlock();
  Status LeadIn(std::initializer_list<xsp_worker_rung> rungs);
  Status PairedCall(bool baseline, xsp_worker_rung rung, Latencies& latencies);
  /// Spins at the end of a call that began at `start_ns`: a slow-down of known size.
  void Prolong(std::uint64_t start_ns) const;
  Status Call(std::int64_t iteration, CallRecord& made);
  Status EvaluateBatch(std::size_t first, std::size_t count);
  Status ReadOutputs(std::vector<xsp_worker_tensor>& outputs);
  Status KeepOutputs();

  /// Interned once: interning takes a lock.
  struct Names {
    xsp_string predict, model, iteration, baseline, rung, switches, wait, steal, system, faults;
    xsp_string queue, arrival, offered_rate, samples, block, pair;
    xsp_string one, ns, per_second, harness, procfs;
  };

  const xsp_worker& worker_;
  const Job& job_;
  std::vector<xsp_worker_option> options_;  ///< Of the job; its texts are borrowed from there.
  HeldMemory held_memory_;
  void* model_ = nullptr;
  std::vector<xsp_worker_input> known_inputs_;  ///< As the worker tells.
  std::vector<InputSpec> specs_;
  std::vector<std::string> guesses_;  ///< Of guess number guess_.
  int guess_ = 0;
  Inputs inputs_;
  std::unique_ptr<DatasetPass> dataset_;
  InterferenceReader interference_;
  std::unique_ptr<SpanCounters> counters_;  ///< Of a job of the rung `counters`.
  bool counts_layers_ = false;              ///< The worker knows that rung.
  Names names_;
  xsp_worker_rung rung_ = XSP_RUNG_MODEL;  ///< In force.
  std::int64_t next_iteration_ = 0;
  std::int64_t next_baseline_ = 0;
  std::int64_t next_pair_ = 0;
  std::int64_t block_ = -1;  ///< The command that asked for the calls; -1: warm-up.
  std::uint64_t warm_latency_ns_ = 0;
  std::uint64_t last_call_ns_ = 0;
  std::vector<std::string> switched_at_every_call_;  ///< Rungs, by name.
  int warmup_calls_ = 0;
  bool settled_ = false;
};

}  // namespace xsp::worker

#endif  // XSP_WORKERS_HARNESS_SESSION_H_
