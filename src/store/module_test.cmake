# A test plays another program that writes run directories.
target_link_libraries(store_test PRIVATE DuckDbC::DuckDbC)
xsp_takes(store_test 50)
# The server in object storage of the tests is cpp-httplib's.
find_package(Httplib REQUIRED)
target_link_libraries(store_test PRIVATE Httplib::Httplib)
