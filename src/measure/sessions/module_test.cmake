# Tested with the toy worker, which workers/tests builds.
xsp_paths(sessions_test kTestWorkerFolder ${CMAKE_BINARY_DIR}/test-workers)
add_dependencies(sessions_test xsp-worker-example)
xsp_takes(sessions_test 55)
