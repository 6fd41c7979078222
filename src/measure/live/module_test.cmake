# What it tests has threads of its own; the server of the tests is cpp-httplib's.
xsp_label(live_test threads)
target_link_libraries(live_test PRIVATE Httplib::Httplib)
