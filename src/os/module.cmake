find_package(OpenSSL REQUIRED COMPONENTS Crypto)
target_link_libraries(xsp_os PRIVATE OpenSSL::Crypto)
