# kainjow's Mustache templates, one header, whose Debian package brings no CMake files. Imports Mustache::Mustache.
find_path(Mustache_INCLUDE_DIR kainjow/mustache.hpp)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Mustache REQUIRED_VARS Mustache_INCLUDE_DIR REASON_FAILURE_MESSAGE "run tools/setup")
if(Mustache_FOUND AND NOT TARGET Mustache::Mustache)
  add_library(Mustache::Mustache INTERFACE IMPORTED)
  set_target_properties(Mustache::Mustache PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${Mustache_INCLUDE_DIR})
endif()
