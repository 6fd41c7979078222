# Answers requests on stdin for tests/pipeline_reference_test.py.
add_executable(pipeline_probe ${root}/pipeline_probe_main.cc)
target_link_libraries(pipeline_probe PRIVATE xsp_steps)
add_dependencies(steps_test pipeline_probe)
