# How a folder under src/ becomes a library and a test program, without a CMakeLists of its own.
#
# xsp_modules()
#   Reads layers.toml. Every folder named there becomes the static library xsp_<name> (all *.cc but *_test.cc and
#   *_bench.cc), named by the last part of its path and linked to the folders it may include, plus the test program
#   <name>_test. A folder that needs a third-party library says so in its module.cmake:
#   target_link_libraries(xsp_<name> PRIVATE ...). With XSP_MODULES only the folders in that list and what they may
#   include become libraries.
#   Where sources are joined, folders of an area without a module.cmake or family.cmake of their own are one library,
#   xsp_area_<area>, and xsp_<name> is another name of it: compiled together, they read the headers below them once. Flags
#   of these folders stand in the area.cmake of the area, where their library is ${library}, joined or not.
#
# xsp_plugin_family(<SpecType> <header> <list-function>)
#   Said in the family.cmake of a folder: every sub-folder of it is one plugin. It must export
#     namespace xsp::<name>::<sub-folder> { extern const <SpecType> kSpec; }
#   and hold at least one *_test.cc. The list of all specs is written at configure time, for the function that <header>
#   declares: adding a plugin edits no shared file, and nothing runs before main(). All plugins are one library,
#   xsp_<name>_plugins, and their tests one program, <name>_plugins_test: compiled together, they read the headers of the
#   family once. A plugin with a module.cmake is the library xsp_<name>_<sub-folder>, and one with that or a
#   module_test.cmake has the test program <name>_<sub-folder>_test. A folder that may include the family links all. A
#   family named in XSP_WITHOUT has no plugins.
#
# xsp_glue(<target>)
#   Says that nothing in the target computes for long: it is compiled with -Og in release, in half of the time, and with
#   -O0 under sanitizers, in two fifths.

function(xsp_read_layers OUT_FOLDERS)
  file(STRINGS ${CMAKE_SOURCE_DIR}/layers.toml lines REGEX "^[a-z_/\"]+ *=")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/layers.toml)
  set(folders)
  foreach(line IN LISTS lines)
    string(REGEX MATCH "[a-z_/]+" folder "${line}")
    string(REGEX REPLACE "^[^=]*=" "" right "${line}")
    string(REGEX MATCHALL "[a-z_/]+" needs "${right}")
    list(APPEND folders ${folder})
    set(XSP_LAYER_${folder} "${needs}" PARENT_SCOPE)
  endforeach()
  set(${OUT_FOLDERS} "${folders}" PARENT_SCOPE)
endfunction()

# Makes the test program NAME of the given sources: one test of ctest, which runs all its cases in one process
# (cmake/test_main.cc keeps them apart).
function(xsp_test NAME)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBS" ${ARGN})
  add_executable(${NAME} ${ARG_SOURCES})
  xsp_join(${NAME})
  # Expectations are not worth an optimiser's time (but xsp_computes()).
  target_compile_options(${NAME} PRIVATE -O0)
  target_link_libraries(${NAME} PRIVATE ${ARG_LIBS} xsp_test_main)
  target_link_options(${NAME} PRIVATE ${XSP_FAST_LINKER})
  # Of options, so that it comes before the program's own objects.
  target_link_options(${NAME} PRIVATE $<TARGET_OBJECTS:xsp_inlined_code>)
  set_property(TARGET ${NAME} APPEND PROPERTY LINK_DEPENDS $<TARGET_OBJECTS:xsp_inlined_code>)
  set_property(GLOBAL APPEND PROPERTY XSP_TEST_PROGRAMS ${NAME})
  xsp_label(${NAME} unit)
endfunction()

