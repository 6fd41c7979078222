xsp_label(attach_test threads)
