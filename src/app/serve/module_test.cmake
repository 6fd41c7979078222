# What it tests has threads, and speaks HTTP and gzip itself.
xsp_label(serve_test threads)
target_link_libraries(serve_test PRIVATE Httplib::Httplib ZLIB::ZLIB OpenSSL::Crypto)
xsp_takes(serve_test 40)
