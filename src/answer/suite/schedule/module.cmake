# The lower bound's linear programs (docs/adr/0016-schedules.md).
find_path(XSP_CLP_INCLUDE coin/Clp_C_Interface.h REQUIRED)
find_library(XSP_CLP_LIBRARY Clp REQUIRED)
target_include_directories(xsp_suite_schedule SYSTEM PRIVATE ${XSP_CLP_INCLUDE} ${XSP_CLP_INCLUDE}/coin)
target_link_libraries(xsp_suite_schedule PRIVATE ${XSP_CLP_LIBRARY})
