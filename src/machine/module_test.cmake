xsp_label(machine_test threads)
