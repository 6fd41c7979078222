#ifndef XSP_DERIVE_EXPERIMENTS_EXPERIMENT_BUILDER_H_
#define XSP_DERIVE_EXPERIMENTS_EXPERIMENT_BUILDER_H_

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "derive/compare/outputs.h"
#include "derive/match/match.h"
#include "derive/roofs/roof.h"
#include "derive/timeline/experiment_rows.h"
#include "store/experiment_writer.h"
#include "store/metadata.h"
#include "store/pending_run.h"
#include "trace/trace.h"

namespace xsp::experiments {

/// Takes traces all the way to a stored experiment, for run, record, monitor and import alike: runs
/// are added, then MakeTables() matches them and writes the experiment tables, then Commit() moves
/// the experiment into place. Destroyed without Commit(), it leaves nothing in the store.
///
/// Threading: one thread. Errors where none are named: as store::ExperimentWriter's.
class ExperimentBuilder {
 public:
  /// `name` is made unique in the store.
  static Result<ExperimentBuilder> Create(const std::filesystem::path& store,
                                          std::string_view name);

  ExperimentBuilder(ExperimentBuilder&&) noexcept = default;
  ExperimentBuilder& operator=(ExperimentBuilder&&) = delete;
  ~ExperimentBuilder();

  /// The id that the next run gets.
  std::int64_t next_run_id() const { return static_cast<std::int64_t>(inputs_.size()) + 1; }

  /// Stores a run now and reads it again for the tables: many runs need not fit into memory.
  /// `input` says what is known of it; its run_id and folder are set here, its path is the name of
  /// its folder, and `metadata` takes rung, status and message from it. `has_timeline`: whether the
  /// tables of the timeline hold it.
  Status AddRun(match::RunInput input, store::RunMetadata metadata, const trace::Trace& trace,
                bool has_timeline);

  /// As AddRun() with a timeline, for a large trace: it is kept until the tables are made, and
  /// stored by another thread meanwhile.
  Status TakeRun(match::RunInput input, store::RunMetadata metadata, trace::Trace trace);

  /// Matches the runs and writes the tables point, run, sample, layer, kernel and match, those of
  /// the timeline, event_count where events were counted, energy where power was sampled, and,
  /// where points can be compared, comparison, agreement (of `outputs`) and aligned_layer. After
  /// the last run, once. Errors: as match::Match.
  Status MakeTables(const std::vector<match::PointInput>& points,
                    const std::vector<compare::PointOutputs>& outputs = {});

  /// Writes the table roof.
  Status AddRoofs(const roofs::RoofReport& report);

  /// For tables, attachments and streams of arguments that only some experiments have.
  store::ExperimentWriter& writer() { return writer_; }

  /// The runs as they were added.
  const std::vector<match::RunInput>& runs() const { return inputs_; }

  /// Waits until all is stored, writes experiment.json and moves the experiment into place. Returns
  /// its path. The traces of TakeRun() stay until the builder is destroyed.
  Result<std::filesystem::path> Commit(const store::ExperimentMetadata& metadata);

 private:
  /// A run that another thread stores.
  struct TakenRun {
    trace::Trace trace;
    std::unique_ptr<store::PendingRun> pending;
  };

  explicit ExperimentBuilder(store::ExperimentWriter writer);

  store::ExperimentWriter writer_;
  std::vector<match::RunInput> inputs_;
  std::vector<std::unique_ptr<TakenRun>> taken_;
  timeline::ExperimentRows timeline_rows_;
};

}  // namespace xsp::experiments

#endif  // XSP_DERIVE_EXPERIMENTS_EXPERIMENT_BUILDER_H_
