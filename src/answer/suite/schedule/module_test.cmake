xsp_label(suite_schedule_test threads)
# The search has threads; what it searches in, and its bounds, have none.
xsp_threads_in(suite_schedule_test "SolveTest.*-*NoBoundExceeds*")
xsp_computes(suite_schedule_test)
xsp_takes(suite_schedule_test 20)
