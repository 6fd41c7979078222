# Tested with the toy worker, which workers/tests builds; operations run at once on several threads.
xsp_paths(operations_test kTestWorkerFolder ${CMAKE_BINARY_DIR}/test-workers)
add_dependencies(operations_test xsp-worker-example)
xsp_label(operations_test threads)
xsp_takes(operations_test 130)
# What compares, explains or lists experiments reads them on one thread; two that measure at once are in ConcurrencyTest.
xsp_threads_in(operations_test "-Compare*:History*:Ideal*:RunAgainst*:RunPlan*:Suggest*:ZooList*")
