xsp_label(base_test threads)
