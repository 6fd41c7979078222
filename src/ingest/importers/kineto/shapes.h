#ifndef XSP_INGEST_IMPORTERS_KINETO_SHAPES_H_
#define XSP_INGEST_IMPORTERS_KINETO_SHAPES_H_

#include <string>
#include <string_view>

namespace xsp::importers::kineto {

/// "Input Dims" as attribute input_shapes: without white space, "[[4,64],[10,64],[]]". What is no
/// tensor stands there as []. The result lies in `scratch`.
std::string_view ShapesOf(std::string_view dims, std::string& scratch);

/// "Input type" as attribute input_types: our names of element types, unquoted, "[float32,Scalar]".
/// What is no tensor keeps its word. The result lies in `scratch`.
std::string_view TypesOf(std::string_view types, std::string& scratch);

/// "Concrete Inputs" as attribute input_values: entries without white space, quotes and escapes,
/// ";;;[1,1];False". The result lies in `scratch`.
std::string_view ValuesOf(std::string_view values, std::string& scratch);

}  // namespace xsp::importers::kineto

#endif  // XSP_INGEST_IMPORTERS_KINETO_SHAPES_H_
