xsp_label(core_test threads)
xsp_computes(core_test)

# Estimates for programs in other languages: bench/calibration.py.
add_executable(estimate_probe ${root}/estimate_probe_main.cc)
target_link_libraries(estimate_probe PRIVATE xsp_core)
