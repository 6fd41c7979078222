xsp_label(os_test threads)
