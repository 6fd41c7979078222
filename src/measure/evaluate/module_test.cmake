# Experiments are tested with the toy worker, which workers/tests builds.
target_compile_definitions(evaluate_test PRIVATE
  XSP_TEST_WORKER_FOLDER="${CMAKE_BINARY_DIR}/test-workers")
add_dependencies(evaluate_test xsp-worker-example)