# Labels of the test program NAME, said beside what it tests (module.cmake, module_test.cmake):
#   unit      a program of xsp_test()
#   release   a full run needs it in release, too: it tests what goes into programs that no sanitizer instrumented, or
#             has cases that a sanitizer cannot run
#   threads   the thread sanitizer runs it: what it tests has threads of its own. Linked to DuckDB, it includes
#             store/thread_sanitizer_testing.h
#   worker    needs a worker's framework; release only
function(xsp_label NAME)
  set_property(TARGET ${NAME} APPEND PROPERTY XSP_LABELS ${ARGN})
endfunction()

# Says about how many seconds the test program NAME takes (under the address sanitizer, where that runs it): ctest begins
# with the longest, so that none is left to run alone at the end.
function(xsp_takes NAME SECONDS)
  set_property(TARGET ${NAME} PROPERTY XSP_COST ${SECONDS})
endfunction()

# Says which suites of the test program NAME, labelled `threads`, the thread sanitizer runs (a filter of GoogleTest), where
# most of its cases have one thread only. The others run in every other build.
function(xsp_threads_in NAME FILTER)
  set_property(TARGET ${NAME} PROPERTY XSP_THREADS_FILTER ${FILTER})
endfunction()

# Says that cases of the test program NAME compute for long (trials of random input): it is compiled with -O1.
function(xsp_computes NAME)
  target_compile_options(${NAME} PRIVATE -O1)
endfunction()

# Gives the programs of xsp_test() to ctest, when all folders have said their labels. Without XSP_UNIT_TESTS those without
# the label `release` are neither built by default nor run. Target threads_tests: all with the label `threads`.
function(xsp_add_tests)
  add_custom_target(threads_tests)
  get_property(programs GLOBAL PROPERTY XSP_TEST_PROGRAMS)
  foreach(program IN LISTS programs)
    get_target_property(definitions ${program} COMPILE_DEFINITIONS)
    if(definitions MATCHES "${CMAKE_SOURCE_DIR}|${CMAKE_BINARY_DIR}|TARGET_FILE")
      message(FATAL_ERROR "a definition of ${program} has a path of this clone: use xsp_paths() (cmake/Paths.cmake)")
    endif()
    get_target_property(labels ${program} XSP_LABELS)
    if(NOT XSP_UNIT_TESTS AND "unit" IN_LIST labels AND NOT "release" IN_LIST labels)
      set_target_properties(${program} PROPERTIES EXCLUDE_FROM_ALL ON)
      continue()
    endif()
    if("threads" IN_LIST labels)
      add_dependencies(threads_tests ${program})
    endif()
    get_target_property(filter ${program} XSP_THREADS_FILTER)
    if(filter AND XSP_SANITIZE MATCHES "thread")
      add_test(NAME ${program} COMMAND ${program} "--gtest_filter=${filter}")
    else()
      add_test(NAME ${program} COMMAND ${program})
    endif()
    set_tests_properties(${program} PROPERTIES TIMEOUT 1800 LABELS "${labels}")
    get_target_property(cost ${program} XSP_COST)
    if(cost)
      set_tests_properties(${program} PROPERTIES COST ${cost})
    endif()
  endforeach()
endfunction()

function(xsp_glue TARGET)
  if(XSP_SANITIZE)
    target_compile_options(${TARGET} PRIVATE -O0)
  else()
    target_compile_options(${TARGET} PRIVATE $<$<CONFIG:RelWithDebInfo>:-Og>)
  endif()
endfunction()

