xsp_label(suite_schedule_test threads)
# Compares pure functions with trying every plan, on one thread.
xsp_threads_in(suite_schedule_test "-SolveTest.NoBoundExceedsTheShortestPlan")
xsp_computes(suite_schedule_test)
xsp_takes(suite_schedule_test 20)
