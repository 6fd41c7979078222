find_package(JPEG REQUIRED)
find_package(PNG REQUIRED)
target_link_libraries(xsp_image PRIVATE JPEG::JPEG PNG::PNG)
