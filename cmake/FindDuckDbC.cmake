# DuckDB's C API: duckdb.h and libduckdb.so, from the system or from what tools/setup unpacked
# below XSP_DEPS_DIR/duckdb. Imports DuckDbC::DuckDbC.
find_path(DuckDbC_INCLUDE_DIR duckdb.h)
find_library(DuckDbC_LIBRARY duckdb)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(DuckDbC REQUIRED_VARS DuckDbC_LIBRARY DuckDbC_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "run tools/setup")
if(DuckDbC_FOUND AND NOT TARGET DuckDbC::DuckDbC)
  add_library(DuckDbC::DuckDbC SHARED IMPORTED)
  set_target_properties(DuckDbC::DuckDbC PROPERTIES
    IMPORTED_LOCATION ${DuckDbC_LIBRARY} IMPORTED_NO_SONAME ON
    INTERFACE_INCLUDE_DIRECTORIES ${DuckDbC_INCLUDE_DIR})
endif()
