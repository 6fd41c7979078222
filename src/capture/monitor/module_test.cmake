xsp_label(monitor_test threads)
