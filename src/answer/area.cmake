# Analyses and findings are described in YAML, the texts of findings are templates, and pages name the version.
find_package(Mustache REQUIRED)
target_link_libraries(${library} PRIVATE yaml-cpp Mustache::Mustache)
target_compile_definitions(${library} PRIVATE XSP_VERSION="${PROJECT_VERSION}")
xsp_glue(${library})
