# What it tests speaks HTTP and gzip itself.
target_link_libraries(serve_test PRIVATE Httplib::Httplib ZLIB::ZLIB OpenSSL::Crypto)
