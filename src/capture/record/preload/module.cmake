list(APPEND XSP_LIBRARY_SHARED_SOURCES ${root}/cpu_capture.cc ${root}/verbose_format.cc ${root}/verbose_line.cc)
