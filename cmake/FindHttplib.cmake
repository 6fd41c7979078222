# cpp-httplib, whose Debian package brings a compiled library and no CMake files. Imports Httplib::Httplib with the
# definitions that the library was built with: the header's classes depend on them.
find_package(OpenSSL REQUIRED)
find_path(Httplib_INCLUDE_DIR httplib.h)
find_library(Httplib_LIBRARY cpp-httplib)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Httplib REQUIRED_VARS Httplib_LIBRARY Httplib_INCLUDE_DIR
                                  REASON_FAILURE_MESSAGE "run tools/setup")
if(Httplib_FOUND AND NOT TARGET Httplib::Httplib)
  add_library(Httplib::Httplib UNKNOWN IMPORTED)
  set_target_properties(Httplib::Httplib PROPERTIES
    IMPORTED_LOCATION ${Httplib_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${Httplib_INCLUDE_DIR}
    INTERFACE_COMPILE_DEFINITIONS
      "CPPHTTPLIB_OPENSSL_SUPPORT;CPPHTTPLIB_ZLIB_SUPPORT;CPPHTTPLIB_BROTLI_SUPPORT")
  target_link_libraries(Httplib::Httplib INTERFACE OpenSSL::SSL OpenSSL::Crypto Threads::Threads)
endif()
