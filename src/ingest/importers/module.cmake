find_path(ISAL_INCLUDE_DIR isa-l/igzip_lib.h REQUIRED)
find_library(ISAL_LIBRARY isal REQUIRED)
target_include_directories(xsp_importers SYSTEM PRIVATE ${ISAL_INCLUDE_DIR})
target_link_libraries(xsp_importers PRIVATE ${ISAL_LIBRARY})
