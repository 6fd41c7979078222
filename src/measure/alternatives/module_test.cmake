xsp_label(alternatives_test release)
