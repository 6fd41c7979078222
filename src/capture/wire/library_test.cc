// The library as others meet it: from C, through dlopen, and through the C++ scopes.

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstring>
#include <thread>

#include "capture/wire/collected_records.h"
#include "capture/wire/recorder.h"

// cmake/Paths.cmake.
extern const char kSharedLibrary[];

extern "C" int xsp_c_api_probe(const char* path);

namespace xsp::wire {
namespace {

TEST(LibraryTest, ServesPlainC) {
  const ScratchFolder folder;
  ASSERT_EQ(xsp_c_api_probe((folder / "c.xspr").c_str()), 0);
  const auto read = ReadRecording(folder / "c.xspr");
  ASSERT_EQ(read->spans.size(), 1u) << read->error.what;
  EXPECT_EQ(read->spans[0].name, "from C");
  EXPECT_EQ(read->attributes.at(0).value, "value");
}

TEST(LibraryTest, ServesAnyoneThroughDlopen) {
  const ScratchFolder folder;
  void* library = dlopen(kSharedLibrary, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  const auto find = [&]<typename F>(const char* name, F*) {
    return reinterpret_cast<F*>(dlsym(library, name));
  };
  const auto open = find("xsp_open", &xsp_open);
  const auto close = find("xsp_close", &xsp_close);
  const auto intern = find("xsp_intern", &xsp_intern);
  const auto begin = find("xsp_begin", &xsp_begin);
  const auto end = find("xsp_end", &xsp_end);
  ASSERT_TRUE(open && close && intern && begin && end);
  EXPECT_NE(open, &xsp_open) << "it must be the library's own";
  EXPECT_EQ(dlsym(library, "_ZN3xsp4wire9BestClockEv"), nullptr) << "only xsp_* is exported";
  const std::string path = folder / "so.xspr";
  ASSERT_EQ(open(path.c_str(), nullptr), 0);
  std::thread([&] { end(begin(XSP_LEVEL_LAYER, 0, intern("dlopened", 8))); }).join();
  close();
  dlclose(library);
  const auto read = ReadRecording(path);
  ASSERT_EQ(read->spans.size(), 1u) << read->error.what;
  EXPECT_EQ(read->spans[0].name, "dlopened");
}

TEST(LibraryTest, ScopesEndWhatTheyBegin) {
  const ScratchFolder folder;
  const std::string path = folder / "scopes.xspr";
  {
    const RecordingScope recording(path.c_str());
    ASSERT_EQ(recording.error(), 0);
    Fact(XSP_TEXT("framework.name"), "none");
    const SpanScope model(XSP_LEVEL_MODEL, XSP_TEXT("predict"), Intern("net"));
    model.Metric(XSP_TEXT("iteration"), 7, XSP_TEXT("1"), XSP_TEXT("measured:test"));
    {
      const LevelScope only_model(XSP_LEVEL_BIT(XSP_LEVEL_MODEL));
      const SpanScope layer(XSP_LEVEL_LAYER, XSP_TEXT("relu"), XSP_TEXT("off"));
      EXPECT_FALSE(layer.is_recorded());
      layer.Attribute(XSP_TEXT("key"), "must not become a fact");
      layer.Metric(XSP_TEXT("m"), 1, XSP_TEXT("1"), XSP_TEXT("analytic"));
    }
    const SpanScope layer(XSP_LEVEL_LAYER, XSP_TEXT("relu"), XSP_TEXT("on"));
    layer.Attribute(XSP_TEXT("input_shapes"), "[[1,3]]");
    Mark(XSP_TEXT("here"));
    Counter(XSP_TEXT("memory"), 1, XSP_TEXT("byte"));
  }
  const auto read = ReadRecording(path);
  ASSERT_EQ(read->spans.size(), 2u);
  EXPECT_FALSE(read->spans[0].is_open());
  EXPECT_EQ(read->spans[1].name, "on");
  EXPECT_EQ(read->spans[1].parent, read->spans[0].id);
  ASSERT_EQ(read->attributes.size(), 2u);
  EXPECT_EQ(read->attributes[0].key, "framework.name");
  EXPECT_EQ(read->attributes[1].span, read->spans[1].id);
  EXPECT_EQ(read->metrics.size(), 1u);
  EXPECT_EQ(read->marks.size() + read->counters.size(), 2u);
}

}  // namespace
}  // namespace xsp::wire
