target_sources(wire_test PRIVATE ${root}/c_api_probe.c)
add_executable(recording_child ${root}/recording_child_main.cc)
target_link_libraries(recording_child PRIVATE xsp_wire)
add_dependencies(wire_test xsp_shared recording_child)
xsp_paths(wire_test kRecordingChild $<TARGET_FILE:recording_child> kSharedLibrary $<TARGET_FILE:xsp_shared>)
target_link_libraries(wire_test PRIVATE ${CMAKE_DL_LIBS})
# It goes into programs as they are; cases with a limited address space or forks beside threads run in release only.
xsp_label(wire_test release threads)
