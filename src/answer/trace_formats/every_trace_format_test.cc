// Rules that every format keeps. A new one is checked here without being named.

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>

#include "answer/trace_formats/exported_run.h"
#include "answer/trace_formats/output_file.h"
#include "answer/trace_formats/trace_format.h"
#include "answer/trace_formats/trace_formats_testing.h"
#include "core/snake_case_testing.h"
#include "os/interrupt.h"
#include "store/store_testing.h"

namespace xsp::trace_formats {
namespace {

TEST(EveryTraceFormat, HasAUniqueNameAndExtension) {
  EXPECT_FALSE(AllTraceFormats().empty());
  std::set<std::string_view> names, extensions;
  for (const TraceFormatSpec* spec : AllTraceFormats()) {
    SCOPED_TRACE(spec->name);
    EXPECT_TRUE(names.insert(spec->name).second);
    EXPECT_TRUE(extensions.insert(spec->extension).second);
    EXPECT_TRUE(core::IsSnakeCase(spec->name));
    EXPECT_TRUE(spec->extension.starts_with('.'));
    EXPECT_FALSE(spec->summary.empty() || spec->summary.ends_with('.'));
  }
}

TEST(EveryTraceFormat, WritesARunWithoutSpans) {
  const store::TestFolder store;
  const auto folder = StoreRun(store, trace::Trace());
  for (const TraceFormatSpec* spec : AllTraceFormats()) {
    SCOPED_TRACE(spec->name);
    ExportText(*spec, folder);
  }
}

TEST(EveryTraceFormat, WritesAnyName) {
  const store::TestFolder store;
  const auto folder = StoreRun(store, HostileTrace());
  for (const TraceFormatSpec* spec : AllTraceFormats()) {
    SCOPED_TRACE(spec->name);
    EXPECT_GT(ExportText(*spec, folder).size(), std::size_t{1} << 20);
  }
}

TEST(EveryTraceFormat, WritesTheSameForTheSameRun) {
  const store::TestFolder store;
  const auto folder = StoreRun(store, store::RandomTrace(3, 500));
  for (const TraceFormatSpec* spec : AllTraceFormats()) {
    SCOPED_TRACE(spec->name);
    EXPECT_EQ(ExportText(*spec, folder), ExportText(*spec, folder));
  }
}

TEST(EveryTraceFormat, StopsWhereItIsInterrupted) {
  const store::TestFolder store;
  const auto folder = StoreRun(store, SmallTrace());
  os::Interrupts interrupts;
  interrupts.Request();
  for (const TraceFormatSpec* spec : AllTraceFormats()) {
    SCOPED_TRACE(spec->name);
    const auto run = ExportedRun::Open(folder, {.progress = nullptr, .interrupts = &interrupts});
    ASSERT_TRUE(run.ok());
    const auto path = store.path() / "out";
    {
      auto out = OutputFile::Create(path);
      ASSERT_TRUE(out.ok());
      const Status written = spec->write(run.value(), out.value());
      ASSERT_FALSE(written.ok());
      EXPECT_EQ(written.error().kind, ErrorKind::kInterrupted);
    }
    EXPECT_FALSE(std::filesystem::exists(path));
  }
}

}  // namespace
}  // namespace xsp::trace_formats
