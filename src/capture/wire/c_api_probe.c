/* xsp.h from C11, for library_test.cc: what a program in plain C writes. */

#include "capture/wire/xsp.h"

int xsp_c_api_probe(const char* path);

int xsp_c_api_probe(const char* path) {
  xsp_options options = {.size = sizeof(xsp_options), .levels = XSP_LEVELS_ALL};
  const int error = xsp_open(path, &options);
  if (error != 0) return error;
  const xsp_string type = xsp_intern("range", 5);
  const xsp_span span = xsp_begin(XSP_LEVEL_APPLICATION, type, xsp_intern("from C", 6));
  if (xsp_enabled(XSP_LEVEL_APPLICATION)) xsp_attribute(span, type, "value", 5);
  xsp_end(span);
  xsp_close();
  return 0;
}
