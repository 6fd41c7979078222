target_compile_definitions(xsp_base PRIVATE XSP_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
target_link_libraries(xsp_base PRIVATE OpenSSL::Crypto)
