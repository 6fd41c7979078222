find_package(Mustache REQUIRED)
target_link_libraries(xsp_findings PRIVATE yaml-cpp Mustache::Mustache)
xsp_glue(xsp_findings)
