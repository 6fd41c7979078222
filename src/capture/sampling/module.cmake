# elfutils: unwinding tables and symbols (LGPL 3 or GPL 2, used as a shared library).
find_library(XSP_LIBDW dw REQUIRED)
find_library(XSP_LIBELF elf REQUIRED)
target_link_libraries(xsp_sampling PRIVATE ${XSP_LIBDW} ${XSP_LIBELF})
