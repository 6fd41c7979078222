find_package(DuckDbC REQUIRED)
find_package(Libzip REQUIRED)
target_link_libraries(xsp_store PRIVATE DuckDbC::DuckDbC Libzip::Libzip)

# The schema travels inside the library, so that no program needs the file at run time.
file(GLOB schema_tables CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/schema/tables/*.sql)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/schema/schema.sql
  ${schema_tables} ${CMAKE_SOURCE_DIR}/schema/views.sql)
# A literal for each file: compilers need not take one of more than 64 KiB.
set(XSP_SCHEMA_PARTS)
foreach(file IN ITEMS ${CMAKE_SOURCE_DIR}/schema/schema.sql ${schema_tables})
  file(READ ${file} tables)
  string(APPEND XSP_SCHEMA_PARTS "R\"schema(${tables})schema\",\n")
endforeach()
file(READ ${CMAKE_SOURCE_DIR}/schema/views.sql XSP_VIEWS_SQL)
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/store/schema_sql.cc @ONLY CONTENT
"// Generated from schema/ by src/store/module.cmake. Do not edit.
#include \"store/schema.h\"

#include <initializer_list>
#include <string>

namespace xsp::store {

std::string_view SchemaSql() {
  static const std::string sql = [] {
    std::string all;
    for (const std::string_view part : std::initializer_list<std::string_view>{
@XSP_SCHEMA_PARTS@}) all += part;
    return all;
  }();
  return sql;
}

std::string_view ViewsSql() {
  return R\"schema(@XSP_VIEWS_SQL@)schema\";
}

}  // namespace xsp::store
")
target_sources(xsp_store PRIVATE ${CMAKE_BINARY_DIR}/store/schema_sql.cc)
target_compile_definitions(xsp_store PRIVATE XSP_VERSION="${PROJECT_VERSION}")

# Every table as a constant, and a struct for the rows of each experiment table: store/rows/TABLE_row.h, for whoever may
# include store.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(generate_rows ${CMAKE_SOURCE_DIR}/tools/generate_rows.py)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${generate_rows}
  ${CMAKE_SOURCE_DIR}/tools/schema_tables.py)
execute_process(COMMAND ${Python3_EXECUTABLE} ${generate_rows} ${CMAKE_SOURCE_DIR}/schema/schema.sql
  ${CMAKE_BINARY_DIR}/generated COMMAND_ERROR_IS_FATAL ANY)
target_sources(xsp_store PRIVATE ${CMAKE_BINARY_DIR}/generated/store/rows/rows.cc
  ${CMAKE_BINARY_DIR}/generated/store/rows/tables.cc)
