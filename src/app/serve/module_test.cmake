# Tests expand what the folder compressed.
target_link_libraries(serve_test PRIVATE ZLIB::ZLIB)
xsp_label(serve_test threads)
