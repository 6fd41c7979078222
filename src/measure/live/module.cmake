# Spans are sent by cpp-httplib, compressed by zlib.
find_package(Httplib REQUIRED)
find_package(ZLIB REQUIRED)
target_link_libraries(xsp_live PRIVATE Httplib::Httplib ZLIB::ZLIB)
target_compile_definitions(xsp_live PRIVATE XSP_VERSION="${PROJECT_VERSION}")
xsp_glue(xsp_live)
