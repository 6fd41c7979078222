# Tested with the toy worker, which workers/tests builds.
target_compile_definitions(sessions_test PRIVATE XSP_TEST_WORKER_FOLDER="${CMAKE_BINARY_DIR}/test-workers")
add_dependencies(sessions_test xsp-worker-example)
xsp_takes(sessions_test 55)
