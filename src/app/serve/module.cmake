# HTTP is cpp-httplib's, passwords are OpenSSL's scrypt, stored answers are compressed by zlib.
find_package(Httplib REQUIRED)
find_package(ZLIB REQUIRED)
target_link_libraries(xsp_serve PRIVATE Httplib::Httplib ZLIB::ZLIB OpenSSL::Crypto)
target_compile_definitions(xsp_serve PRIVATE XSP_VERSION="${PROJECT_VERSION}")
xsp_glue(xsp_serve)
