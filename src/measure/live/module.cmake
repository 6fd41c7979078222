# Spans are sent by cpp-httplib, which compresses with zlib.
find_package(Httplib REQUIRED)
target_link_libraries(xsp_live PRIVATE Httplib::Httplib)
target_compile_definitions(xsp_live PRIVATE XSP_VERSION="${PROJECT_VERSION}")
xsp_glue(xsp_live)
