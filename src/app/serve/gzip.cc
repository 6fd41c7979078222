#include "app/serve/gzip.h"

#include <zlib.h>

#include "core/result.h"

namespace xsp::serve {

std::string Gzip(std::string_view text) {
  constexpr int kGzipFormat = 16;  // Added to the window's bits (zlib.h, deflateInit2).
  z_stream stream{};
  XSP_CHECK(deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, MAX_WBITS + kGzipFormat, 8,
                         Z_DEFAULT_STRATEGY) == Z_OK);
  std::string out(deflateBound(&stream, text.size()), '\0');
  std::string in(text);
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  XSP_CHECK(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

}  // namespace xsp::serve
