# The server of the tests is cpp-httplib's.
find_package(Httplib REQUIRED)
target_link_libraries(objects_test PRIVATE Httplib::Httplib)
