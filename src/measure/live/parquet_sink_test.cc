#include "measure/live/parquet_sink.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>

#include "os/scratch_folder.h"
#include "store/thread_sanitizer_testing.h"

namespace xsp::live {
namespace {

LiveBatch OneSpan() {
  LiveBatch batch;
  LiveSpan span;
  span.id = 1;
  span.run = "recorded";
  batch.spans.push_back(span);
  return batch;
}

/// No file can be written while it lives, as on a full disk.
class FullDisk {
 public:
  FullDisk() : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const struct rlimit none = {10, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &none);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  struct rlimit before_ = {};
  void (*handler_)(int);
};

TEST(ParquetSink, WritesLaterWhatDidNotFit) {
  const auto scratch = os::ScratchFolder::Create();
  ParquetSink sink(store::LiveTables::Create(scratch.value().path(), "a").value(), "experiment");
  {
    const FullDisk full;
    LiveBatch batch;
    // More than a file's rows: it is written at once.
    for (std::size_t i = 0; i < ParquetSink::kPartRows; ++i)
      batch.spans.push_back(OneSpan().spans.front());
    sink.Write(batch);
    EXPECT_NE(sink.counts().problem.find("cannot write"), std::string::npos);
    EXPECT_EQ(sink.counts().delivered, 0);
  }
  sink.Close();
  EXPECT_EQ(sink.counts().delivered, static_cast<std::int64_t>(ParquetSink::kPartRows));
  EXPECT_EQ(sink.counts().dropped_in_all(), 0);
}

TEST(ParquetSink, CountsWhatDoesNotFitInTheEnd) {
  const auto scratch = os::ScratchFolder::Create();
  ParquetSink sink(store::LiveTables::Create(scratch.value().path(), "a").value(), "experiment");
  const FullDisk full;
  LiveBatch batch = OneSpan();
  sink.Write(batch);
  sink.Close();
  EXPECT_EQ(sink.counts().delivered, 0);
  EXPECT_EQ(sink.counts().dropped.at("recorded"), 1);
}

}  // namespace
}  // namespace xsp::live
