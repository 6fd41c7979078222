// libFuzzer: any bytes as a recording, through the reader and the importer's trace builder.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "capture/wire/reader.h"
#include "ingest/importers/xsp_recording/trace_builder.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  xsp::wire::ReadError error;
  const auto reader = xsp::wire::Reader::OpenBytes(bytes, &error);
  if (reader == nullptr) return 0;
  xsp::trace::Trace trace;
  xsp::trace::TraceWriter writer(trace);
  xsp::importers::xsp_recording::TraceBuilder builder(*reader, writer,
                                                      reader->info().realtime_offset_ns);
  reader->Read(builder);
  builder.Finish();
  return 0;
}
