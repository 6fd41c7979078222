xsp_label(roof_loops_test threads)