# Makes the bench program NAME: a main() beside what it measures, run by `tools/bench NAME`.
function(xsp_benches PREFIX ROOT)
  file(GLOB benches CONFIGURE_DEPENDS ${ROOT}/*_bench.cc)
  foreach(bench IN LISTS benches)
    cmake_path(GET bench STEM name)
    add_executable(${name} ${bench})
    target_link_libraries(${name} PRIVATE ${ARGN} benchmark::benchmark)
    target_link_options(${name} PRIVATE ${XSP_FAST_LINKER})
  endforeach()
endfunction()

# Of FOLDERS those in WANTED and all that these may include, in the order of FOLDERS.
function(xsp_chosen_modules OUT_FOLDERS FOLDERS WANTED)
  set(chosen)
  set(open ${WANTED})
  while(open)
    list(POP_FRONT open folder)
    if(NOT folder IN_LIST FOLDERS)
      message(FATAL_ERROR "XSP_MODULES names a folder that layers.toml does not have: ${folder}")
    endif()
    if(NOT folder IN_LIST chosen)
      list(APPEND chosen ${folder})
      list(APPEND open ${XSP_LAYER_${folder}})
    endif()
  endwhile()
  foreach(folder IN LISTS FOLDERS)
    if(folder IN_LIST chosen)
      list(APPEND sorted ${folder})
    endif()
  endforeach()
  set(${OUT_FOLDERS} "${sorted}" PARENT_SCOPE)
endfunction()

# Of FOLDERS those that fuzzers run: families with a fuzzer, and all that these may include.
function(xsp_fuzzed_modules OUT_FOLDERS FOLDERS)
  set(families)
  foreach(folder IN LISTS FOLDERS)
    file(GLOB fuzzers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${folder}/*/*_fuzz.cc)
    if(XSP_FUZZ AND fuzzers)
      list(APPEND families ${folder})
    endif()
  endforeach()
  xsp_chosen_modules(fuzzed "${FOLDERS}" "${families}")
  set(${OUT_FOLDERS} "${fuzzed}" PARENT_SCOPE)
endfunction()

