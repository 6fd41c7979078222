# What ITT's static part hands over is declared in itt_abi.h: no header of others is needed.
list(APPEND XSP_LIBRARY_SHARED_SOURCES ${root}/control.cc ${root}/range_domain.cc
     ${root}/range_table.cc ${root}/ranges.cc)
