# Principal components are Eigen's singular values (MPL-2.0, headers only).
find_package(Eigen3 3.3 REQUIRED NO_MODULE)
target_link_libraries(xsp_suite_similarity PRIVATE Eigen3::Eigen)