# The sources of FOLDER, without tests, benches and programs.
function(xsp_sources_of FOLDER OUT_SOURCES)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${FOLDER}/*.cc)
  list(FILTER sources EXCLUDE REGEX "_(test|bench|main)\\.cc$")
  if(NOT XSP_TESTS)
    list(FILTER sources EXCLUDE REGEX "_testing\\.cc$")  # For tests, also those of other folders.
  endif()
  set(${OUT_SOURCES} "${sources}" PARENT_SCOPE)
endfunction()

# The area of FOLDER, if the folder has no libraries, flags or plugins of its own; else nothing.
function(xsp_shared_area FOLDER OUT_AREA)
  cmake_path(GET FOLDER PARENT_PATH area)
  set(root ${CMAKE_SOURCE_DIR}/src/${FOLDER})
  if(EXISTS ${root}/module.cmake OR EXISTS ${root}/family.cmake)
    set(area "")
  endif()
  set(${OUT_AREA} "${area}" PARENT_SCOPE)
endfunction()

# The library that the sources of FOLDER are in.
function(xsp_library_of FOLDER OUT_LIBRARY)
  cmake_path(GET FOLDER FILENAME name)
  xsp_shared_area(${FOLDER} area)
  xsp_sources_of(${FOLDER} sources)
  if(XSP_UNITY AND area AND sources)
    set(${OUT_LIBRARY} xsp_area_${area} PARENT_SCOPE)
  else()
    set(${OUT_LIBRARY} xsp_${name} PARENT_SCOPE)
  endif()
endfunction()

function(xsp_modules)
  xsp_read_layers(folders)
  if(XSP_MODULES)
    xsp_chosen_modules(folders "${folders}" "${XSP_MODULES}")
  endif()
  xsp_fuzzed_modules(fuzzed "${folders}")
  foreach(folder IN LISTS folders)
    set(root ${CMAKE_SOURCE_DIR}/src/${folder})
    cmake_path(GET folder FILENAME name)
    # A family stays, without its plugins.
    if(name IN_LIST XSP_WITHOUT AND NOT EXISTS ${root}/family.cmake)
      continue()
    endif()
    xsp_sources_of(${folder} sources)
    file(GLOB tests CONFIGURE_DEPENDS ${root}/*_test.cc)
    set(own_libraries xsp_${name})
    xsp_library_of(${folder} library)
    if(sources)
      if(NOT TARGET ${library})
        add_library(${library} STATIC)
        xsp_join(${library})
        xsp_shared_area(${folder} area)
        if(area)
          include(${CMAKE_SOURCE_DIR}/src/${area}/area.cmake OPTIONAL)
        endif()
      endif()
      target_sources(${library} PRIVATE ${sources})
      if(NOT library STREQUAL xsp_${name})
        add_library(xsp_${name} ALIAS ${library})
      endif()
      set(scope PUBLIC)
      if(folder IN_LIST fuzzed)
        target_compile_options(${library} PRIVATE -fsanitize=fuzzer-no-link)
      endif()
    else()
      add_library(${library} INTERFACE)
      set(scope INTERFACE)
    endif()
    target_link_libraries(${library} ${scope} xsp_headers)
    foreach(need IN LISTS XSP_LAYER_${folder})
      # CMake lets static libraries name each other before they exist.
      xsp_library_of(${need} needed)
      if(NOT needed STREQUAL library)
        target_link_libraries(${library} ${scope} ${needed})
      endif()
      if(EXISTS ${CMAKE_SOURCE_DIR}/src/${need}/family.cmake)
        target_link_libraries(${library} ${scope} ${needed}_plugins)
      endif()
    endforeach()
    if(EXISTS ${root}/module.cmake)
      include(${root}/module.cmake)
    endif()
    if(EXISTS ${root}/family.cmake)
      include(${root}/family.cmake)
      list(APPEND own_libraries xsp_${name}_plugins)
    endif()
    if(tests AND XSP_TESTS)
      xsp_test(${name}_test SOURCES ${tests} LIBS ${own_libraries})
      if(EXISTS ${root}/module_test.cmake)
        include(${root}/module_test.cmake)
      endif()
    endif()
    if(XSP_BENCHES)
      xsp_benches(${name} ${root} ${own_libraries})
    endif()
  endforeach()
endfunction()

# Of the folder that xsp_modules() is at: `folder`, `root` and `name` are its.
function(xsp_plugin_family SPEC HEADER LIST)
  file(GLOB entries CONFIGURE_DEPENDS ${root}/*)
  if(name IN_LIST XSP_WITHOUT)
    set(entries)
  endif()
  set(family xsp_${name}_plugins)
  set(count 0)
  set(decls)
  set(items)
  set(family_sources ${CMAKE_BINARY_DIR}/plugins/${name}.cc)
  set(family_tests)
  set(libs)
  foreach(entry IN LISTS entries)
    if(NOT IS_DIRECTORY ${entry})
      continue()
    endif()
    cmake_path(GET entry FILENAME plugin)
    math(EXPR count "${count} + 1")
    string(APPEND decls "namespace ${plugin} { extern const ${SPEC} kSpec; }\n")
    string(APPEND items "    &${plugin}::kSpec,\n")
    file(GLOB sources CONFIGURE_DEPENDS ${entry}/*.cc)
    set(tests ${sources})
    list(FILTER tests INCLUDE REGEX "_test\\.cc$")
    list(FILTER sources EXCLUDE REGEX "_(test|bench|fuzz)\\.cc$")
    if(NOT tests)
      message(FATAL_ERROR "src/${folder}/${plugin} has no *_test.cc")
    endif()
    # What needs something of its own is a library or a test program of its own.
    set(library ${family})
    if(EXISTS ${entry}/module.cmake)
      set(library xsp_${name}_${plugin})
      add_library(${library} STATIC ${sources})
      xsp_plugin_library(${library})
      include(${entry}/module.cmake)
      list(APPEND libs ${library})
    else()
      list(APPEND family_sources ${sources})
    endif()
    if(XSP_TESTS AND (EXISTS ${entry}/module.cmake OR EXISTS ${entry}/module_test.cmake))
      xsp_test(${name}_${plugin}_test SOURCES ${tests} LIBS ${library})
      include(${entry}/module_test.cmake OPTIONAL)
    else()
      list(APPEND family_tests ${tests})
    endif()
    if(XSP_BENCHES)
      xsp_benches(${name}_${plugin} ${entry} ${library})
    endif()
    if(XSP_FUZZ)
      file(GLOB fuzzers CONFIGURE_DEPENDS ${entry}/*_fuzz.cc)
      foreach(fuzzer IN LISTS fuzzers)
        cmake_path(GET fuzzer STEM fuzz_name)
        add_executable(${fuzz_name} ${fuzzer})
        target_link_libraries(${fuzz_name} PRIVATE ${library})
        target_link_options(${fuzz_name} PRIVATE -fsanitize=fuzzer)
        add_dependencies(fuzzers ${fuzz_name})
      endforeach()
    endif()
  endforeach()
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/plugins/${name}.cc CONTENT
"// Generated by cmake/XspModule.cmake. Do not edit.
#include <array>

#include \"${folder}/${HEADER}\"

namespace xsp::${name} {

${decls}
namespace {
constexpr std::array<const ${SPEC}*, ${count}> kAll = {
${items}};
}  // namespace

std::span<const ${SPEC}* const> ${LIST}() { return kAll; }

}  // namespace xsp::${name}
")
  add_library(${family} STATIC ${family_sources})
  xsp_plugin_library(${family})
  target_link_libraries(${family} PUBLIC ${libs})
  if(family_tests AND XSP_TESTS)
    xsp_test(${name}_plugins_test SOURCES ${family_tests} LIBS ${family})
  endif()
endfunction()

# Of the family that xsp_plugin_family() is at.
macro(xsp_plugin_library LIBRARY)
  xsp_join(${LIBRARY})
  target_link_libraries(${LIBRARY} PUBLIC xsp_${name})
  if(folder IN_LIST fuzzed)
    target_compile_options(${LIBRARY} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
endmacro()

# Target headers_alone: shows that every header of src/ and every generated one compiles alone. A header that leans on
# what its includer happened to include first does not build. Joined sources do not show it, and a file for each header
# would be 400 compilations: tools/header_chains.py needs fewer, for the same result.
function(xsp_headers_alone)
  # As of now: an include that is taken out later may change the files. tools/check configures before it builds this.
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  execute_process(COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tools/header_chains.py ${CMAKE_SOURCE_DIR}
                          ${CMAKE_BINARY_DIR}/generated
                  OUTPUT_VARIABLE chains COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX REPLACE "\n$" "" chains "${chains}")
  string(REPLACE "\n" ";" chains "${chains}")
  # Folders whose foreign headers are not here, and where those that are lie (src/capture/record/module.cmake).
  get_property(left_out GLOBAL PROPERTY XSP_HEADERS_LEFT_OUT)
  get_property(includes GLOBAL PROPERTY XSP_HEADER_INCLUDES)
  set(units)
  foreach(chain IN LISTS chains)
    string(REPLACE " " ";" chain "${chain}")
    foreach(folder IN LISTS left_out)
      list(FILTER chain EXCLUDE REGEX "^${folder}")
    endforeach()
    if(NOT chain)
      continue()
    endif()
    list(GET chain -1 last)
    string(REPLACE "/" "__" stem ${last})
    list(TRANSFORM chain REPLACE "(.+)" "#include \"\\1\"\n")
    list(JOIN chain "" content)
    set(unit ${CMAKE_BINARY_DIR}/headers_alone/${stem}.cc)
    file(CONFIGURE OUTPUT ${unit} CONTENT "${content}")
    list(APPEND units ${unit})
  endforeach()
  add_library(headers_alone OBJECT EXCLUDE_FROM_ALL ${units})
  target_link_libraries(headers_alone PRIVATE xsp_headers ${XSP_HEADER_LIBRARIES})
  target_include_directories(headers_alone SYSTEM PRIVATE ${includes})
  target_compile_options(headers_alone PRIVATE -O0 -g0)  # Only whether they compile.
endfunction()
