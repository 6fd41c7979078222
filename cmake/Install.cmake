# `cmake --install build/release --prefix PREFIX`: PREFIX/lib/xsp with programs, libraries, workers and data, and the command
# PREFIX/bin/xsp. Workers are builds of their own and plug-ins are found, so tools/package_tree.py lists the files, as for
# packages (docs/adr/0049-one-tree.md).
find_package(Python3 REQUIRED COMPONENTS Interpreter)
install(CODE "
  set(strip)
  if(CMAKE_INSTALL_DO_STRIP)
    set(strip --strip)
  endif()
  execute_process(
    COMMAND \"${Python3_EXECUTABLE}\" \"${CMAKE_SOURCE_DIR}/tools/package_tree.py\" --build \"${CMAKE_BINARY_DIR}\"
            --prefix \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\" \${strip}
    OUTPUT_VARIABLE files OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE \"\\n\" \";\" files \"\${files}\")
  list(APPEND CMAKE_INSTALL_MANIFEST_FILES \${files})
  list(LENGTH files count)
  message(STATUS \"Installed \${count} files below \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")
")
