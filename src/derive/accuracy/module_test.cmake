# Answers cases on stdin for tests/accuracy_reference_test.py.
add_executable(accuracy_probe ${root}/accuracy_probe_main.cc)
target_link_libraries(accuracy_probe PRIVATE xsp_accuracy)
add_dependencies(accuracy_test accuracy_probe)
