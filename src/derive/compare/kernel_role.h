#ifndef XSP_DERIVE_COMPARE_KERNEL_ROLE_H_
#define XSP_DERIVE_COMPARE_KERNEL_ROLE_H_

#include <string_view>

namespace xsp::compare {

/// A kernel's function, without return type, template arguments and parameters: of
/// "void at::add<int>(int*)" it is "at::add".
std::string_view FunctionOf(std::string_view kernel);

/// What a kernel does within its operator, as far as the name of its function tells, for kernels of
/// the libraries of all vendors: "layout", "attention", "softmax", "normalisation", "reduction",
/// "product" (matrix products and convolutions) or "elementwise". Empty: the name does not tell.
std::string_view KernelRole(std::string_view kernel);

}  // namespace xsp::compare

#endif  // XSP_DERIVE_COMPARE_KERNEL_ROLE_H_
