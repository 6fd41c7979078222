target_link_libraries(xsp_suite_jobs PRIVATE yaml-cpp)
