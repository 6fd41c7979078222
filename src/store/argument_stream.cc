#include "store/argument_stream.h"

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/step_times.h"
#include "core/utf8.h"
#include "store/duckdb_connection.h"
#include "store/parquet.h"
#include "store/row_source.h"
#include "trace/compact_json.h"

namespace xsp::store {
namespace {

constexpr std::size_t kBatchBytes = std::size_t{512} << 10;
constexpr std::size_t kBatchRows = 8192;
/// As much as comes while a row group is compressed.
constexpr std::size_t kBatchesAhead = 16;
/// A row group is kept until it is written: some MiB of text, not tens.
constexpr std::size_t kRowGroupRows = 24576;

/// Arguments one after another.
struct Batch {
  std::vector<trace::SpanId> spans;
  std::vector<std::size_t> ends;  ///< Where each one's text ends.
  std::string text;

  bool full() const { return text.size() >= kBatchBytes || spans.size() >= kBatchRows; }
  void Clear() {
    spans.clear();
    ends.clear();
    text.clear();
  }
};

/// Batches from a thread that fills them to one that empties them.
class BatchQueue {
 public:
  /// For the filling thread: hands over `batch`, and makes it an empty one.
  void Push(Batch& batch) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return filled_ - emptied_ < kBatchesAhead || abandoned_; });
    if (!abandoned_) std::swap(batches_[filled_++ % kBatchesAhead], batch);
    batch.Clear();
    changed_.notify_all();
  }
  void End() {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    changed_.notify_all();
  }

  /// For the emptying thread: replaces `batch`. False: there are no more.
  bool Pop(Batch& batch) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return filled_ > emptied_ || ended_; });
    if (filled_ == emptied_) return false;
    std::swap(batches_[emptied_++ % kBatchesAhead], batch);
    changed_.notify_all();
    return true;
  }
  /// Nobody empties any more: the filling thread shall not wait.
  void Abandon() {
    const std::lock_guard lock(mutex_);
    abandoned_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  Batch batches_[kBatchesAhead];
  std::size_t filled_ = 0, emptied_ = 0;
  bool ended_ = false, abandoned_ = false;
};

/// The batches as rows.
class BatchRows {
 public:
  explicit BatchRows(BatchQueue& queue) : queue_(queue) {}

  RowSource Source() {
    RowSource source;
    source.most_distinct = 1;  // Hardly two events say the same.
    source.row_group_rows = kRowGroupRows;
    source.fetch = [this](std::size_t most) { return Fetch(most); };
    source.columns = {
        {"span_id", DUCKDB_TYPE_BIGINT,
         [this](std::size_t, std::size_t count, duckdb_vector out) { FillSpans(count, out); }},
        {"arguments", DUCKDB_TYPE_VARCHAR,
         [this](std::size_t, std::size_t count, duckdb_vector out) { FillTexts(count, out); }}};
    return source;
  }

 private:
  std::size_t Fetch(std::size_t most) {
    first_ += fetched_;
    if (first_ == batch_.spans.size()) {
      first_ = 0;
      if (!queue_.Pop(batch_)) batch_.Clear();
    }
    return fetched_ = std::min(most, batch_.spans.size() - first_);
  }

  void FillSpans(std::size_t count, duckdb_vector out) const {
    auto* data = static_cast<std::int64_t*>(duckdb_vector_get_data(out));
    std::copy_n(batch_.spans.begin() + static_cast<std::ptrdiff_t>(first_), count, data);
  }

  void FillTexts(std::size_t count, duckdb_vector out) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t row = first_ + i;
      const std::size_t start = row == 0 ? 0 : batch_.ends[row - 1];
      trace::CompactJson({batch_.text.data() + start, batch_.ends[row] - start}, text_);
      if (!core::IsCleanUtf8(text_)) text_ = core::ToCleanUtf8(text_);
      duckdb_vector_assign_string_element_len(out, i, text_.data(), text_.size());
    }
  }

  BatchQueue& queue_;
  Batch batch_;
  std::size_t first_ = 0, fetched_ = 0;  ///< Rows of the batch that DuckDB is given.
  std::string text_;                     ///< Scratch.
};

}  // namespace

struct ArgumentStream::State {
  State(DuckDb engine, std::filesystem::path to) : db(std::move(engine)), file(std::move(to)) {}

  void Run() {
    const core::StepTimer timer("write arguments");
    BatchRows rows(queue);
    RowFeed feed(db.connection());
    status = WriteParquet(db, feed, rows.Source(), file);
    queue.Abandon();
  }

  DuckDb db;
  std::filesystem::path file;
  BatchQueue queue;
  Batch batch;  ///< Being filled.
  bool ended = false;
  Status status = Ok{};
  std::thread thread;
};

ArgumentStream::ArgumentStream(DuckDb db, std::filesystem::path file)
    : state_(std::make_unique<State>(std::move(db), std::move(file))) {
  state_->thread = std::thread([state = state_.get()] { state->Run(); });
}

ArgumentStream::~ArgumentStream() { (void)Finish(); }

void ArgumentStream::Add(trace::SpanId span, std::string_view json) {
  Batch& batch = state_->batch;
  batch.spans.push_back(span);
  batch.text.append(json);
  batch.ends.push_back(batch.text.size());
  if (batch.full()) state_->queue.Push(batch);
}

void ArgumentStream::End() {
  if (std::exchange(state_->ended, true)) return;
  if (!state_->batch.spans.empty()) state_->queue.Push(state_->batch);
  state_->queue.End();
}

Status ArgumentStream::Finish() {
  End();
  if (state_->thread.joinable()) state_->thread.join();
  return state_->status;
}

}  // namespace xsp::store
