# A test plays another program that writes run directories.
target_link_libraries(store_test PRIVATE DuckDbC::DuckDbC)
xsp_takes(store_test 50)
