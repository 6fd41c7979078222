find_package(Utf8proc REQUIRED)
target_link_libraries(xsp_core PRIVATE Utf8proc::Utf8proc)
