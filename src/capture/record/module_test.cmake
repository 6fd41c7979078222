xsp_label(record_test release threads)
