xsp_label(counters_test threads)
