# Requests are cpp-httplib's, their signatures OpenSSL's HMAC; Boost's property trees read the answers.
find_package(Httplib REQUIRED)
target_link_libraries(xsp_objects PRIVATE Httplib::Httplib OpenSSL::Crypto)
xsp_glue(xsp_objects)
